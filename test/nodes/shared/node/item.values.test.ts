import { UserError, type INodeProperties } from 'n8n-workflow';
import { refusedValue, VALUE_ERRORS } from '../../../../nodes/shared/base/errors';
import { optionOf, typedValue } from '../../../../nodes/shared/node/item';

const gzip = { displayName: 'Gzip', name: 'gzip', type: 'boolean', default: true } as const;
const fileName = { displayName: 'File Name', name: 'fileName', type: 'string', default: 'data' } as const;
const output = {
	...{ displayName: 'Output', name: 'output', type: 'options', default: 'raw' },
	options: [
		{ name: 'Raw', value: 'raw' },
		{ name: 'Simplified', value: 'simplified' },
	],
} as const satisfies INodeProperties;
const events = {
	...{ displayName: 'Events', name: 'events', type: 'multiOptions', default: [] },
	options: output.options,
} as const satisfies INodeProperties;
const users = {
	...{ displayName: 'Users', name: 'users', type: 'multiOptions', default: [] },
	typeOptions: { loadOptionsMethod: 'getUsers' },
} as const satisfies INodeProperties;
const number = { displayName: 'Number', name: 'number', type: 'number', default: 20 } as const;
const limit = { ...number, typeOptions: { minValue: 1, maxValue: 50, numberPrecision: 0 } };
const rate = { ...number, typeOptions: { minValue: 0 } };
const offset = { ...number, typeOptions: { maxValue: 5 } };
const fromDate = { displayName: 'From Date', name: 'fromDate', type: 'dateTime', default: '' } as const;

describe('A value', () => {
	test.each<[string, INodeProperties, unknown, unknown?]>([
		['true', gzip, true],
		['false', gzip, false],
		['a choice', output, 'simplified'],
		['the least number', limit, 1],
		['the largest number', limit, 50],
		['a large number without a maximum', rate, 1e9],
		['a small number without a minimum', offset, -1e9],
		['a fraction', rate, 0.5],
		['a number as text', limit, ' 17 ', 17],
		['a fraction as text', offset, ' -12.25', -12.25],
		['text without outer spaces', fileName, ' a b ', 'a b'],
		['empty text', fileName, ''],
		['a list of choices', events, ['raw', 'simplified']],
		['an empty list', events, []],
		['one choice instead of a list', events, 'raw', ['raw']],
		['any text, where the service lists the choices', users, ['a@x']],
		['anything, where the type has its own reader', fromDate, 5],
	])('can be %s', (_name, property, given, read = given) => {
		expect(typedValue(given, property)).toEqual(read);
	});

	test.each<[string, INodeProperties, unknown[]]>([
		['true or false', gzip, ['true', 1, null]],
		['text', fileName, [5, {}]],
		['one of raw, simplified', output, ['Raw', ['raw']]],
		['a list of raw, simplified', events, [['raw', 'x'], {}]],
		['a list of text', users, [[' '], [1]]],
		['a whole number from 1 to 50', limit, [0, 51, 1.5]],
		['a number from 0', rate, [Infinity, NaN, -5, ' ', '5/s', '0x10', [7], true]],
		['a number to 5', offset, [6]],
	])('is refused unless it is %s, by its label', (rule, property, values) => {
		for (const value of values) {
			const read = () => typedValue(value, property);
			expect(read).toThrow(UserError);
			expect(read).toThrow(`${property.displayName} must be ${rule} (it is `);
		}
		const message = `The expression for ${property.displayName} returned nothing`;
		const description = 'Correct the expression, or enter a fixed value.';
		const details = { code: 'expression_empty', retryable: false, field: property.displayName };
		const empty = expect.objectContaining({ message, description, details });
		expect(() => typedValue(undefined, property)).toThrow(empty);
	});

	test.each([
		[null, 'empty'],
		[' ', 'empty'],
		['a "b"', '"a \\"b\\""'],
		[[7], '[7]'],
		[{}, '{}'],
		[NaN, 'NaN'],
		[['https://r.example.net/a.mp3?sv=2022&sig=5ec7e7'], '["https://r.example.net/a.mp3?…"]'],
		['x'.repeat(98), `"${'x'.repeat(98)}"`],
		['x'.repeat(99), `"${'x'.repeat(99)}…`],
	])('%j is quoted as %s, in a hundred characters at most', (value, shown) => {
		const refused = { field: 'Name', rule: 'short', value };
		const { message, details } = refusedValue(VALUE_ERRORS, 'value_invalid', refused);
		expect(message).toBe(`Name must be short (it is ${shown})`);
		expect(details).toEqual({ code: 'value_invalid', retryable: false, field: 'Name' });
	});
});

test('an option has the type of its description and its own value, or the default if the user did not add it', () => {
	// The compiler verifies these annotations.
	const flag: boolean = optionOf({ gzip: false }, gzip);
	const choice: 'raw' | 'simplified' = optionOf({}, output);
	const choices: Array<'raw' | 'simplified'> = optionOf({}, events);
	const names: string[] = optionOf({}, users);
	const count: number = optionOf({}, limit);
	const text: string = optionOf({}, fileName);
	expect([flag, choice, choices, names, count, text]).toEqual([false, 'raw', [], [], 20, 'data']);
	for (const gone of [null, undefined]) expect(() => optionOf({ gzip: gone }, gzip)).toThrow('Gzip');
	expect(optionOf(Object.create({ gzip: false }) as never, gzip)).toBe(true);
});
