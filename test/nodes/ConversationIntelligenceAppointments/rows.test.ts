import fc from 'fast-check';
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { APPOINTMENT_FIELDS } from '../../../nodes/ConversationIntelligenceAppointments/mapping/appointmentFields';
import { mappedByHand, MAPPED_AUTOMATICALLY } from '../../support/columns';
import { CREATE, processingService } from './mapping';

const { service, run, bodies } = processingService();

type Operation = 'upsert' | 'update' | 'sync';
interface Settings {
	operation: Operation;
	isByHand?: boolean;
	timezone?: string;
	options?: IDataObject;
}

const BY_HAND = mappedByHand(
	Object.fromEntries(APPOINTMENT_FIELDS.map(({ id }) => [id, `={{ $json.${id} }}`])),
);

/** Runs rows in one execution, and returns for each its output, or the labels and codes of what is wrong with it. */
async function outcomes(
	rows: IDataObject[],
	{ operation, isByHand, timezone = 'Europe/Berlin', options }: Settings,
) {
	const parameters: INodeParameters = {
		...{ operation, columns: isByHand ? BY_HAND : MAPPED_AUTOMATICALLY },
		...(operation === 'sync' && { status: '={{ $json.status }}' }),
		options: options as INodeParameters,
	};
	const { items } = await run(parameters, rows, { timezone, continueOnFail: true });
	return items.map(({ json: { details, warnings, ...json } }) => {
		const { causes = [details] } = (details ?? {}) as { causes?: unknown[] };
		const codes = details
			? (causes as IDataObject[]).map(({ field, code }) => `${field} ${code}`).sort()
			: [];
		return {
			codes,
			warnings: (warnings ?? []) as string[],
			json,
			body: (json.would_send ?? {}) as IDataObject,
		};
	});
}

const PREVIEW = { previewOnly: true };
const ALONE = { attendee_emails: '' };
const DAYS = { start_time: '2026-07-04', end_time: '2026-07-04' };
const LOCAL = { start_time: '2026-07-04 09:00', end_time: '2026-07-04 10:00' };
const UNCLEAR = { start_time: '4/7/2026 9:00', end_time: '4/7/2026 10:00' };
const MEDIA = { media_url: ' https://m.x/a?b=1%2F2 ', recording_type: 'CALL_AUDIO' };
const WITH_LOCATION = { recording_type: 'CALL_AUDIO_WITH_LOCATION', location: 'Denver' };
const IN_PERSON = { recording_type: 'APPOINTMENT_AUDIO' };
const NO_CUSTOMER = { customer_id: '', customer_name: '' };
const FROM_TOKYO = { start_time: '2026-07-04T00:00:00Z', end_time: '2026-07-04T01:00:00Z' };
const FROM_BERLIN = { start_time: '2026-07-04T07:00:00Z', end_time: '2026-07-04T08:00:00Z' };
const ASSUMED =
	"No time zone was given, so the workflow's was used: Event crm-1 Start Time (Europe/Berlin), Event crm-1 End";
const TYPE_LEFT = 'These fields were not sent, because media_url is empty: recording_type.';

