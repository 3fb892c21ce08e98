import fc from 'fast-check';
import { UserError, type INodeProperties } from 'n8n-workflow';
import { entryOf, optionOf, refusedValue, typedValue } from '../../../../nodes/shared/node/parameters';

const gzip = {
	displayName: 'Gzip',
	name: 'gzip',
	type: 'boolean',
	default: true,
} as const satisfies INodeProperties;
const fileName = {
	displayName: 'File Name',
	name: 'fileName',
	type: 'string',
	default: 'data',
} as const satisfies INodeProperties;
const output = {
	displayName: 'Output',
	name: 'output',
	type: 'options',
	options: [
		{ name: 'Raw', value: 'raw' },
		{ name: 'Simplified', value: 'simplified' },
	],
	default: 'raw',
} as const satisfies INodeProperties;
const events = {
	displayName: 'Events',
	name: 'events',
	type: 'multiOptions',
	options: output.options,
	default: [],
} as const satisfies INodeProperties;
const users = {
	displayName: 'Users',
	name: 'users',
	type: 'multiOptions',
	typeOptions: { loadOptionsMethod: 'getUsers' },
	default: [],
} as const satisfies INodeProperties;
const limit = {
	displayName: 'Limit',
	name: 'limit',
	type: 'number',
	typeOptions: { minValue: 1, maxValue: 50, numberPrecision: 0 },
	default: 20,
} as const satisfies INodeProperties;
const rate = {
	displayName: 'Rate',
	name: 'rate',
	type: 'number',
	typeOptions: { minValue: 0 },
	default: 0,
} as const satisfies INodeProperties;
const offset = {
	displayName: 'Offset',
	name: 'offset',
	type: 'number',
	typeOptions: { maxValue: 5 },
	default: 0,
} as const satisfies INodeProperties;
const fromDate = {
	displayName: 'From Date',
	name: 'fromDate',
	type: 'dateTime',
	default: '',
} as const satisfies INodeProperties;

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

	test.each<[string, INodeProperties, unknown, string]>([
		['text as a boolean', gzip, 'true', 'Gzip must be true or false (it is "true")'],
		['null as a boolean', gzip, null, 'Gzip must be true or false (it is empty)'],
		['an unknown choice', output, 'Raw', 'Output must be one of raw, simplified (it is "Raw")'],
		['a number below the least', limit, 0, 'Limit must be a whole number from 1 to 50 (it is 0)'],
		['a number above the maximum', limit, 51, 'Limit must be a whole number from 1 to 50 (it is 51)'],
		['a fraction', limit, 1.5, 'Limit must be a whole number from 1 to 50 (it is 1.5)'],
		['Infinity', rate, Infinity, 'Rate must be a number from 0 (it is Infinity)'],
		['no number', rate, NaN, 'Rate must be a number from 0 (it is NaN)'],
		['a negative number', rate, -5, 'Rate must be a number from 0 (it is -5)'],
		['a number above its only bound', offset, 6, 'Offset must be a number to 5 (it is 6)'],
		['blank text, where zero is allowed', rate, ' ', 'Rate must be a number from 0 (it is empty)'],
		['a number with a unit', rate, '5/s', 'Rate must be a number from 0 (it is "5/s")'],
		['a hexadecimal number', rate, '0x10', 'Rate must be a number from 0 (it is "0x10")'],
		['a list as a number', rate, [7], 'Rate must be a number from 0 (it is [7])'],
		['true as a number', rate, true, 'Rate must be a number from 0 (it is true)'],
		['a number as text', fileName, 5, 'File Name must be text (it is 5)'],
		[
			'an unknown choice in a list',
			events,
			['raw', 'x'],
			'Events must be a list of raw, simplified (it is ["raw","x"])',
		],
		['an object as a list', events, {}, 'Events must be a list of raw, simplified (it is {})'],
		['blank text in a list', users, [' '], 'Users must be a list of text (it is [" "])'],
		['a number in a list', users, [1], 'Users must be a list of text (it is [1])'],
	])('is refused if it is %s', (_name, property, value, message) => {
		const read = () => typedValue(value, property);
		expect(read).toThrow(UserError);
		expect(read).toThrow(expect.objectContaining({ message }));
	});

	test.each(PROPERTIES)('of an expression that returned nothing is refused: $type', (property) => {
		expect(() => typedValue(undefined, property)).toThrow(
			expect.objectContaining({
				message: `The expression for ${property.displayName} returned nothing`,
				description: 'Correct the expression, or enter a fixed value.',
			}),
		);
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
		const { message } = refusedValue({ label: 'Name', rule: 'short', value: 'x'.repeat(length) });
		expect(message).toBe(`Name must be short (it is "${shown}${end})`);
	});
});

test('a refused value shows no query of a link', () => {
	const value = ['https://r.example.net/a.mp3?sv=2022&sig=5ec7e7'];
	const { message } = refusedValue({ label: 'Media URL', rule: 'text', value });
	expect(message).toBe('Media URL must be text (it is ["https://r.example.net/a.mp3?…"])');
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
