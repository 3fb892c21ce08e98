import * as fc from 'fast-check';
import { DateTime } from 'luxon';
import type { IExecuteFunctions } from 'n8n-workflow';
import { Item } from '../../../../nodes/shared/node/item';
import { readDateRange } from '../../../../nodes/ConversationIntelligence/getMany/dateRange';

const ZONES = [
	'UTC',
	'Europe/Berlin',
	'America/St_Johns',
	'Pacific/Apia',
	'Pacific/Kiritimati',
	'America/Havana',
];

/** The range that the node reads from its two fields, in a workflow of that time zone. */
function rangeOf(fromDate: unknown, toDate: unknown, zone: string) {
	return read({ dateRange: 'custom', fromDate, toDate }, zone);
}

function read(parameters: Record<string, unknown>, zone: string) {
	const context = {
		getTimezone: () => zone,
		getNode: () => ({ type: 'node', parameters }),
		getNodeParameter: (name: string) => parameters[name],
	};
	return readDateRange(new Item(context as unknown as IExecuteFunctions, 0));
}

describe('A To Date', () => {
	afterEach(() => jest.useRealTimers());

	test('that is empty means now', () => {
		jest.useFakeTimers({ now: Date.parse('2026-03-01T12:00:00Z') });
		expect(rangeOf('1999-01-01', '', 'UTC').toDate).toBe('2026-03-01T12:00:00.000Z');
	});

	test.each([null, undefined])('that is %p, as from a misspelt field, is refused', (toDate) => {
		const refused = { details: { code: 'expression_empty', retryable: false, field: 'To Date' } };
		expect(() => rangeOf('1999-01-01', toDate, 'UTC')).toThrow(expect.objectContaining(refused) as Error);
	});

	test("without a time means the last millisecond of that day in the workflow's time zone", () => {
		const day = fc.date({ min: new Date('2000-01-01'), max: new Date('2040-01-01'), noInvalidDate: true });
		fc.assert(
			fc.property(day, fc.constantFrom(...ZONES), (date, zone) => {
				const text = date.toISOString().slice(0, 10);
				const { toDate } = rangeOf('1999-01-01', text, zone);
				const last = DateTime.fromISO(toDate, { zone });
				expect(last.toISODate()).toBe(text);
				expect(last.plus(1).toISODate()).not.toBe(text);
			}),
		);
	});

	test.each([
		['2026-03-31', '2026-03-31T21:59:59.999Z'],
		[' 20260331 ', '2026-03-31T21:59:59.999Z'],
		['2026-090', '2026-03-31T21:59:59.999Z'],
		['2026090', '2026-03-31T21:59:59.999Z'],
		['2026-W14-2', '2026-03-31T21:59:59.999Z'],
		['2026W142', '2026-03-31T21:59:59.999Z'],
		['2026-03', '2026-03-31T21:59:59.999Z'],
		['2026-W13', '2026-03-29T21:59:59.999Z'],
		['2026W13', '2026-03-29T21:59:59.999Z'],
	])('of %p ends at %s in Berlin', (value, expected) => {
		expect(rangeOf('2026-01-01', value, 'Europe/Berlin').toDate).toBe(expected);
	});

	test.each([
		['2026-03-31T00:00:00', '2026-03-30T22:00:00.000Z'],
		['2026-03-31 00:00', '2026-03-30T22:00:00.000Z'],
		// In winter time.
		['2026-03-28T00:00', '2026-03-27T23:00:00.000Z'],
		['2026-03-31T00:00:00Z', '2026-03-31T00:00:00.000Z'],
		['2026-03-31T08:30:00+05:30', '2026-03-31T03:00:00.000Z'],
		// As SQL Server and .NET write it: its last seven digits look like a year and a day.
		['2026-03-31T08:30:00.2026001', '2026-03-31T06:30:00.202Z'],
		[new Date('2026-03-31T00:00:00Z'), '2026-03-31T00:00:00.000Z'],
		[Date.UTC(2026, 2, 31), '2026-03-31T00:00:00.000Z'],
		[DateTime.fromISO('2026-03-31', { zone: 'Asia/Tokyo' }), '2026-03-30T15:00:00.000Z'],
	])('with a time keeps it: %p', (value, expected) => {
		expect(rangeOf('2026-01-01', value, 'Europe/Berlin').toDate).toBe(expected);
	});
});

test('a From Date without a time means the start of that day, so one day is a range', () => {
	expect(rangeOf('2026-03-31', '2026-03-31', 'Europe/Berlin')).toEqual({
		fromDate: '2026-03-30T22:00:00.000Z',
		toDate: '2026-03-31T21:59:59.999Z',
	});
});

// D1-EXPBODY-02, D1-TEAMBODY-02, D1-USERBODY-02
test("a range that ends before it starts is refused, with both times in the workflow's time zone", () => {
	expect(() => rangeOf('2026-03-31T10:00:00', '2026-03-31T07:59:00Z', 'Europe/Berlin')).toThrow(
		expect.objectContaining({
			message: 'To Date (2026-03-31T09:59:00+02:00) must be after From Date (2026-03-31T10:00:00+02:00)',
			description: 'Swap the two or widen the range. Nothing was requested.',
			details: { code: 'range_reversed', retryable: false, field: 'To Date' },
		}),
	);
});

test('a range that ends when it starts is refused', () => {
	expect(() => rangeOf('2026-03-31T10:00Z', '2026-03-31T12:00', 'Europe/Berlin')).toThrow(/^To Date .* must/);
});

test.each(['tomorrow', ['today'], null])('refuses %j as a Date Range', (dateRange) => {
	expect(() => read({ dateRange }, 'UTC')).toThrow(
		new RegExp(
			`^Date Range must be one of .+ \\(it is ${(JSON.stringify(dateRange ?? undefined) ?? 'empty').replace(/[[\]]/g, '\\$&')}\\)$`,
		),
	);
});

test.each([
	...[20260331, '12', '0830', '2026', '1772354000', 'tomorrow', '2026-02-30', {}, [], true, '2026-13'],
	'2026-13-01T00:00',
])('refuses %p as a From Date and as a To Date', (value) => {
	expect(() => rangeOf(value, '2040-01-01', 'UTC')).toThrow(/^From Date must /);
	expect(() => rangeOf('2026-01-01', value, 'UTC')).toThrow(/^To Date must /);
});
