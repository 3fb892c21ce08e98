import { UserError, type INodeProperties } from 'n8n-workflow';
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
	test.each<[INodeProperties, Array<[given: unknown, read?: unknown]>]>([
		[gzip, [[true], [false]]],
		[output, [['simplified']]],
		[limit, [[1], [50], [' 17 ', 17]]],
		[rate, [[1e9], [0.5]]],
		[offset, [[-1e9], [' -12.25', -12.25]]],
		[fileName, [[' a b ', 'a b'], ['']]],
		[events, [[['raw', 'simplified']], [[]], ['raw', ['raw']]]],
		// The service lists the choices, and dates have a reader of their own.
		[users, [[['a@x']]]],
		[fromDate, [[5]]],
	])('of %j is read as entered, text without outer spaces, numbers also as text', (property, values) => {
		for (const [given, read = given] of values) expect(typedValue(given, property)).toEqual(read);
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
		const { displayName: field } = property;
		for (const value of values) {
			const read = () => typedValue(value, property);
			expect(read).toThrow(UserError);
			expect(read).toThrow(`${field} must be ${rule} (it is `);
		}
		const message = `The expression for ${field} returned nothing`;
		const description = 'Enter a valid value, or correct the expression that returns it.';
		const empty = { message, description, details: { code: 'expression_empty', retryable: false, field } };
		expect(() => typedValue(undefined, property)).toThrow(expect.objectContaining(empty));
	});
});

test('an option has the type of its description and its own value, or what happens without it', () => {
	// The compiler verifies these annotations.
	const flag: boolean = optionOf({ gzip: true }, { ...gzip, default: true, without: false });
	const choice: 'raw' | 'simplified' | undefined = optionOf({}, { ...output, without: undefined });
	const choices: Array<'raw' | 'simplified'> | null = optionOf(
		{ events: ['raw'] },
		{ ...events, without: null },
	);
	const count: number = optionOf({}, { ...limit, without: Infinity });
	const text: string = optionOf({ fileName: ' a ' }, { ...fileName, without: '' });
	expect([flag, choice, choices, count, text]).toEqual([true, undefined, ['raw'], Infinity, 'a']);
	const unzipped = { ...gzip, without: false };
	for (const gone of [null, undefined]) expect(() => optionOf({ gzip: gone }, unzipped)).toThrow('Gzip');
	expect(optionOf(Object.create({ gzip: true }) as never, unzipped)).toBe(false);
});
