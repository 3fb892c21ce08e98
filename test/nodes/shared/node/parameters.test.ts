import fc from 'fast-check';
import { UserError, type INodeProperties } from 'n8n-workflow';
import { PARAMETER_ERRORS } from '../../../../nodes/shared/node/errors';
import { entryOf, optionOf, refusedValue, typedValue } from '../../../../nodes/shared/node/parameters';

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
const limit = {
	...{ displayName: 'Limit', name: 'limit', type: 'number', default: 20 },
	typeOptions: { minValue: 1, maxValue: 50, numberPrecision: 0 },
} as const satisfies INodeProperties;
const rate = {
	...{ displayName: 'Rate', name: 'rate', type: 'number', default: 0 },
	typeOptions: { minValue: 0 },
} as const satisfies INodeProperties;
const offset = {
	...{ displayName: 'Offset', name: 'offset', type: 'number', default: 0 },
	typeOptions: { maxValue: 5 },
} as const satisfies INodeProperties;
const fromDate = { displayName: 'From Date', name: 'fromDate', type: 'dateTime', default: '' } as const;

const refusal = (value: unknown) =>
	refusedValue(PARAMETER_ERRORS, 'value_invalid', { field: 'Name', rule: 'text', value }).message;

const PROPERTIES = [gzip, fileName, output, events, users, limit, rate, offset, fromDate];

describe('A value', () => {
	test.each<[string, unknown, unknown]>([
		['true', typedValue(true, gzip), true],
		['false', typedValue(false, gzip), false],
		['a choice', typedValue('simplified', output), 'simplified'],
		['the least number', typedValue(1, limit), 1],
		['the largest number', typedValue(50, limit), 50],
		['a large number without a maximum', typedValue(1e9, rate), 1e9],
		['a small number without a minimum', typedValue(-1e9, offset), -1e9],
		['a fraction', typedValue(0.5, rate), 0.5],
		['a number as text', typedValue(' 7 ', limit), 7],
		['a fraction as text', typedValue('2.5', rate), 2.5],
		['text without outer spaces', typedValue(' a b ', fileName), 'a b'],
		['empty text', typedValue('', fileName), ''],
		['a list of choices', typedValue(['raw', 'simplified'], events), ['raw', 'simplified']],
		['an empty list', typedValue([], events), []],
		['one choice instead of a list', typedValue('raw', events), ['raw']],
		['any text, where the service lists the choices', typedValue(['a@x'], users), ['a@x']],
		['anything, where the type has its own reader', typedValue(5, fromDate), 5],
	])('can be %s', (_name, value, expected) => {
		expect(value).toEqual(expected);
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
	});

	test.each([
		[null, 'empty'],
		[' ', 'empty'],
		['a "b"', '"a \\"b\\""'],
		[[7], '[7]'],
		[{}, '{}'],
		[NaN, 'NaN'],
	])('%p is quoted as %s', (value, shown) => {
		expect(refusal(value)).toBe(`Name must be text (it is ${shown})`);
	});

	test.each(PROPERTIES)('of an expression that returned nothing is refused: $type', (property) => {
		const details = { code: 'expression_empty', retryable: false, field: property.displayName };
		expect(() => typedValue(undefined, property)).toThrow(expect.objectContaining({ details }));
	});

	test('has the type and obeys the rule of its description, or is refused by its label', () => {
		const isListOf = (isOne: (one: unknown) => boolean) => (value: unknown) =>
			Array.isArray(value) && value.every(isOne);
		const isChoice = (value: unknown) => value === 'raw' || value === 'simplified';
		const isValid: Array<[INodeProperties, (value: unknown) => boolean]> = [
			[gzip, (value) => typeof value === 'boolean'],
			[fileName, (value) => typeof value === 'string'],
			[output, isChoice],
			[events, isListOf(isChoice)],
			[users, isListOf((one) => typeof one === 'string' && one.trim() !== '')],
			[limit, (value) => Number.isInteger(value) && Number(value) >= 1 && Number(value) <= 50],
			[rate, (value) => Number.isFinite(value) && Number(value) >= 0],
		];
		const value = fc.oneof(
			fc.jsonValue(),
			fc.constantFrom('raw', ['simplified'], 'true', '5', '-1', ' 0 '),
			fc.integer({ min: -2, max: 60 }),
		);
		fc.assert(
			fc.property(fc.constantFrom(...isValid), value, ([property, isOfType], given) => {
				try {
					expect(isOfType(typedValue(given, property))).toBe(true);
				} catch (error) {
					if (!(error instanceof UserError)) throw error;
					expect(error.message).toMatch(new RegExp(`^${property.displayName} must be `));
				}
			}),
		);
	});

	test.each([
		[98, 'x'.repeat(98), '"'],
		[99, 'x'.repeat(99), '…'],
		[500, 'x'.repeat(99), '…'],
	])('of %i characters is quoted up to a hundred, quotes included', (length, shown, end) => {
		expect(refusal('x'.repeat(length))).toBe(`Name must be text (it is "${shown}${end})`);
	});
});

test('a refused value shows no query of a link', () => {
	const value = ['https://r.example.net/a.mp3?sv=2022&sig=5ec7e7'];
	expect(refusal(value)).toBe('Name must be text (it is ["https://r.example.net/a.mp3?…"])');
});

describe('An option', () => {
	test('has the type of its description and its own value, or the default if the user did not add it', () => {
		// The compiler verifies these annotations.
		const flag: boolean = optionOf({ gzip: false }, gzip);
		const choice: 'raw' | 'simplified' = optionOf({}, output);
		const choices: Array<'raw' | 'simplified'> = optionOf({}, events);
		const names: string[] = optionOf({}, users);
		const number: number = optionOf({}, limit);
		const text: string = optionOf({}, fileName);
		expect({ flag, choice, choices, names, number, text }).toEqual({
			flag: false,
			choice: 'raw',
			choices: [],
			names: [],
			number: 20,
			text: 'data',
		});
	});
});

describe('An entry of a collection', () => {
	test.each([
		['its value', { a: 1 }, 1],
		['its value, even null', { a: null }, null],
		['its value, even undefined', { a: undefined }, undefined],
		['the fallback if it was not added', {}, 'fallback'],
	])('is %s', (_name, collection, expected) => {
		expect(entryOf(collection, 'a', 'fallback')).toBe(expected);
	});

	test('is not what every object inherits', () => {
		expect(entryOf({}, 'constructor', 'fallback')).toBe('fallback');
	});
});
