import { DateTime } from 'luxon';
import type { IDataObject } from 'n8n-workflow';
import { allPairs } from '../../support/allPairs';
import { mappedByHand, MAPPED_AUTOMATICALLY } from '../../support/columns';
import { processingService } from './mapping';

/** A value as it is given, what it means, and what is left out of it. */
const sends = (given: unknown, sent?: unknown, leftOut?: string) => ({ given, sent, leftOut, code: '' });
const refused = (given: unknown, code: string, sent?: unknown) => ({ ...sends(given, sent), code });
const event = (dateTime: string, timeZone?: string, more = {}) => ({ dateTime, timeZone, ...more });
const declined = (email: string) => ({ email, responseStatus: 'declined' });
const room = (address: string) => ({ type: 'resource', emailAddress: { address } });

/** Times, and what they say: a day or a clock, with their own zone if they have one, in any order or in one of them. */
const TIMES = [
	sends('2026-07-04T09:00:00+05:30', '2026-07-04T09:00 UTC+5:30'),
	sends('2026-07-04 09:15', '2026-07-04T09:15'),
	sends(Date.UTC(2026, 6, 5, 6), '2026-07-05T06:00 UTC'),
	sends('Sat, 04 Jul 2026 10:00:00 GMT', '2026-07-04T10:00 UTC'),
	sends('2026-07-04T09:00[Asia/Tokyo]', '2026-07-04T09:00 Asia/Tokyo'),
	sends(event('2026-07-04T08:30:00', 'America/Denver'), '2026-07-04T08:30 America/Denver'),
	sends(event('2026-07-04T08:30', 'India Standard Time'), '2026-07-04T08:30 Asia/Kolkata'),
	sends(event('2026-07-04T08:30:00Z', 'Asia/Tokyo'), '2026-07-04T08:30 UTC'),
	sends(event('2026-07-05T13:30'), '2026-07-05T13:30'),
	sends('7/14/2026 2:30 PM', { '': '2026-07-14T14:30', monthFirst: '2026-07-14T14:30' }),
	sends('4-7-2026 14:45', { monthFirst: '2026-04-07T14:45', dayFirst: '2026-07-04T14:45' }),
	sends('46207.5', '2026-07-04T12:00'),
	sends('2026-07-04', '2026-07-04'),
	sends('14.7.2026', { '': '2026-07-14', dayFirst: '2026-07-14' }),
	sends({ date: '2026-07-05', timeZone: 'Asia/Tokyo' }, '2026-07-05 Asia/Tokyo'),
	sends(event('2026-07-04T00:00:00.0000000', 'UTC', { isAllDay: true }), '2026-07-04'),
	refused(event('2026-07-04T09:00', 'Mars'), 'time_zone_invalid'),
	refused(event('2026-07-04T09:00', 'UTC', { timezone: 'Asia/Tokyo' }), 'time_key_unknown'),
	refused('2026-07-04T09:00 EST', 'zone_unclear'),
	refused('soon', 'time_invalid'),
	sends(''),
];
const ROWS = {
	start_time: TIMES,
	end_time: TIMES,
	attendee_emails: [
		sends('ben@x.com, cy@x.com', ['ben@x.com', 'cy@x.com']),
		sends('"Doe, Ben" <ben@x.com>; Cy <cy@x.com>', ['ben@x.com', 'cy@x.com']),
		sends([{ email: 'di@x.com' }, declined('ed@x.com')], ['di@x.com'], '"ed@x.com" (declined)'),
		sends([room('r1@x.com'), 'fay@x.com'], ['fay@x.com'], '"r1@x.com" (a room)'),
		sends('["gus@x.com"]', ['gus@x.com']),
		sends([], []),
		sends([declined('hal@x.com')], undefined, '"hal@x.com" (declined)'),
		sends(null),
		refused('bob', 'attendee_invalid'),
		refused(5, 'attendees_invalid'),
		refused([{ name: 'Bob' }], 'attendee_unclear'),
		refused([{ email: 'ida@x.com', responseStatus: 'abgelehnt' }], 'attendee_unknown'),
	],
	user_email: [
		sends('ana@x.com', 'ana@x.com'),
		sends('Ana Ruiz <ana.r@x.com>', 'ana.r@x.com'),
		sends({ email: 'ann@x.com', self: true }, 'ann@x.com'),
		refused('a@x.com, b@x.com', 'owner_invalid'),
		refused(' ', 'field_missing'),
	],
	price: [
		sends(12.5, 12.5),
		sends('1.234,50 €', 1234.5),
		sends('$2,345', 2345),
		sends(''),
		refused('1.234', 'price_unclear'),
		refused('to be agreed', 'price_invalid'),
	],
	event_id: [
		...[sends(' a/1', ' a/1'), sends(42, '42'), sends('%2F?x=1#🎉..', '%2F?x=1#🎉..')],
		...[refused('a\u200b', 'id_invisible'), refused('1.23457E+15', 'digits_lost')],
		...[
			refused('', 'field_missing'),
			refused('null', 'placeholder_refused'),
			refused('a-null', 'value_incomplete'),
		],
	],
	title: [
		...[sends('Roof', 'Roof'), sends('Half \ud83d', 'Half \ufffd'), sends(' Attic', ' Attic')],
		...[refused(' ', 'new_field_missing'), refused(['a'], 'text_invalid')],
	],
	custom_fields: [
		...[sends('{"a":[1]}', { a: [1] }), sends({ a: ['\udfe0b'] }, { a: ['\ufffdb'] }), sends(null)],
		...[refused('north', 'object_invalid'), refused({ a: 2 ** 53 }, 'number_inexact')],
	],
	result: [
		sends(' Sold\u200b ', 'Sold'),
		sends('No\u00a0Show', 'No Show'),
		sends('won', 'won'),
		refused(' Undefined ', 'placeholder_refused'),
	],
	type: [sends('\tVisit', 'Visit'), sends(null), refused(true, 'text_invalid')],
	lead_source: [sends('Web ', 'Web'), sends(' \n '), refused('null', 'placeholder_refused')],
	status: [
		sends('Confirmed', 'booked'),
		sends(' CANCELED', 'cancelled'),
		refused('cancelled by Bob', 'status_unknown'),
		refused(true, 'status_unknown'),
		refused('#REF!', 'status_missing'),
		refused({ label: 'cancelled' }, 'text_invalid'),
		refused('x'.repeat(1001), 'value_too_long'),
		refused(null, 'status_missing'),
	],
	/** Columns, and what they are together. */
	customer: [
		sends({ customer_id: 7, customer_name: 'Blue' }, { id: '7', name: 'Blue' }),
		sends(
			{ customer: { id: 'c-2', name: 'Green', phone: 6, tier: 1 } },
			{ id: 'c-2', name: 'Green', phone: '6' },
		),
		sends(
			{ customer: '{"id":"c-3","name":"Grey","email":"g@x.com"}', customer_phone: ' ' },
			{ id: 'c-3', name: 'Grey', email: 'g@x.com' },
		),
		refused({ customer_address: 'A 1' }, 'customer_field_missing', { address: 'A 1' }),
		refused({ customer: 'Blue Door' }, 'new_field_missing', {}),
	],
	/** Columns, and what they lack. */
	media: [
		sends({}),
		sends({ media_url: ' https://m.x/a?b=1%2F2 ', recording_type: 'CALL_AUDIO' }),
		sends({ media_url: 'https://m.x/b', recording_type: 'CALL_AUDIO_WITH_LOCATION', location: 'Denver' }),
		sends({ recording_type: 'APPOINTMENT_AUDIO' }),
		sends({ media_url: ' ', recording_type: 'CALL_AUDIO', location: 'Denver' }),
		refused(
			{ media_url: 'https://m.x/c', recording_type: 'CALL_AUDIO_WITH_LOCATION' },
			'Location recording_field_missing',
		),
		refused({ media_url: 'a.mp3', recording_type: 'CALL_AUDIO' }, 'Media URL link_invalid'),
		refused({ media_url: 'https://m.x/d' }, 'Recording Type recording_field_missing'),
		refused({ media_url: 'https://m.x/e', recording_type: 'call' }, 'Recording Type recording_type_invalid'),
	],
};
const OPTIONS = {
	operation: ['upsert', 'update', 'sync'],
	isAutomatic: [true, false],
	workflowZone: ['Europe/Berlin', 'America/New_York'],
	timeZone: ['', 'Asia/Tokyo', 'GMT Standard Time'],
	/** Empty where the option is not added. */
	dateOrder: ['', 'monthFirst', 'dayFirst'],
	allDayEvents: [false, true],
	repOnly: [false, true],
	previewOnly: [false, true],
	/** What the service responds to a delete, and what Sync Appointments makes of it. */
	deleting: [
		{ status: 200, body: '', action: 'deleted' },
		{ status: 404, body: 'Not found', action: 'unchanged' },
		{ status: 409, body: 'Has a recording', action: 'kept' },
	],
} as const;
type Row = { [Field in keyof typeof ROWS]: ReturnType<typeof sends> };
type Options = { [Name in keyof typeof OPTIONS]: (typeof OPTIONS)[Name][number] };
type Cause = { field: string; code: string };

