import { UserError, type INodeProperties } from 'n8n-workflow';
import { ConversationIntelligence } from '../../../../nodes/ConversationIntelligence/ConversationIntelligence.node';
import { APPOINTMENT_FIELDS } from '../../../../nodes/ConversationIntelligenceAppointments/mapping/fields';
import { ConversationIntelligenceAppointments } from '../../../../nodes/ConversationIntelligenceAppointments/ConversationIntelligenceAppointments.node';
import { ConversationIntelligencePollTrigger } from '../../../../nodes/ConversationIntelligencePollTrigger/ConversationIntelligencePollTrigger.node';
import { ConversationIntelligenceTrigger } from '../../../../nodes/ConversationIntelligenceTrigger/ConversationIntelligenceTrigger.node';
import { typedValue } from '../../../../nodes/shared/node/parameters';

/** What n8n's toast shows of a refused value: the rule and the value, or that there is none. */
const STATES_A_RULE =
	/^(.+ must (be|have|happen|not) .+\(it is .+\)|.+ must not be .+, which is written in place of a missing value|The expression for .+ returned nothing|Attendee ".*" is not an email address)$/s;

const WRONG = [undefined, null, '', ' ', 'wrong', -5, 0.5, NaN, true, [], ['wrong'], {}, { wrong: 1 }];

const TYPED = ['boolean', 'number', 'string', 'options', 'multiOptions'];

/** The parameters that a user fills in, those of collections included. */
function parametersOf(properties: INodeProperties[]): INodeProperties[] {
	return properties.flatMap((property) => {
		const nested = (property.options ?? []).filter((option): option is INodeProperties => 'type' in option);
		return TYPED.includes(property.type) ? [property] : parametersOf(nested);
	});
}

function headlinesOf(read: (value: unknown) => unknown): string[] {
	return WRONG.flatMap((value) => {
		try {
			read(value);
			return [];
		} catch (error) {
			if (!(error instanceof UserError)) throw error;
			return [error.message];
		}
	});
}

describe.each([
	new ConversationIntelligence(),
	new ConversationIntelligenceAppointments(),
	new ConversationIntelligenceTrigger(),
	new ConversationIntelligencePollTrigger(),
])('$description.displayName', ({ description }) => {
	const parameters = parametersOf(description.properties);

	test.each(parameters.map((property) => [property.displayName, property.name, property] as const))(
		'states the rule of %s (%s) for every wrong value',
		(label, _name, property) => {
			const headlines = headlinesOf((value) => typedValue(value, property));
			expect(headlines).not.toEqual([]);
			for (const headline of headlines) {
				expect(headline).toMatch(STATES_A_RULE);
				expect(headline).toContain(label);
			}
		},
	);
});

test.each(APPOINTMENT_FIELDS.map(({ id, displayName, read }) => [displayName, id, read] as const))(
	'the field %s (%s) of an appointment states its rule for every wrong value',
	(label, _id, read) => {
		const headlines = headlinesOf((value) => read(value, label, 'UTC'));
		expect(headlines).not.toEqual([]);
		for (const headline of headlines) expect(headline).toMatch(STATES_A_RULE);
	},
);
