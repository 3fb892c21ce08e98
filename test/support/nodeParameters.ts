import {
	NodeHelpers,
	type INode,
	type INodeParameters,
	type INodeProperties,
	type INodeType,
} from 'n8n-workflow';
import { documentedSection, nodeSection } from '../../scripts/parameters/render';

/**
 * Compares a node with its section of docs/parameters.md, with the credential tests that it names, and with the
 * lengths of its panels.
 *
 * @param load loads the node within each test, so that a mutation run knows that the tests reach its description
 * @param lengths the number of parameters that the panel of each operation shows by default, as in
 *   `conversation/getAll`; of the whole node for a trigger, as `''`
 */
export function testParameters(load: () => Promise<INodeType>, lengths: Record<string, number>): void {
	test('shows and saves the parameters that docs/parameters.md lists', async () => {
		const { description } = await load();
		expect(nodeSection(description).trimEnd()).toBe(documentedSection(description.displayName));
	});

	test('tests each of its credentials when asked to', async () => {
		const { description, methods } = await load();
		const named = description.credentials?.map(({ testedBy }) => testedBy);
		expect(Object.keys(methods?.credentialTest ?? {})).toEqual(named);
	});

	test('shows no more parameters by default than this table allows', async () => {
		const node = await load();
		const found = operationsOf(node.description.properties).map(
			(chosen) => [Object.values(chosen).join('/'), shownByDefault(node, chosen).length] as const,
		);
		expect(Object.fromEntries(found)).toEqual(lengths);
	});
}

/** What chooses each operation of a node; nothing for a node that has none. */
function operationsOf(properties: INodeProperties[]): INodeParameters[] {
	const lists = properties.filter(({ name }) => name === 'operation');
	if (lists.length === 0) return [{}];
	return lists.flatMap(({ displayOptions, options = [] }) =>
		options.map((option) => ({
			resource: displayOptions?.show?.resource?.[0] as string,
			operation: (option as { value: string }).value,
		})),
	);
}

/** The names of the parameters that the panel shows, notices included; an empty collection is one. */
function shownByDefault({ description }: INodeType, chosen: INodeParameters): string[] {
	const { properties } = description;
	const node = { typeVersion: [description.version].flat().at(-1) } as INode;
	const values = NodeHelpers.getNodeParameters(properties, chosen, true, false, node, description)!;
	return properties
		.filter(({ type }) => type !== 'hidden')
		.filter((property) => NodeHelpers.displayParameter(values, property, node, description))
		.map(({ name }) => name);
}
