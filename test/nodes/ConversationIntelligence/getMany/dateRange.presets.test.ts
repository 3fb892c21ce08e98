import * as fc from 'fast-check';
import { DateTime, Settings } from 'luxon';
import { PRESETS, presetRange } from '../../../../nodes/ConversationIntelligence/getMany/dateRange';
import { toAppointmentTime, toUtcTimestamp } from '../../../../nodes/shared/base/time';

const BERLIN = 'Europe/Berlin';
const at = (iso: string) => Date.parse(iso);
const range = (preset: string, now: string, zone = BERLIN) => {
	const { fromDate, toDate } = presetRange(PRESETS[preset], at(now), zone);
	return [fromDate, toDate];
};

describe('Date presets', () => {
	// A Wednesday, 10:00 in Berlin.
	const now = '2026-05-13T08:00:00Z';

	test.each<[string, string, string]>([
		['today', '2026-05-12T22:00:00.000Z', '2026-05-13T08:00:00.000Z'],
		['yesterday', '2026-05-11T22:00:00.000Z', '2026-05-12T21:59:59.999Z'],
		['last7Days', '2026-05-06T08:00:00.000Z', '2026-05-13T08:00:00.000Z'],
		['last30Days', '2026-04-13T08:00:00.000Z', '2026-05-13T08:00:00.000Z'],
		// Across the change to summer time: the same time of day, in winter time.
		['last90Days', '2026-02-12T09:00:00.000Z', '2026-05-13T08:00:00.000Z'],
		['last180Days', '2025-11-14T09:00:00.000Z', '2026-05-13T08:00:00.000Z'],
		['last365Days', '2025-05-13T08:00:00.000Z', '2026-05-13T08:00:00.000Z'],
		['thisWeek', '2026-05-10T22:00:00.000Z', '2026-05-13T08:00:00.000Z'],
		['lastWeek', '2026-05-03T22:00:00.000Z', '2026-05-10T21:59:59.999Z'],
		['thisMonth', '2026-04-30T22:00:00.000Z', '2026-05-13T08:00:00.000Z'],
		['lastMonth', '2026-03-31T22:00:00.000Z', '2026-04-30T21:59:59.999Z'],
		['weekBeforeLast', '2026-04-26T22:00:00.000Z', '2026-05-03T21:59:59.999Z'],
		['monthBeforeLast', '2026-02-28T23:00:00.000Z', '2026-03-31T21:59:59.999Z'],
	])('compute %s on a Wednesday in Berlin', (preset, from, to) => {
		expect(range(preset, now)).toEqual([from, to]);
	});

	test.each<[string, string, string, string, string]>([
		[
			'yesterday',
			'Atlantic/Azores',
			'2026-10-26T13:00:00Z',
			'2026-10-25T00:00:00.000Z',
			'2026-10-26T00:59:59.999Z',
		],
		[
			'lastMonth',
			'America/Havana',
			'2026-11-02T18:00:00Z',
			'2026-10-01T04:00:00.000Z',
			'2026-11-01T03:59:59.999Z',
		],
	])('begin %s in %s with the first of two midnights', (preset, zone, moment, from, to) => {
		expect(range(preset, moment, zone)).toEqual([from, to]);
	});

	test('make yesterday 23 hours long when summer time begins, and 25 when it ends', () => {
		expect(range('yesterday', '2026-03-30T08:00:00Z')).toEqual([
			'2026-03-28T23:00:00.000Z',
			'2026-03-29T21:59:59.999Z',
		]);
		expect(range('yesterday', '2026-10-26T08:00:00Z')).toEqual([
			'2026-10-24T22:00:00.000Z',
			'2026-10-25T22:59:59.999Z',
		]);
	});

	test("start a day that has no midnight at one o'clock", () => {
		// Cairo skips 00:00 to 01:00 on 2026-04-24.
		expect(range('today', '2026-04-24T10:00:00Z', 'Africa/Cairo')[0]).toBe('2026-04-23T22:00:00.000Z');
	});

	test('end today after its start even at midnight exactly', () => {
		expect(range('today', '2026-05-12T22:00:00Z')).toEqual([
			'2026-05-12T22:00:00.000Z',
			'2026-05-12T22:00:00.001Z',
		]);
	});

	test('always start before they end, never end in the future, and are valid ISO times', () => {
		const zones = fc.constantFrom(BERLIN, 'America/New_York', 'Asia/Kathmandu', 'Pacific/Apia', 'UTC');
		const presets = fc.constantFrom(...Object.keys(PRESETS));
		const instants = fc.integer({ min: at('2020-01-01T00:00:00Z'), max: at('2035-01-01T00:00:00Z') });
		fc.assert(
			fc.property(presets, instants, zones, (preset, instant, zone) => {
				const { fromDate, toDate } = presetRange(PRESETS[preset], instant, zone);
				expect(at(fromDate)).toBeLessThan(at(toDate));
				expect(at(toDate)).toBeLessThanOrEqual(instant + 1);
				expect(new Date(fromDate).toISOString()).toBe(fromDate);
			}),
		);
	});
});

/** What is read of the same values at the same instants: around midnight, the end of a month, and summer time. */
const readings = () =>
	[BERLIN, 'America/New_York', 'Asia/Kathmandu', 'Pacific/Apia', 'UTC'].map((zone) => [
		['2026-03-29T00:59:59Z', '2026-05-12T22:00:00Z', '2026-10-25T01:30:00Z', '2027-01-01T11:00:00Z'].map(
			(now) => Object.keys(PRESETS).map((preset) => range(preset, now, zone)),
		),
		['2026-07-01', '2026-07-01 10:00:00', '2026-10-25T02:30:00'].map((value) =>
			toUtcTimestamp(value, zone, 'From Date'),
		),
		toAppointmentTime('2026-07-01 10:00:00', zone, 'Start Time'),
	]);

test("The machine's own time zone does not matter", () => {
	const { TZ } = process.env;
	// n8n has set it to the zone of the last workflow that this process ran.
	Settings.defaultZone = 'system';
	const all = ['America/New_York', 'Pacific/Auckland'].map((machine) => {
		process.env.TZ = machine;
		Settings.resetCaches();
		return { zone: DateTime.local().zoneName, readings: readings() };
	});
	if (TZ === undefined) delete process.env.TZ;
	else process.env.TZ = TZ;
	Settings.resetCaches();
	expect(all.map(({ zone }) => zone)).toEqual(['America/New_York', 'Pacific/Auckland']);
	expect(all[0].readings).toEqual(all[1].readings);
});
