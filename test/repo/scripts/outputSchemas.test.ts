import { resources } from '../../../nodes/ConversationIntelligence/ConversationIntelligence.node';
import { appointment } from '../../../nodes/ConversationIntelligenceAppointments/operations';
import { outputSchemas } from '../../../scripts/outputSchemas';

test('every operation has an output schema', () => {
	const operations = [...resources, appointment].flatMap(({ option, operations: all }) =>
		all.map((operation) => `${option.value}/${operation.option.value}.json`),
	);
	const paths = [...outputSchemas().keys()].map((path) => path.split('/').slice(-2).join('/'));
	expect(paths.sort()).toEqual(operations.sort());
});
