import { existsSync, readFileSync } from 'node:fs';
import { resources } from '../../../nodes/ConversationIntelligence/resources';
import { appointment } from '../../../nodes/ConversationIntelligenceAppointments/resources/appointment';
import { outputSchemas } from '../../../scripts/outputSchemas';

describe("The nodes' output schemas", () => {
	test('are as `npm run generate` writes them', () => {
		for (const [path, text] of outputSchemas()) {
			expect(existsSync(path) ? readFileSync(path, 'utf8') : `no file ${path}`).toBe(text);
		}
	});

	test('exist for every operation', () => {
		const operations = [...resources, appointment].flatMap(({ option, operations: all }) =>
			all.map((operation) => `${option.value}/${operation.option.value}.json`),
		);
		const paths = [...outputSchemas().keys()].map((path) => path.split('/').slice(-2).join('/'));
		expect(paths.sort()).toEqual(operations.sort());
	});
});
