import fc from 'fast-check';
import { UserError, type INodeProperties } from 'n8n-workflow';
import { appointment } from '../../../nodes/ConversationIntelligenceAppointments/resources/appointment';
import { readId } from '../../../nodes/ConversationIntelligenceAppointments/mapping/values';
import { optionOf } from '../../../nodes/shared/node/parameters';

const options = appointment.operations.flatMap(
	({ properties }) => (properties.find(({ name }) => name === 'options')?.options ?? []) as INodeProperties[],
);

/** Values that expressions, people and models write for options. */
const value = fc.oneof(
	fc.jsonValue(),
	fc.constantFrom('true', '5', '5/s', -1, 0, 0.5, 20, 51, 'Europe/Berlin', 'type', ['type', 'price'], []),
);

/** Whether a value means what the panel says about the option. */
function isMeant({ type, typeOptions, options: choices = [] }: INodeProperties, read: unknown): boolean {
	if (type === 'boolean') return typeof read === 'boolean';
	if (type === 'string') return typeof read === 'string';
	const { minValue = -Infinity, maxValue = Infinity, numberPrecision } = typeOptions ?? {};
	if (type === 'number') {
		const isNumber = numberPrecision === 0 ? Number.isInteger(read) : Number.isFinite(read);
		return isNumber && Number(read) >= minValue && Number(read) <= maxValue;
	}
	const known = choices.map((choice) => 'value' in choice && choice.value);
	return Array.isArray(read) && read.every((one) => known.includes(one));
}

test('any value of any option either means what the panel says or is refused by its label', () => {
	expect(options.length).toBeGreaterThan(8);
	fc.assert(
		fc.property(fc.constantFrom(...options), value, (option, given) => {
			let read: unknown;
			try {
				read = optionOf({ [option.name]: given as string }, option);
			} catch (error) {
				expect(error).toBeInstanceOf(UserError);
				expect((error as Error).message).toMatch(new RegExp(`^${option.displayName} must be `));
				return;
			}
			expect(isMeant(option, read)).toBe(true);
		}),
		{ numRuns: 2000 },
	);
	for (const option of options) expect(isMeant(option, optionOf({}, option))).toBe(true);
});

test('any value is an ID exactly as it is written, or is refused by its label', () => {
	const written = fc.oneof(
		fc.jsonValue(),
		fc.string({ unit: 'binary' }),
		fc.double(),
		fc.maxSafeInteger(),
		fc.constantFrom(undefined, 'undefined', ' null', 'NaN', '[object Object]', 2 ** 53, -(2 ** 53)),
	);
	fc.assert(
		fc.property(written, (given) => {
			let id: string;
			try {
				id = readId(given, 'Event ID');
			} catch (error) {
				expect((error as Error).message).toMatch(
					/^(Event ID must be an ID \(it is |The expression for Event ID returned nothing$)/,
				);
				const isText = typeof given === 'string' && /[^\s]/.test(given);
				if (isText) expect(given).toMatch(/undefined|null|nan|\[object/i);
				else expect(Number.isSafeInteger(given)).toBe(false);
				return;
			}
			expect(id).toBe(typeof given === 'number' ? given.toFixed(0) : given);
			expect(id.trim()).not.toBe('');
		}),
		{ numRuns: 2000 },
	);
});
