import { DateTime } from 'luxon';
import type { INodeTypeDescription } from 'n8n-workflow';
import { DIALER } from '../../harness/examples/credentials';
import {
	AVA,
	BEN,
	CARLA,
	CUSTOMER,
	DAY,
	LONG_AGO,
	refill,
	salesforceEvent,
	VISIT,
	WRITERS,
	type Guest,
	type Visit,
} from '../../harness/examples/visits';
import { BY_EMAIL, hourOf, WHOLE_SOURCES } from '../../harness/examples/wholeSources';
import { detailsOf, itemsOf } from '../../harness/n8n/execution';
import { exampleWorkflows } from '../../harness/workflows';
import { sendAppointment } from '../../harness/sendAppointment';
import type { Sandbox } from '../../sandbox';
import { useDoublesTestbed } from '../support/doublesTestbed';
import { issuesOf, opened } from '../support/savedNodes';

type Appointment = ReturnType<Sandbox['control']['appointments']>[number];
const TRIGGER = 'Every 15 Minutes';
const NIGHTLY = 'Every Night';
const sqlTime = (hour: number, days = 0) => DAY.plus({ days }).set({ hour }).toFormat('yyyy-MM-dd HH:mm:ss');

const SENT = 'event_id,user_email,start_time,end_time,title,attendees,customer,result,price'.split(
	',',
) as Array<keyof Appointment>;

const SOLD = { result: 'Completed', price: 1200.5 };
const ROOM: Guest = { email: 'room-4@resource.example', isRoom: true };
const ODD: Guest[] = [ROOM, { email: CARLA, response: 'declined' }, { name: 'No address' }];

/** The customer of a visit in each calendar and CRM, and the result and price of a sold one. */
const SOURCES: Array<{ slug: string; customer: object; sold?: object }> = [
	{ slug: 'google-calendar-to-appointments', customer: BY_EMAIL },
	{ slug: 'outlook-to-appointments', customer: BY_EMAIL },
	{ slug: 'hubspot-to-appointments', customer: { ...BY_EMAIL, id: '901' }, sold: SOLD },
	{ slug: 'salesforce-to-appointments', customer: { ...BY_EMAIL, id: '003' } },
];

/** What a visit can become that is no visit any more. */
const GHOSTS: Record<string, Partial<Visit>> = {
	left: { guests: [{ email: AVA }, { email: BEN }] },
	allDay: { isAllDay: true },
	cancelled: { isCancelled: true },
	cancelledByCustomer: { isCancelled: true, outcome: 'CANCELLED_BY_CUSTOMER' },
	series: { isSeries: true },
	deleted: { isDeleted: true },
	declined: { guests: [{ email: AVA, response: 'declined' }, CUSTOMER] },
};

/** What a source has no word for: CRMs have no series, HubSpot no whole days, and an owner declines in calendars only. */
const UNKNOWN_TO: Record<string, string[]> = {
	'hubspot-to-appointments': ['allDay', 'declined', 'series'],
	'salesforce-to-appointments': ['declined', 'series'],
};

