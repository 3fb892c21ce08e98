import { Settings } from 'luxon';
import { z } from 'zod';
import { dateOf, fieldIn, linkExpiry, mismatchesOf } from '../../../../nodes/shared/exportApi/rows';
import * as schemas from '../../../../nodes/shared/exportApi/schemas';
import { documentedRow } from '../../../support/engine/documentedRow';

const NOON = Date.parse('2026-03-01T12:00:00Z');
const HOUR = 3_600_000;

// A time without an offset must be read neither in the zone of the machine nor in n8n's own.
const { TZ = 'UTC' } = process.env;
const setZones = (machine: string, n8n: string) => {
	process.env.TZ = machine;
	Settings.defaultZone = n8n;
};
beforeAll(() => setZones('Pacific/Auckland', 'Asia/Tokyo'));
afterAll(() => setZones(TZ, 'system'));

describe('A date of the service', () => {
	// D1-CONVENTION-02, D1-CONV-03..04, D1-REC-02, D1-REC-04, D1-ERRORED-02, D1-ERRORED-12
	test.each([
		['2026-03-01', NOON - 12 * HOUR],
		['20260301T12', NOON],
		...[
			...['2026-03-01T12:00:00Z', '2026-03-01T12:00:00', '2026-03-01 12:00:00', '2026-03-01t12:00:00z'],
			...['20260301T120000-0000', '2026-W09-7T12:00:00+00', '2026W097T12:00', '2026-060T12:00'],
			...['2026-03-01T17:30:00+05:30', '2026-02-28T22:00-14', '20260301T050000,000-0700', '2026060T12'],
		].map((date): [string, number] => [date, NOON]),
		['2026-03-01T12:00:00.007456Z', NOON + 7],
		['2026-03-01T12:00:00,007999', NOON + 7],
		['1900-03-01T00:00:00Z', Date.UTC(1900, 2, 1)],
		['2026-03-01T12:00', NOON],
		['2026-02-28T24:00:00Z', NOON - 12 * HOUR],
		['2024-02-29T12:00:00Z', Date.UTC(2024, 1, 29, 12)],
		['2026-03-01T13:00:00[Europe/Berlin]', NOON],
		[' 2026-03-01T12:00:00Z\n', NOON],
	])('is read from %j', (date, instant) => {
		expect(new Date(NOON).getHours()).not.toBe(12);
		expect(dateOf({ date, processedDate: '2020-01-01T00:00:00Z' }, 'date')).toBe(instant);
		expect(dateOf({ date: '2020-01-01T00:00:00Z', processedDate: date }, 'processedDate')).toBe(instant);
	});

	test.each([
		...['soon', '', '2026', '2026-03', '2026-W10', '01/03/2026', '1772366400', '1772366400000', '12:00:00Z'],
		...['2026-02-29T12:00:00Z', '2026-02-30T12:00:00', '2026-04-31T12:00:00Z', '2026-13-01T12:00:00Z'],
		...['2026-03-01T24:00:01Z', '2026-03-01T12:60:00Z', '2016-12-31T23:59:60Z', '2026-03-01T12:00:00 BST'],
		...['2026-03-01T12:00:00+24:00', '2026-03-01T12:00:00Z'.padStart(200), '2026-03-01T12:00:00Z (CET)'],
		...[NOON, null, undefined, {}, { date: ['2026-03-01T12:00:00Z'] }],
	])('is unknown when the field is %j', (date) => {
		expect(dateOf({ date }, 'date')).toBeNaN();
		expect(dateOf(date, 'date')).toBeNaN();
	});
});

// D1-LIM-04
test('links expire six hours after they were issued, which is read as dates are', () => {
	const issued = ['2026-03-01T12:00:00.000Z', '2026-03-01T12:00:00', '20260301T140000,000+02', NOON];
	for (const at of issued) expect(linkExpiry(at)).toBe('2026-03-01T18:00:00.000Z');
	for (const unknown of ['soon', undefined, Infinity]) expect(linkExpiry(unknown)).toBeNull();
});

const ROW = {
	user: { name: 'Ana', 'name.full': 'Ana Diaz' },
	customFields: { 'Est. Value': 5, 'a.b': { 'c.d': 6, c: { e: 7 } }, a: { b: { c: 8, z: 9 } }, list: [9] },
	'customFields.flat': 10,
	userEmail: 'own@x',
	teams: [],
};

test('a field is found by the longest key at each level', () => {
	const found = {
		...{
			userName: 'Ana',
			userEmail: 'own@x',
			teamNames: null,
			'user.name': 'Ana',
			'user.name.full': 'Ana Diaz',
		},
		...{ 'customFields.Est. Value': 5, 'customFields.a.b.c.d': 6, 'customFields.a.b.c.e': 7 },
		...{ 'customFields.a.b': ROW.customFields['a.b'], 'customFields.a.b.z': 9, 'customFields.flat': 10 },
	};
	for (const [field, value] of Object.entries(found))
		expect([field, fieldIn(ROW, field)]).toEqual([field, value]);
	for (const none of ['list.0', 'Est.', '', 'constructor'])
		expect(fieldIn(ROW, `customFields.${none}`)).toBe(undefined);
	for (const none of ['.user', '', 'toString']) expect(fieldIn(ROW, none)).toBe(undefined);
});

test('fields that do not match the documentation are named with the number of rows, in the first 50 rows', () => {
	const tracker = z.object({ id: z.string() });
	const schema = z.object({
		title: z.string().nullable(),
		trackers: z.array(tracker),
		any: z.record(z.unknown()),
	});
	const row = { title: null, trackers: [{ id: '1' }], any: { 0: {} }, unknown: 5 };
	const wrong = { ...row, title: 5, trackers: [{ id: 1 }, {}, { id: 'secret' }] };
	const rows = [
		row,
		wrong,
		{ ...wrong, title: '' },
		{ ...row, any: undefined },
		'secret',
		...Array(45).fill(row),
	];
	const found = ['title', 'trackers[].id (2 rows)', 'any', 'the whole row'];
	expect(mismatchesOf(schema, [...rows, {}])).toEqual(found);
	expect(mismatchesOf(schema, [row])).toEqual([]);
});

test.each(['conversations', 'recordings', 'erroredRecordings', 'teams', 'users'] as const)(
	'a row of %s with the documented fields matches, and each field that is missing is named',
	(name) => {
		const schema = schemas[`${name}ExportSchema`];
		const row = documentedRow(`${name[0].toUpperCase()}${name.slice(1)}Export`);
		expect(mismatchesOf(schema, [row])).toEqual([]);
		for (const field of Object.keys(schema.shape)) {
			expect(mismatchesOf(schema, [{ ...row, [field]: undefined }])).toEqual([field]);
		}
	},
);
