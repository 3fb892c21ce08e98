import type { INodeProperties, INodePropertyCollection, INodePropertyOptions } from 'n8n-workflow';
import { ConversationIntelligenceAppointments } from '../../../nodes/ConversationIntelligenceAppointments/ConversationIntelligenceAppointments.node';

const isProperty = (
	option: INodePropertyOptions | INodePropertyCollection | INodeProperties,
): option is INodeProperties => 'type' in option;

/** Every parameter, those inside collections too. */
function parameters(properties: INodeProperties[]): INodeProperties[] {
	return properties.flatMap((property) => [
		property,
		...(property.options ?? []).flatMap((option) => {
			if ('values' in option) return parameters(option.values);
			return isProperty(option) ? parameters([option]) : [];
		}),
	]);
}

describe('the description of Conversation Intelligence Appointments, which a language model reads too', () => {
	const { description } = new ConversationIntelligenceAppointments();
	const explained = parameters(description.properties).filter(
		({ type, name }) => !['notice', 'hidden', 'collection'].includes(type) && name !== 'operation',
	);

	test('the node can be used as a tool', () => {
		expect(description.usableAsTool).toBe(true);
	});

	test.each(explained.map((property) => [property.name, property] as const))(
		'parameter %s says what to supply',
		(_name, property) => {
			expect(property.description?.length ?? 0).toBeGreaterThan(20);
		},
	);

	test('offers four operations of one resource, which is not asked for', () => {
		const find = (name: string) => description.properties.find((property) => property.name === name);
		expect(find('resource')).toMatchObject({ type: 'hidden', default: 'appointment' });
		expect(find('operation')?.options?.map(({ name }) => name)).toEqual([
			'Create or Update',
			'Update',
			'Delete',
			'Match Conversation',
		]);
	});
});
