import { NodeHelpers } from 'n8n-workflow';
import { APPOINTMENT_FIELDS } from '../../../nodes/ConversationIntelligenceAppointments/mapping/fields';
import { ConversationIntelligenceAppointments } from '../../../nodes/ConversationIntelligenceAppointments/ConversationIntelligenceAppointments.node';

const { description } = new ConversationIntelligenceAppointments();

const noticesOf = (operation: string, mappingMode: string) =>
	description.properties
		.filter((property) => property.type === 'notice')
		.filter((property) => {
			const values = { resource: 'appointment', operation, columns: { mappingMode } };
			return NodeHelpers.displayParameter(values, property, null, description);
		})
		.map(({ displayName }) => displayName);

test.each(['upsert', 'update', 'sync'])(
	'the panel of %s says what is replaced, and with automatic mapping which columns count',
	(operation) => {
		const columns = APPOINTMENT_FIELDS.map(({ id }) => id).join(', ');
		const [replaced, ...others] = noticesOf(operation, 'defineBelow');
		expect(replaced).toContain('replaced as a whole');
		expect(others).toEqual([]);
		expect(noticesOf(operation, 'autoMapInputData')).toEqual([`Columns: ${columns}. ${replaced}`]);
	},
);

test.each(['delete', 'match'])('the panel of %s has no notice', (operation) => {
	expect(noticesOf(operation, 'defineBelow')).toEqual([]);
});