describe('Examples that keep appointments, in a real n8n', () => {
	const testbed = useDoublesTestbed(undefined, {
		DB_PING_TIMEOUT_MS: '120000',
		N8N_RUNNERS_GRANT_TOKEN_TTL: '600',
	});

	const stored = () =>
		testbed.sandbox.control
			.appointments()
			.sort((one, other) => one.event_id.localeCompare(other.event_id))
			.map((one) => Object.fromEntries(SENT.map((field) => [field, one[field]])));
	const run = async (workflowId: string, trigger = TRIGGER): Promise<string[]> => {
		testbed.sandbox.requests.reset();
		await testbed.run(workflowId, trigger);
		return testbed.sandbox.requests.list().map(({ method, path }) => `${method} ${path}`);
	};

	test.each(SOURCES)(
		'$slug: visits are booked, moved, cancelled and joined as in the source, and only what has changed is sent',
		async ({ slug, customer, sold }) => {
			const fill = (...visits: Visit[]) => WRITERS[slug](testbed.doubles, visits);
			const visit = (number: number, hour: number): Visit => ({
				// HubSpot's IDs are numbers.
				...{ id: slug.startsWith('hubspot') ? `${number}` : `${slug}_${number}`, hour },
				...{ guests: VISIT, changed: LONG_AGO },
			});
			const [joined, moved, cancelled, same, far, internal, day] = [8, 9, 10, 11, 12, 13, 0].map((hour, n) =>
				visit(20 + n, hour),
			);
			const kinds = Object.keys(GHOSTS).filter((kind) => !UNKNOWN_TO[slug]?.includes(kind));
			const ghosts = kinds.map((_kind, n) => visit(30 + n, 14 + n));
			const expected = (of: Visit, attendees = [AVA, BEN], more = {}) => ({
				...{ event_id: of.id, user_email: AVA, title: 'Roof inspection', attendees, customer, ...more },
				...{ start_time: sqlTime(of.hour, of.daysLater), end_time: sqlTime(of.hour + 1, of.daysLater) },
			});
			const now = (of: Visit, change: Partial<Visit>) => ({ ...of, changed: undefined, ...change });
			const times = () => stored().map(({ event_id, start_time }) => [event_id, start_time]);
			const timesOf = (...kept: Visit[]) =>
				kept.map(({ id, hour, daysLater }) => [id, sqlTime(hour, daysLater)]);

			const visited = [{ ...joined, guests: [...ODD, ...VISIT] }, moved, cancelled, far, ...ghosts];
			const unvisited = { ...internal, guests: [{ email: AVA }, { email: BEN }, ROOM] };
			fill({ ...same, isPublic: true }, unvisited, { ...day, isAllDay: true }, ...visited);
			const workflowId = await testbed.importExample(slug);
			await run(workflowId, NIGHTLY);
			expect(stored().slice(0, 3)).toEqual([joined, moved, cancelled].map((each) => expected(each)));
			expect(times()).toEqual(timesOf(joined, moved, cancelled, same, far, ...ghosts));
			// The source is busy once: n8n asks it again.
			testbed.doubles.busy.requests = 1;
			expect(await run(workflowId)).toEqual([]);
			expect(testbed.doubles.busy.requests).toBeLessThan(0);

			const later = now(joined, { hour: 7, guests: [...VISIT, { email: CARLA }], isSold: true });
			const elsewhen = now(moved, { hour: 22 });
			// Beyond the next 30 days, a visit keeps its appointment.
			const next = now(far, { daysLater: 60 });
			const gone = [
				now(cancelled, { isCancelled: true }),
				...ghosts.map((each, n) => now(each, GHOSTS[kinds[n]])),
			];
			fill(later, elsewhen, { ...same, isPublic: true }, next, ...gone);
			const requests = await run(workflowId);
			const kept = [expected(later, [AVA, BEN, CARLA], sold), expected(elsewhen)];
			expect(stored().slice(0, 2)).toEqual(kept);
			expect(times()).toEqual(timesOf(later, elsewhen, same, next));
			expect(requests.sort()).toEqual([
				...gone.map(({ id }) => `DELETE /crm/custom/appointment/${id}`),
				...Array(3).fill('POST /crm/custom/appointment'),
			]);

			// Salesforce forgets the customer of a deleted event.
			const off = [later, elsewhen].map((each) => now(each, { guests: [{ email: AVA }], isCancelled: true }));
			const evenLater = now(far, { daysLater: 61 });
			fill(...off, now(same, { isDeleted: true }), evenLater);
			await run(workflowId);
			expect(times()).toEqual(timesOf(evenLater));
			// Nothing else is left in the calendar.
			fill(now(evenLater, { isDeleted: true }));
			await run(workflowId);
			expect(times()).toEqual([]);
		},
		180_000,
	);

	test.each(Object.entries(WHOLE_SOURCES))(
		'%s: of all that a real calendar or table has, only visits are booked, and each failure is named',
		async (slug, { visits, others, rejected, written, fill }) => {
			const rows = Object.entries({ ...visits, ...others, ...rejected }).map(([id, kind], index) =>
				written({ ...kind, booked: undefined }, id, index),
			);
			const jsCode = `return ${JSON.stringify(rows)};`;
			fill?.(testbed.doubles, rows);
			const workflowId = await testbed.importExample(
				slug,
				fill ? {} : { 'CRM Rows (replace me)': { parameters: { jsCode } } },
			);
			const customer = SOURCES.find((source) => source.slug === slug)?.customer ?? BY_EMAIL;
			const wanted = Object.entries(visits).map(([event_id, { booked }], index) => ({
				...{ event_id, user_email: AVA, attendees: [AVA], start_time: sqlTime(hourOf(index)) },
				customer,
				...booked,
			}));
			for (const trigger of [NIGHTLY, TRIGGER]) {
				const begun = new Date().toISOString();
				const { causes = [] } = (detailsOf(await testbed.n8n.client.run(workflowId, { trigger })) ?? {}) as {
					causes?: Array<{ eventId: string }>;
				};
				expect(causes.map(({ eventId }) => eventId).sort()).toEqual(Object.keys(rejected).sort());
				const sent = testbed.sandbox.control.appointments().filter(({ updatedAt }) => updatedAt >= begun);
				const byId = sent.sort((one, other) => one.event_id.localeCompare(other.event_id));
				expect(byId).toMatchObject(wanted.sort((one, other) => one.event_id.localeCompare(other.event_id)));
			}
		},
		120_000,
	);

	test('every example has the newest version of each node, and only parameters and values that it has', async () => {
		const types = await testbed.n8n.client.nodeTypes();
		const nodes = exampleWorkflows().flatMap(({ slug, workflow }) =>
			workflow.nodes.map((node) => ({ ...node, name: `${slug}: ${node.name}` })),
		);
		const found = nodes.map((node) => {
			const isIts = ({ name, version }: INodeTypeDescription) =>
				name === node.type && [version].flat().includes(node.typeVersion);
			const description = types.find(isIts)!;
			const parameters = opened(node, true, description);
			const versions = types.flatMap(({ name, version }) => (name === node.type ? version : []));
			const typeVersion = Math.max(...versions);
			return { name: node.name, typeVersion, parameters, issues: issuesOf(node, description) };
		});
		const expected = nodes.map(({ name, typeVersion, parameters }) => ({
			...{ name, typeVersion, parameters, issues: [] },
		}));
		expect(found).toMatchObject(expected);
	}, 60_000);

	const minutesAgo = (minutes: number) => DateTime.utc().minus({ minutes }).toISO();
	/** An appointment as an earlier run would have booked it. */
	const book = async (event_id: string) =>
		await sendAppointment(testbed.sandbox, {
			...{ event_id, user_email: AVA, start_time: sqlTime(15), end_time: sqlTime(16) },
			...{ title: 'Booked before', customer: { id: 'c-1', name: 'Blue Door Ltd' } },
		});
	/** A conversation that was recorded so many minutes ago. */
	const recorded = (userEmail: string, minutes: number, fields: Record<string, unknown>) =>
		testbed.sandbox.control.insertConversations({ userEmail, date: minutesAgo(minutes), fields })[0];

	// D2-DOES-01
	test('sync-appointments: rows are booked, the cancelled one is deleted, only what has changed is sent', async () => {
		for (const id of ['crm-1002', 'crm-1003']) await book(id);
		const workflowId = await testbed.importExample('sync-appointments');
		await run(workflowId);

		const contact = { email: 'customer@example.com', phone: '+1 555 0100', address: '1 Main Street' };
		const customer = { id: 'customer-1001', name: 'Sample Customer', ...contact };
		const first = { event_id: 'crm-1001', user_email: AVA, attendees: [AVA], title: 'Roof inspection' };
		expect(stored().filter(({ event_id }) => /^crm-/.test(String(event_id)))).toMatchObject([
			{ ...first, customer },
			{ event_id: 'crm-1002', user_email: BEN },
		]);
		const rows = `return [{ event_id: 'crm-1001', status: 'cancelled', updated_at: $now.minus({ hours: 3 }).toISO() }];`;
		const old = await testbed.importExample('sync-appointments', {
			'CRM Rows (replace me)': { parameters: { jsCode: rows } },
		});
		expect(await run(old)).toEqual([]);
		expect(await run(old, NIGHTLY)).toEqual(['DELETE /crm/custom/appointment/crm-1001']);
	}, 120_000);

	// D2-DOES-04
	test('match-conversations: a conversation without an appointment gets the nearest one of its rep, once', async () => {
		for (const id of ['near', 'far']) await book(id);
		const row = (event_id: string, minutes: number, status = 'booked') => ({
			...{ event_id, status, user_email: BEN.toUpperCase(), start_time: minutesAgo(minutes) },
		});
		const rows = [row('far', 35), row('near', 10), row('gone', 12, 'cancelled')];
		const jsCode = `return ${JSON.stringify(rows)};`;
		const workflowId = await testbed.importExample('match-conversations', {
			'Appointments (replace me)': { parameters: { jsCode } },
		});
		const orphan = recorded(BEN, 12, { crmEventID: null });
		const linked = recorded(BEN, 14, { crmEventID: 'somewhere else' });
		const earlier = recorded(BEN, 120, { crmEventID: null });
		const matched = async () => {
			const matches = itemsOf(await testbed.run(workflowId, TRIGGER), 'Match Conversation');
			const pairs = matches.map(({ json }) => [json.event_id, String(json.conversation_id)]);
			return pairs.filter(([, id]) => [orphan, linked, earlier].includes(String(id)));
		};
		expect(await matched()).toEqual([['near', orphan]]);
		expect(await matched()).toEqual([]);
	}, 120_000);

	test('conversation-to-salesforce: summary and score stand once in the description, which keeps its own words', async () => {
		const { sandbox, doubles } = testbed;
		const event = salesforceEvent({ id: '00U000000000001AAA', hour: 9, guests: VISIT });
		refill(doubles.salesforce, [{ ...event, Description: 'Bring a ladder.' }]);
		const score = { checklistScore: 4, checklistDenominator: 6, trackerData: [] };
		const conversation = (jobSummary: string, crmEventID = event.Id) => {
			const checklists = [{ checklistName: 'Discovery', ...score }];
			return recorded(AVA, 1, { crmEventID, jobSummary, checklists });
		};
		const summaries = ['Wants a new roof.', 'Called back.'];
		const ids = summaries.map((summary) => conversation(summary));
		conversation('Of a deleted event.', '00U000000000002AAA');
		conversation('Of another system.', "00U' OR Id != '");
		const workflowId = await testbed.importExample('conversation-to-salesforce');
		const part = (id: string, index: number) => [
			...[`--- Conversation ${id} ---`, summaries[index], 'Discovery: 4 of 6'],
			...[`${sandbox.url}/app/conversations/${id}`, `--- End of conversation ${id} ---`],
		];
		for (let time = 0; time < 2; time++) {
			await testbed.run(workflowId, 'Try It');
			const [own, ...parts] = doubles.salesforce[0].Description!.split(/\n(?=--- Conversation )/);
			expect(own).toBe('Bring a ladder.');
			expect(parts.sort()).toEqual(ids.map((id, index) => part(id, index).join('\n')).sort());
		}
	}, 120_000);

	test('dialer-to-appointments: a recorded call becomes an appointment with its audio, and only such a call', async () => {
		await testbed.publish('dialer-to-appointments');
		const call = async (body: object, headers: Record<string, string> = { [DIALER.name]: DIALER.value }) =>
			await fetch(`${testbed.n8n.url}/webhook/recorded-calls`, {
				method: 'POST',
				headers: { 'content-type': 'application/json', ...headers },
				body: JSON.stringify(body),
			}).then(({ status }) => status);
		const made = {
			...{ call_id: 71, rep_email: AVA, started_at: minutesAgo(5), ended_at: minutesAgo(1) },
			customer_phone: '+1 555 0100',
			recording_url: 'https://dialer.example/recordings/71.mp3?key=1',
		};
		expect(await call(made, {})).toBe(403);
		expect(await call({ ...made, call_id: 72, recording_url: null })).toBe(200);
		// So that the dialer sends the call again.
		expect(await call({ ...made, call_id: 73, rep_email: 'gone@example.com' })).toBe(500);
		expect(await call(made)).toBe(200);
		const booked = testbed.sandbox.control.appointments().filter(({ event_id }) => /^call-/.test(event_id));
		const audio = { media_url: made.recording_url, recording_type: 'CALL_AUDIO' };
		const own = { event_id: 'call-71', attendees: [AVA], title: 'Call with +1 555 0100' };
		expect(booked).toEqual([expect.objectContaining({ ...own, ...audio })]);
	}, 120_000);
});
