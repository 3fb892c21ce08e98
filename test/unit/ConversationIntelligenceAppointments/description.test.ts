import type { INodeProperties, INodePropertyCollection, INodePropertyOptions } from 'n8n-workflow';
import codex from '../../../nodes/ConversationIntelligenceAppointments/ConversationIntelligenceAppointments.node.json';
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

	test('lets an AI agent use the node as a tool', () => {
		expect(description.usableAsTool).toBe(true);
	});

	test.each(explained.map((property) => [property.name, property] as const))(
		'says what to supply for %s',
		(_name, property) => {
			expect(property.description).toMatch(/\w+( \S+){2,}/);
			expect(property.description).not.toBe(property.displayName);
		},
	);

	test('offers four operations of one hidden resource', () => {
		const find = (name: string) => description.properties.find((property) => property.name === name);
		expect([find('resource')?.type, find('resource')?.default]).toEqual(['hidden', 'appointment']);
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

	test('is found by what people call an appointment', () => {
		expect(codex.alias).toEqual(
			expect.arrayContaining(['Appointment', 'Booking', 'Calendar', 'CRM', 'Event', 'Meeting']),
		);
	});
});