// D2-APPT-01..15, D2-CUSTOMER-01..05, D2-RULE-02, D2-TYPE-01..03, D2-ATT-05, D2-LIM-02..04, D2-ERR-03..04
test.each<[Operation | 'by hand', IDataObject, IDataObject, sent: IDataObject | string, warning?: string]>([
	[
		'upsert',
		{},
		ALONE,
		{ attendee_emails: undefined },
		'Attendee Emails is empty, so the rep is the only attendee',
	],
	['update', {}, ALONE, 'Attendee Emails attendees_missing'],
	['upsert', { repOnly: true }, {}, { attendee_emails: [] }],
	[
		'update',
		{},
		{ ...NO_CUSTOMER, attendee_emails: [], start_time: '' },
		{ title: 'Roof inspection' },
		'Attendee Emails is',
	],
	['upsert', {}, { title: ' ' }, 'Title new_field_missing'],
	['upsert', {}, { start_time: '' }, 'Start Time new_field_missing'],
	['upsert', {}, LOCAL, FROM_BERLIN, ASSUMED],
	[
		'by hand',
		{},
		{
			...LOCAL,
			end_time: '2026-07-04T10:00Z',
			start: { dateTime: LOCAL.start_time, timeZone: 'Asia/Tokyo' },
		},
		{ start_time: FROM_BERLIN.start_time },
		'not mapped: Event crm-1 Start Time (Europe/Berlin was used: map {{ $json.start }}).',
	],
	['upsert', { timeZone: 'Asia/Tokyo' }, LOCAL, FROM_TOKYO],
	['upsert', { timeZone: 'UTC' }, DAYS, 'End Time whole_day; Start Time whole_day'],
	[
		'upsert',
		{ timeZone: 'UTC', allDayEvents: true },
		DAYS,
		{ start_time: '2026-07-04T00:00:00Z', end_time: '2026-07-05T00:00:00Z' },
	],
	['upsert', { timeZone: 'UTC' }, UNCLEAR, 'End Time date_order_unclear; Start Time date_order_unclear'],
	['upsert', { timeZone: 'UTC', dateOrder: 'dayFirst' }, UNCLEAR, { start_time: '2026-07-04T09:00:00Z' }],
	['upsert', { timeZone: 'UTC', dateOrder: 'monthFirst' }, UNCLEAR, { start_time: '2026-04-07T09:00:00Z' }],
	['upsert', {}, { end_time: CREATE.start_time }, {}, 'End Time is not after Start Time: Event crm-1.'],
	[
		'upsert',
		{},
		{ ...ALONE, ...MEDIA },
		{ media_url: 'https://m.x/a?b=1%2F2', recording_type: 'CALL_AUDIO' },
		'Attendee Emails is',
	],
	['upsert', {}, MEDIA, 'Attendee Emails attendees_with_media'],
	['upsert', { repOnly: true }, MEDIA, { attendee_emails: [] }],
	['upsert', { repOnly: true }, { ...MEDIA, recording_type: '' }, 'Recording Type recording_field_missing'],
	[
		'upsert',
		{ repOnly: true },
		{ ...MEDIA, recording_type: 'call' },
		'Recording Type recording_type_invalid',
	],
	['upsert', { repOnly: true }, { ...MEDIA, media_url: 'a.mp3' }, 'Media URL link_invalid'],
	[
		'upsert',
		{ repOnly: true },
		{ ...MEDIA, recording_type: 'CALL_AUDIO_WITH_LOCATION' },
		'Location recording_field_missing',
	],
	['upsert', { repOnly: true }, { ...MEDIA, media_url: ' ' }, { recording_type: undefined }, TYPE_LEFT],
	['by hand', { repOnly: true }, { recording_type: 'CALL_AUDIO' }, { recording_type: 'CALL_AUDIO' }],
	[
		'upsert',
		{},
		{ ...NO_CUSTOMER, customer: { id: 7, name: 'Green', phone: 6, tier: 1 } },
		{ customer: { id: '7', name: 'Green', phone: '6' } },
		'These columns were not sent, because an appointment has no field with that name: customer.tier.',
	],
	[
		'upsert',
		{},
		{ ...NO_CUSTOMER, customer: '{"id":"c-3","name":"Grey"}' },
		{ customer: { id: 'c-3', name: 'Grey' } },
	],
	[
		'update',
		{},
		{ ...NO_CUSTOMER, customer: 'Blue Door' },
		{ customer: undefined },
		'These columns were not sent, because an appointment has no field with that name: customer.',
	],
	[
		'update',
		{},
		{ ...NO_CUSTOMER, customer_address: 'A 1' },
		'Customer ID customer_field_missing; Customer Name customer_field_missing',
	],
	[
		'update',
		{},
		{},
		{ customer: { id: 'c-1', name: 'Blue Door Ltd' } },
		'The customer is sent without Customer Email, Customer Phone, Customer Address',
	],
	['upsert', { repOnly: true }, { ...MEDIA, ...WITH_LOCATION }, WITH_LOCATION],
	['upsert', { repOnly: true }, { ...MEDIA, ...IN_PERSON }, IN_PERSON],
	// Otherwise, an outcome that looks the same would be created as a second one.
	['upsert', {}, { result: 'U\u0308berlegt\u00a0nicht\u200b' }, { result: 'Überlegt nicht' }],
	['sync', {}, { status: 'booked' }, { title: CREATE.title }],
	['sync', {}, { status: 'later' }, 'Status status_unknown'],
])(
	'%s with the options %j makes of a row with %j: %j',
	async (operation, options, row, sent, ...[warning]) => {
		const isByHand = operation === 'by hand';
		const settings = {
			operation: isByHand ? ('upsert' as const) : operation,
			isByHand,
			options: { ...options, ...PREVIEW },
		};
		const [found] = await outcomes([{ ...CREATE, ...row }], settings);
		expect(found.codes.join('; ')).toBe(typeof sent === 'string' ? sent : '');
		if (typeof sent === 'string') return;
		const picked = Object.keys(sent).map((name) => [name, found.body[name]]);
		expect(Object.fromEntries(picked)).toEqual(sent);
		const said = found.warnings.filter((text) => !text.startsWith('Nothing was sent'));
		expect(said).toEqual(warning ? [expect.stringContaining(warning)] : []);
	},
);