/** The columns of a row. */
const columnsOf = ({ customer, media, ...fields }: Row) => {
	const given = Object.entries(fields).map(([field, value]) => [field, value.given]);
	return {
		...Object.fromEntries(given),
		...(customer.given as object),
		...(media.given as object),
	} as IDataObject;
};
const LABELS = {
	...{ event_id: 'Event ID', user_email: 'Rep Email', title: 'Title', result: 'Outcome', type: 'Type' },
	...{ price: 'Price', lead_source: 'Lead Source', custom_fields: 'Custom Fields' },
};
const PARTS = ['id', 'name', 'email', 'phone', 'address'] as const;
const labelOf = (part: string) => `Customer ${part === 'id' ? 'ID' : part[0].toUpperCase() + part.slice(1)}`;
const FIELDS = Object.keys(ROWS).filter((name) => !['status', 'customer', 'media'].includes(name));
const MEDIA = ['media_url', 'recording_type', 'location'];
const BY_HAND = mappedByHand(
	Object.fromEntries(
		[...FIELDS, ...MEDIA, ...PARTS.map((part) => `customer_${part}`)].map((id) => [id, `={{ $json.${id} }}`]),
	),
);

/** What D2 and the panel promise for one row of a run: its output or the causes of its refusal, and its request. */
function expected(row: Row, options: Options) {
	const { operation, isAutomatic, workflowZone, timeZone, dateOrder, allDayEvents, repOnly, previewOnly } =
		options;
	const isSync = operation === 'sync';
	if (isSync && row.status.code) return { causes: [`Status ${row.status.code}`] };
	const id = row.event_id.sent as string;
	if (isSync && row.status.sent === 'cancelled') {
		if (row.event_id.code) return { causes: [`Event ID ${row.event_id.code}`] };
		if (previewOnly) return { json: { action: 'would_delete', event_id: id }, warnings: [] };
		const { status, body: response, action } = options.deleting;
		const warnings = action === 'kept' ? ['The appointment has a linked recording, so it is kept.'] : [];
		const request = { method: 'DELETE', url: `/crm/custom/appointment/${encodeURIComponent(id)}` };
		return { json: { action, event_id: id, status, response }, warnings, request };
	}

	const isUpdate = operation === 'update';
	const body: IDataObject = Object.fromEntries(
		FIELDS.map((field) => [field, row[field as keyof Row].sent]),
	) as IDataObject;
	const causes = Object.entries(LABELS)
		.map(([field, label]) => `${label} ${row[field as keyof Row].code}`)
		.filter((cause) => !cause.endsWith(' ') && !(isUpdate && cause === 'Title new_field_missing'));

	// Attendees: the whole list, or the rep alone by choice.
	const people = repOnly ? sends(null, []) : row.attendee_emails;
	body.attendee_emails = people.sent as string[];
	if (people.code) causes.push(`Attendee Emails ${people.code}`);
	else if (isUpdate && !people.sent) causes.push('Attendee Emails attendees_missing');
	const isAlone = !(people.sent as string[])?.length;

	// Times: their own zone, else Time Zone, else the workflow's. A day ends when the next one begins.
	const zoneOfRow = { '': workflowZone, 'Asia/Tokyo': 'Asia/Tokyo', 'GMT Standard Time': 'Europe/London' }[
		timeZone
	];
	const saying = ({ sent, given }: Row['start_time']) =>
		typeof sent === 'object'
			? (sent as Record<string, string>)[dateOrder]
			: given === ''
				? undefined
				: (sent as string);
	const dayOf = (time: Row['start_time']) => /^[\d-]+(?= |$)/.exec(saying(time) ?? '')?.[0];
	const [firstDay, lastDay] = [dayOf(row.start_time), dayOf(row.end_time)];
	const assumed: string[] = [];
	for (const [field, label] of [
		['start_time', 'Start Time'],
		['end_time', 'End Time'],
	] as const) {
		const says = saying(row[field]);
		const unread = dateOrder === '' ? 'date_order_unclear' : 'date_order_wrong';
		const isMissing = row[field].given === '';
		const code = isMissing
			? 'new_field_missing'
			: row[field].code || (!says ? unread : dayOf(row[field]) && !allDayEvents && 'whole_day');
		if (code && !(isMissing && isUpdate)) causes.push(`${label} ${code}`);
		const [clock, zone] = String(says).split(' ');
		const days = field === 'end_time' && firstDay && lastDay && firstDay >= lastDay ? 1 : 0;
		const at = DateTime.fromISO(clock, { zone: zone ?? zoneOfRow })
			.plus({ days })
			.toUTC();
		body[field] = isMissing ? undefined : at.toFormat('yyyy-MM-dd HH:mm:ss');
		if (!zone && timeZone === '' && !isMissing) assumed.push(`Event ${id} ${label} (${workflowZone})`);
	}

	// The customer is sent as far as it is given; only a table can give a whole one.
	const { customer: whole } = row.customer.given as IDataObject;
	const customer = (isAutomatic || !whole ? row.customer.sent : {}) as Record<string, string>;
	const isSome = Object.keys(customer).length > 0;
	if (isSome) body.customer = customer;
	const lacks = isSome ? 'customer_field_missing' : !isUpdate && 'new_field_missing';
	for (const part of ['id', 'name']) if (!customer[part] && lacks) causes.push(`${labelOf(part)} ${lacks}`);

	// A recording needs its kind, and some kinds a place; attendees come without one.
	const { media_url, ...kind } = row.media.given as Record<string, string>;
	const url = media_url?.trim();
	const isKindSent = Boolean(url) || !isAutomatic;
	Object.assign(body, url && { media_url: url }, isKindSent && kind);
	if (row.media.code) causes.push(row.media.code);
	if (url?.includes('//') && !isAlone) causes.push('Attendee Emails attendees_with_media');
	if (causes.length > 0) return { causes: causes.sort() };

	const unread = whole === 'Blue Door' ? 'customer' : (whole as IDataObject)?.tier && 'customer.tier';
	const unknown = [!isSync && 'status', unread].filter((one) => one && isAutomatic);
	const unsent = PARTS.filter((part) => !customer[part])
		.map(labelOf)
		.join(', ');
	const sayings: Array<[unknown, string]> = [
		[unknown.length > 0, `Not sent, because appointments have no such field: ${unknown.join(', ')}.`],
		[
			!isKindSent && kind.recording_type,
			`Not sent, because media_url is empty: ${Object.keys(kind).join(', ')}.`,
		],
		[isAlone && !repOnly, 'Attendee Emails is empty, so the rep is the only attendee.'],
		[people.leftOut, `Not sent as attendees: ${people.leftOut}.`],
		[assumed.length > 0, `No time zone was given, so the workflow's was used: ${assumed.join(', ')}.`],
		[isSome && isUpdate && unsent, `The customer is sent without ${unsent}.`],
		[
			body.start_time && body.end_time && body.end_time <= body.start_time,
			`End Time is not after Start Time: Event ${id}.`,
		],
	];
	const asUtc = (time: unknown) => time && `${String(time).replace(' ', 'T')}Z`;
	const sent = { ...body, start_time: asUtc(body.start_time), end_time: asUtc(body.end_time) };
	const json = {
		...(previewOnly ? { action: isUpdate ? 'would_update' : 'would_book' } : isSync && { action: 'booked' }),
		event_id: id,
		user_email: body.user_email,
		...(previewOnly ? { would_send: sent } : { sent, status: 200, response: 'Processed' }),
	};
	const request = previewOnly ? undefined : { method: 'POST', url: '/crm/custom/appointment', body };
	return { json, warnings: sayings.filter(([isSaid]) => isSaid).map(([, text]) => text), request };
}

