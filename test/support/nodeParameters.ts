import type { INodeType } from 'n8n-workflow';
import { documentedSection, nodeSection } from '../../scripts/parameters/render';

/**
 * Compares a node with its section of docs/parameters.md, and with the credential tests that it names.
 *
 * @param load loads the node within each test, so that a mutation run knows that the tests reach its description
 */
export function testParameters(load: () => Promise<INodeType>): void {
	test('shows and saves the parameters that docs/parameters.md lists', async () => {
		const { description } = await load();
		expect(nodeSection(description).trimEnd()).toBe(documentedSection(description.displayName));
	});

	test('tests each of its credentials when asked to', async () => {
		const { description, methods } = await load();
		const named = description.credentials?.map(({ testedBy }) => testedBy);
		expect(Object.keys(methods?.credentialTest ?? {})).toEqual(named);
	});
}
