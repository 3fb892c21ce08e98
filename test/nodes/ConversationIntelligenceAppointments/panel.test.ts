import { NodeHelpers } from 'n8n-workflow';
import { APPOINTMENT_FIELDS } from '../../../nodes/ConversationIntelligenceAppointments/mapping/fields';
import { ConversationIntelligenceAppointments } from '../../../nodes/ConversationIntelligenceAppointments/ConversationIntelligenceAppointments.node';

const { description } = new ConversationIntelligenceAppointments();

const noticesOf = (operation: string, mappingMode: string) => {
	const values = { resource: 'appointment', operation, columns: { mappingMode } };
	const shown = description.properties.filter(
		(property) =>
			property.type === 'notice' && NodeHelpers.displayParameter(values, property, null, description),
	);
	return shown.map(({ displayName }) => displayName);
};

test('the panel says what is replaced, and with automatic mapping which columns count', () => {
	const columns = APPOINTMENT_FIELDS.map(({ id }) => id).join(', ');
	for (const operation of ['upsert', 'update', 'sync']) {
		const [replaced, ...others] = noticesOf(operation, 'defineBelow');
		expect(replaced).toContain('replaces all attendees');
		expect(others).toEqual([]);
		expect(noticesOf(operation, 'autoMapInputData')).toEqual([`Columns: ${columns}. ${replaced}`]);
	}
	for (const operation of ['delete', 'match']) expect(noticesOf(operation, 'defineBelow')).toEqual([]);
});