// D2-DOES-03, D2-DEL-01..02, D2-ERR-06..07, D2-ERR-09
test.each([
	[200, '', 'deleted', []],
	[404, 'Not found', 'unchanged', []],
	[409, 'Has a recording', 'kept', ['The appointment has a linked recording, so it is kept.']],
])(
	'a cancelled row that gets %i is %s, %s, and needs no column but its Event ID',
	async (status, response, action, warnings) => {
		service.respond([{ status, body: response }]);
		const row = { event_id: ' a/1', status: ' CANCELED' };
		const [{ json, warnings: said }] = await outcomes([row], { operation: 'sync' });
		expect([json, said]).toEqual([{ action, event_id: ' a/1', status, response }, warnings]);
		expect(service.seen.map(({ method, url }) => [method, url])).toEqual([
			['DELETE', '/crm/custom/appointment/%20a%2F1'],
		]);
		const [preview] = await outcomes([row, {}], { operation: 'sync', options: PREVIEW });
		expect(preview.json).toEqual({ action: 'would_delete', event_id: ' a/1' });
		expect(service.seen).toHaveLength(1);
	},
);

const valuesOf = (field: string, ...values: unknown[]) =>
	values.map((value) => ({ [field]: value }) as IDataObject);
/** Columns that are read together, each with what a table can have in them: what can be sent, and what is wrong. */
const GROUPS: Array<[right: IDataObject[], wrong: IDataObject[]]> = [
	[
		valuesOf('event_id', ' a/1', 42, '%2F?x=1#🎉..'),
		valuesOf('event_id', 'a\u200b', '1.23457E+15', '', 'null', 'a-null'),
	],
	[
		valuesOf('user_email', 'ana@x.com', 'Ana Ruiz <ana.r@x.com>', { email: 'ann@x.com', self: true }),
		valuesOf('user_email', 'a@x.com, b@x.com', ' '),
	],
	[
		[
			{},
			LOCAL,
			{ start_time: '46207.5', end_time: { dateTime: '2026-07-04T09:00', timeZone: 'Asia/Tokyo' } },
		],
		[DAYS, UNCLEAR, { start_time: '2026-07-04' }, { start_time: 'soon' }, { end_time: '' }],
	],
	[
		[
			...[{}, ALONE, { ...ALONE, ...MEDIA }, { recording_type: 'CALL_AUDIO', location: 'Denver' }],
			{ attendee_emails: [{ email: 'di@x.com' }, { email: 'ed@x.com', responseStatus: 'declined' }] },
		],
		[MEDIA, { attendee_emails: 'bob' }, { ...MEDIA, recording_type: 'call' }],
	],
	[
		[{}, { customer_id: 7 }, { ...NO_CUSTOMER, customer: { id: 'c-2', name: 'Green', tier: 1 } }],
		[NO_CUSTOMER, { ...NO_CUSTOMER, customer_address: 'A 1' }],
	],
	[valuesOf('price', 12.5, '1.234,50 €', ''), valuesOf('price', '1.234', 'to be agreed')],
	[valuesOf('title', 'Roof', 'Half \ud83d', ' Attic'), valuesOf('title', ' ', ['a'])],
	[
		valuesOf('custom_fields', '{"a":[1]}', { a: ['\udfe0b'] }, null),
		valuesOf('custom_fields', 'north', { a: 2 ** 53 }),
	],
	[valuesOf('result', ' Sold\u200b ', 'No\u00a0Show'), valuesOf('result', ' Undefined ')],
	[valuesOf('type', '\tVisit', null), valuesOf('type', true)],
	[valuesOf('lead_source', 'Web ', ' \n '), valuesOf('lead_source', 'null')],
];
const BASE: IDataObject = { ...CREATE, status: 'booked' };
const choices = fc.oneof(
	fc.tuple(...GROUPS.map(([right]) => fc.constantFrom(...right))),
	fc.tuple(...GROUPS.map((both) => fc.constantFrom(...both.flat()))),
);
const settings = fc.record({
	operation: fc.constantFrom<Operation>('upsert', 'update', 'sync'),
	isByHand: fc.boolean(),
	timezone: fc.constantFrom('Europe/Berlin', 'America/New_York'),
	options: fc.record(
		{
			timeZone: fc.constantFrom('Asia/Tokyo', 'GMT Standard Time'),
			dateOrder: fc.constantFrom('monthFirst', 'dayFirst'),
			allDayEvents: fc.boolean(),
			repOnly: fc.boolean(),
		},
		{ requiredKeys: [] },
	),
});
/** Warnings name an appointment. */
const anyEvent = (text: string) =>
	text.replace(/Event .*? (?=Start Time|End Time)|(?<=: )Event .*(?=\.$)/g, '');

