import {
	NodeHelpers,
	type INodeProperties,
	type INodePropertyCollection,
	type INodePropertyOptions,
} from 'n8n-workflow';
import codex from '../../../nodes/ConversationIntelligenceAppointments/ConversationIntelligenceAppointments.node.json';
import { APPOINTMENT_FIELDS } from '../../../nodes/ConversationIntelligenceAppointments/mapping/fields';
import { ConversationIntelligenceAppointments } from '../../../nodes/ConversationIntelligenceAppointments/ConversationIntelligenceAppointments.node';

const isProperty = (
	option: INodePropertyOptions | INodePropertyCollection | INodeProperties,
): option is INodeProperties => 'type' in option;

/** All parameters, including those in collections. */
function parameters(properties: INodeProperties[]): INodeProperties[] {
	return properties.flatMap((property) => [
		property,
		...(property.options ?? []).flatMap((option) => {
			if ('values' in option) return parameters(option.values);
			return isProperty(option) ? parameters([option]) : [];
		}),
	]);
}

describe('The description of Conversation Intelligence Appointments', () => {
	const { description } = new ConversationIntelligenceAppointments();
	const explained = parameters(description.properties).filter(
		({ type, name }) => !['notice', 'hidden', 'collection'].includes(type) && name !== 'operation',
	);

	test.each(explained.map((property) => [property.name, property] as const))(
		'says what to supply for %s',
		(_name, property) => {
			expect(property.description).toMatch(/\w+( \S+){2,}/);
			expect(property.description).not.toBe(property.displayName);
		},
	);

	test('offers four operations of one hidden resource', () => {
		const find = (name: string) => description.properties.find((property) => property.name === name);
		expect(find('resource')).toMatchObject({ type: 'hidden', default: 'appointment' });
		expect(
			find('operation')?.options?.map((option) => [option.name, 'action' in option && option.action]),
		).toEqual([
			['Create or Update', 'Create or update appointment'],
			['Update', 'Update appointment'],
			['Delete', 'Delete appointment'],
			['Match Conversation', 'Match conversation'],
		]);
	});

	test('starts the mapping with only the required fields, because the editor does not mark them', () => {
		const mappers = description.properties.flatMap(({ typeOptions }) => typeOptions?.resourceMapper ?? []);
		expect(mappers.map(({ mode, addAllFields }) => [mode, addAllFields])).toEqual(
			Array(4).fill(['add', false]),
		);
	});

	describe('shows in the panel', () => {
		const shown = (operation: string, mappingMode: string) =>
			description.properties.filter((property) =>
				NodeHelpers.displayParameter(
					{ resource: 'appointment', operation, columns: { mappingMode } },
					property,
					null,
					description,
				),
			);
		const noticesOf = (operation: string, mappingMode: string) =>
			shown(operation, mappingMode).flatMap(({ type, displayName }) =>
				type === 'notice' ? displayName : [],
			);

		test.each(
			['upsert', 'update', 'delete', 'match'].flatMap((operation) =>
				['defineBelow', 'autoMapInputData'].map((mappingMode) => [operation, mappingMode]),
			),
		)('one notice at most, and few parameters, for %s with %s', (operation, mappingMode) => {
			expect(noticesOf(operation, mappingMode).length).toBeLessThanOrEqual(1);
			// Resource (hidden), Operation, Fields, for tools and not, a notice, Options.
			expect(shown(operation, mappingMode).length).toBeLessThanOrEqual(6);
		});

		test.each(['upsert', 'update'])(
			'every column that automatic mapping reads, for %s',
			async (operation) => {
				const [notice] = noticesOf(operation, 'autoMapInputData');
				const columns = APPOINTMENT_FIELDS.map(({ id }) => id);
				expect(notice).toMatch(new RegExp(`^Columns: ${columns.join(', ')}\\. `));
				expect(noticesOf(operation, 'defineBelow')).toEqual([notice.replace(/^.*?\. /, '')]);
			},
		);
	});

	test('is found by what people call an appointment', () => {
		expect(codex.alias).toEqual(
			expect.arrayContaining(['Appointment', 'Booking', 'Calendar', 'CRM', 'Event', 'Meeting']),
		);
	});
});