describe('A row of any values with any options', () => {
	const { service, run } = processingService();

	/**
	 * What two rows in one run become, and what they should: that of a case, and that of the case before under its options.
	 */
	const compare = async (one: Options & Row, before: Row) => {
		const second = before.event_id.code ? before.event_id : sends('second', 'second');
		const rows: Row[] = [one, { ...before, event_id: second }];
		const { operation, isAutomatic, workflowZone: timezone, deleting, ...options } = one;
		service.respond(({ method }) => (method === 'DELETE' ? deleting : { status: 200, body: 'Processed' }));
		const { timeZone, dateOrder, allDayEvents, repOnly, previewOnly } = options;
		const parameters = {
			...{ operation, columns: isAutomatic ? MAPPED_AUTOMATICALLY : BY_HAND },
			...(operation === 'sync' && { status: '={{ $json.status }}' }),
			options: {
				timeZone,
				...(dateOrder && { dateOrder }),
				allDayEvents,
				repOnly,
				previewOnly,
				concurrency: 1,
			},
		};
		const { items } = await run(parameters, rows.map(columnsOf), {
			timezone,
			// A preview returns every row, whatever On Error says.
			continueOnFail: !previewOnly,
		});
		const wanted = rows.map((row) => expected(row, one));
		const seen = items.map(({ json: { warnings, details, ...json } }) => {
			if (!details) return { json, warnings };
			const { causes = [details as Cause] } = details as { causes?: Cause[] };
			return { action: json.action, causes: causes.map(({ field, code }) => `${field} ${code}`).sort() };
		});
		const beginning = (text: string) => expect.stringContaining(text) as string;
		const requests = service.seen.map(({ method, url, body }) => ({ method, url, body }));
		const outcomes = wanted.map(({ causes, json, warnings = [] }) =>
			causes
				? { action: previewOnly ? 'rejected' : undefined, causes }
				: { json, warnings: warnings.map(beginning) },
		);
		return [
			[...seen, ...requests],
			[...outcomes, ...wanted.flatMap(({ request }) => request ?? [])],
		];
	};

	type Values = Array<ReturnType<typeof sends>>;
	// D2-APPT-01..15, D2-CUSTOMER-01..05, D2-RULE-01..03, D2-TYPE-01..03, D2-DOES-02..03, D2-ATT-05, D2-LIM-02..04
	// D2-DEL-01..02, D2-BODY-01, D2-BODY-03, D2-ERR-03..04, D2-ERR-06..07, D2-ERR-09
	test.each<[string, (values: Values) => Values]>([
		['can be sent', (values) => values.filter(({ code }) => !code)],
		['may be refused', (values) => [...values.slice(0, 2), ...values.slice(2).filter(({ code }) => code)]],
	])(
		'is sent, named or refused as D2 says: all pairs of options and of values that %s',
		async (_, chosen) => {
			const values = Object.entries(ROWS).map(([field, list]) => [field, chosen(list)]);
			const cases = allPairs({ ...OPTIONS, ...(Object.fromEntries(values) as typeof ROWS) });
			for (const [index, one] of cases.entries()) {
				const [seen, wanted] = await compare(one, cases.at(index - 1)!);
				expect(seen).toEqual(wanted);
			}
		},
		120_000,
	);
});