test('each column is read alike whatever the others have, and what is previewed is sent', async () => {
	let sentAtAll = 0;
	await fc.assert(
		fc.asyncProperty(choices, settings, async (chosen, { options, ...more }) => {
			const whole = Object.assign({}, BASE, ...chosen) as IDataObject;
			const rows = [whole, ...chosen.map((part) => ({ ...BASE, ...part }))];
			const [all, ...each] = await outcomes(rows, { ...more, options: { ...options, ...PREVIEW } });
			expect(all.codes).toEqual([...new Set(each.flatMap(({ codes }) => codes))].sort());
			service.respond(() => ({ status: 200, body: 'Processed' }));
			const [sent] = await outcomes([whole], { ...more, options });
			expect(sent.codes).toEqual(all.codes);
			if (all.codes.length > 0) return expect(service.seen).toEqual([]);
			sentAtAll++;
			const [base] = await outcomes([BASE], { ...more, options: { ...options, ...PREVIEW } });
			const changed = (body: IDataObject) =>
				Object.fromEntries(
					[...new Set([...Object.keys(base.body), ...Object.keys(body)])]
						.filter((name) => JSON.stringify(body[name]) !== JSON.stringify(base.body[name]))
						.map((name) => [name, body[name]]),
				);
			expect(all.body).toEqual(Object.assign({}, base.body, ...each.map(({ body }) => changed(body))));
			expect(sent.json.sent).toEqual(all.body);
			const inD2 = (text: unknown) => String(text).replace('T', ' ').replace(/Z$/, '');
			const { start_time, end_time, ...body } = all.body;
			const times = Object.entries({ start_time, end_time }).filter(([, time]) => time !== undefined);
			expect(bodies()).toEqual([
				{ ...body, ...Object.fromEntries(times.map(([name, time]) => [name, inD2(time)])) },
			]);
			// Of the other rows of its run, none overwrites another.
			const isOwn = (text: string) => !/^(Nothing was sent|Several items)/.test(text);
			const said = ({ warnings }: typeof all) => warnings.map(anyEvent).filter(isOwn);
			const usual = said(base);
			const own = each.flatMap((one) => said(one).filter((text) => !usual.includes(text)));
			const rest = usual.filter((text) => each.every((one) => said(one).includes(text)));
			expect(said(all).sort()).toEqual([...new Set([...own, ...rest])].sort());
		}),
	);
	// Enough of them can be sent.
	expect(sentAtAll).toBeGreaterThan(10);
}, 120_000);
