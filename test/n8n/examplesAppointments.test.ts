import { DateTime } from 'luxon';
import type { CalendarEvent, CalendarTime } from '../../harness/examples/calendars';
import { DIALER } from '../../harness/examples/credentials';
import type { Doubles } from '../../harness/examples/doubles';
import type { HubSpotRecord } from '../../harness/examples/hubspot';
import type { SalesforceEvent, SalesforceInvitee } from '../../harness/examples/salesforce';
import { errorOf, itemsOf } from '../../harness/n8n/execution';
import { sendAppointment } from '../../harness/sendAppointment';
import { startExamplesTestbed, type ExamplesTestbed } from '../support/examplesTestbed';
import { matchConversation } from '../support/matchConversation';
import { N8N_START_LIMIT_MS } from '../support/n8n';

const [AVA, BEN, CARLA] = ['ava.adams@example.com', 'ben.hansen@example.com', 'carla.ortiz@example.com'];
const DANA = 'dana.silva@example.com';
const TRIGGER = 'Every 15 Minutes';
/** Of the first visit, after n8n's default time zone has reached that day too. */
const TOMORROW = DateTime.utc().plus({ days: 2 }).startOf('day');
const sqlTime = (hour: number) => TOMORROW.set({ hour }).toFormat('yyyy-MM-dd HH:mm:ss');

interface Guest {
	email?: string;
	name?: string;
	/** As Google says it. */
	response?: 'accepted' | 'declined' | 'needsAction';
	isRoom?: boolean;
}

/** A visit of one hour in UTC. */
interface Visit {
	id: string;
	hour: number;
	guests: Guest[];
	isCancelled?: boolean;
	isAllDay?: boolean;
	/** Whether the customer bought, where the source knows. */
	isSold?: boolean;
}

/** A calendar or CRM, which writes visits by its API's documentation. */
interface Source {
	slug: string;
	write(doubles: Doubles, visits: Visit[]): void;
	customer: object;
	/** The result and price of a sold visit. */
	sold?: object;
}

const CUSTOMER = { email: 'noor@haddad.example', name: 'Noor Haddad' };
const ROOM: Guest = { email: 'room-4@resource.example', isRoom: true };
const VISIT = [{ email: AVA }, { email: BEN }, CUSTOMER];
const ODD: Guest[] = [ROOM, { email: CARLA, response: 'declined' }, { name: 'No address' }];
const at = (hour: number) => TOMORROW.set({ hour }).toISO({ suppressMilliseconds: true })!;
const refill = <Row>(list: Row[], rows: Row[]) => void list.splice(0, list.length, ...rows);

const google = ({ id, hour, guests, isCancelled, isAllDay }: Visit): CalendarEvent => {
	// Berlin, so that the offset counts.
	const time = (of: number): CalendarTime =>
		isAllDay
			? { date: TOMORROW.toISODate()! }
			: {
					dateTime: DateTime.fromISO(at(of), { zone: 'Europe/Berlin' }).toISO({
						suppressMilliseconds: true,
					})!,
					timeZone: 'Europe/Berlin',
				};
	return {
		kind: 'calendar#event',
		id,
		status: isCancelled ? 'cancelled' : 'confirmed',
		updated: '2026-01-01T00:00:00.000Z',
		summary: 'Roof inspection',
		organizer: { email: AVA, self: true },
		start: time(hour),
		end: time(hour + 1),
		attendees: guests.map(({ email, name, response = 'accepted', isRoom }) => ({
			email,
			displayName: name,
			responseStatus: response,
			...(email === AVA && { organizer: true, self: true }),
			...(isRoom && { resource: true }),
		})),
	};
};

const outlook = ({ id, hour, guests, isCancelled = false, isAllDay = false }: Visit): CalendarEvent => {
	const time = (of: number): CalendarTime => ({ dateTime: at(of).replace('Z', '.0000000'), timeZone: 'UTC' });
	const person = ({ email: address, name = address }: Guest) => ({ emailAddress: { name, address } });
	return {
		id: `AAMk-${id}`,
		iCalUId: id,
		isCancelled,
		isAllDay,
		lastModifiedDateTime: '2026-01-01T00:00:00Z',
		subject: 'Roof inspection',
		organizer: person({ email: AVA }),
		start: time(hour),
		end: time(hour + 1),
		attendees: guests
			.filter(({ email }) => email !== AVA)
			.map((guest) => ({
				...person(guest),
				type: guest.isRoom ? 'resource' : 'required',
				status: { response: guest.response ?? 'accepted', time: '0001-01-01T00:00:00Z' },
			})),
	};
};

/** HubSpot has no rooms, declined invitations or whole days, but owners who have left. */
const hubSpot = ({ hubSpot: { owners, contacts, deals, meetings } }: Doubles, visits: Visit[]) => {
	const createdAt = '2026-01-01T00:00:00.000Z';
	const isOdd = ({ email, response, isRoom }: Guest) => !email || response === 'declined' || isRoom;
	refill(
		owners,
		[AVA, BEN, CARLA].map((email, index) => ({ id: String(50 + index), email })),
	);
	refill(contacts, [
		{ id: '900', createdAt, properties: { email: 'first@haddad.example' } },
		{ id: '901', createdAt, properties: { email: CUSTOMER.email, firstname: 'Noor', lastname: 'Haddad' } },
	]);
	refill(deals, [{ id: '700', createdAt, properties: { amount: '1200.50' } }]);
	const meeting = ({ id, hour, guests, isCancelled, isSold }: Visit): HubSpotRecord => {
		const ids = guests.map((guest) =>
			isOdd(guest) ? '99' : owners.find(({ email }) => email === guest.email)?.id,
		);
		return {
			id,
			createdAt,
			properties: {
				hs_meeting_title: 'Roof inspection',
				hs_meeting_start_time: at(hour),
				hs_meeting_end_time: at(hour + 1),
				hs_meeting_outcome: isCancelled ? 'CANCELED' : isSold ? 'COMPLETED' : 'SCHEDULED',
				hubspot_owner_id: '50',
				hs_attendee_owner_ids: ids.filter(Boolean).join(';'),
				hs_lastmodifieddate: createdAt,
			},
			links: {
				contacts: guests.includes(CUSTOMER) ? ['901', '900'] : [],
				deals: isSold ? ['700'] : [],
			},
		};
	};
	const logged = meeting({ id: '8', hour: 6, guests: VISIT });
	const written = visits
		.filter(({ isAllDay }) => !isAllDay)
		.map((visit) => meeting({ ...visit, id: visit.id.replace(/\D/g, '') }));
	refill(meetings, [...written, { ...logged, createdAt: at(20) }]);
};

const salesforce = (visit: Visit): SalesforceEvent => {
	const invitee = ({ email, response, isRoom }: Guest, IsDeleted = false): SalesforceInvitee => ({
		Relation: {
			Email: email ?? null,
			Type: isRoom ? 'Calendar' : email === CUSTOMER.email ? 'Contact' : 'User',
		},
		Status: response === 'declined' ? 'Declined' : 'Accepted',
		IsDeleted,
	});
	const time = (of: number) => at(of).replace('Z', '.000+0000');
	return {
		Id: visit.id,
		IsDeleted: visit.isCancelled ?? false,
		IsChild: false,
		IsAllDayEvent: visit.isAllDay ?? false,
		Subject: 'Roof inspection',
		LastModifiedDate: '2026-01-01T00:00:00.000+0000',
		StartDateTime: time(visit.hour),
		EndDateTime: time(visit.hour + 1),
		Owner: { Email: AVA },
		...(visit.guests.includes(CUSTOMER) && {
			WhoId: '003',
			Who: { Name: CUSTOMER.name, Email: CUSTOMER.email, Phone: null },
		}),
		invitees: [
			...visit.guests.filter(({ email }) => email !== AVA).map((guest) => invitee(guest)),
			invitee({ email: DANA }, true),
		],
	};
};

const BY_EMAIL = { id: CUSTOMER.email, name: CUSTOMER.name, email: CUSTOMER.email };

const SOURCES: Source[] = [
	{
		slug: 'google-calendar-to-appointments',
		write: ({ calendars }, visits) => refill(calendars.google, visits.map(google)),
		customer: BY_EMAIL,
	},
	{
		slug: 'outlook-to-appointments',
		write: ({ calendars }, visits) => refill(calendars.outlook, visits.map(outlook)),
		customer: BY_EMAIL,
	},
	{
		slug: 'hubspot-to-appointments',
		write: hubSpot,
		customer: { ...BY_EMAIL, id: '901' },
		sold: { result: 'Completed', price: 1200.5 },
	},
	{
		slug: 'salesforce-to-appointments',
		// Salesforce has a copy of each event for each of its invitees.
		write: ({ salesforce: events }, visits) =>
			refill(
				events,
				visits
					.map(salesforce)
					.flatMap((event) => [event, { ...event, Id: `${event.Id}-copy`, IsChild: true }]),
			),
		customer: { ...BY_EMAIL, id: '003' },
	},
];

describe('Examples that keep appointments, in a real n8n', () => {
	let testbed: ExamplesTestbed;

	beforeAll(async () => (testbed = await startExamplesTestbed()), N8N_START_LIMIT_MS);
	afterAll(() => testbed?.stop(), 60_000);

	const stored = () =>
		testbed.sandbox.control
			.appointments()
			.map(({ event_id, user_email, start_time, end_time, title, attendees, customer, result, price }) => ({
				event_id,
				user_email,
				start_time,
				end_time,
				title,
				attendees,
				customer,
				result,
				price,
			}))
			.sort((one, other) => one.event_id.localeCompare(other.event_id));
	/** Runs a workflow and returns its requests to the service. */
	const run = async (workflowId: string): Promise<string[]> => {
		testbed.sandbox.requests.reset();
		const execution = await testbed.n8n.client.run(workflowId, { trigger: TRIGGER });
		expect(errorOf(execution)).toBeUndefined();
		return testbed.sandbox.requests.list().map(({ method, path }) => `${method} ${path}`);
	};
	/** Runs a workflow again within the hour, because it sends all rows once an hour. */
	const runAgain = async (workflowId: string): Promise<string[]> => {
		const { hour } = DateTime.utc();
		const requests = await run(workflowId);
		return DateTime.utc().hour === hour ? requests : await runAgain(workflowId);
	};

	test.each(SOURCES)(
		'$slug: visits are booked, moved, cancelled and joined as in the source, and nothing is sent without a change',
		async ({ slug, write, customer, sold }) => {
			const expected = (event_id: string, hour: number, attendees: string[], more?: object) => ({
				event_id,
				user_email: AVA,
				start_time: sqlTime(hour),
				end_time: sqlTime(hour + 1),
				title: 'Roof inspection',
				attendees,
				customer,
				...more,
			});
			// HubSpot's IDs are numbers.
			const [one, two, three] = [1, 2, 3].map((n) => (slug.startsWith('hubspot') ? `${n}` : `${slug}_${n}`));
			write(testbed.doubles, [
				{ id: one, hour: 8, guests: [...ODD, ...VISIT] },
				{ id: two, hour: 10, guests: VISIT },
				{ id: three, hour: 12, guests: VISIT },
				{ id: `${slug}_4`, hour: 14, guests: [{ email: AVA }, { email: BEN }, ROOM] },
				{ id: `${slug}_5`, hour: 0, guests: VISIT, isAllDay: true },
			]);
			const workflowId = await testbed.importExample(slug);
			await run(workflowId);
			expect(stored()).toEqual([
				expected(one, 8, [AVA, BEN]),
				expected(two, 10, [AVA, BEN]),
				expected(three, 12, [AVA, BEN]),
			]);
			expect(await runAgain(workflowId)).toEqual([]);

			write(testbed.doubles, [
				{ id: one, hour: 9, guests: [...VISIT, { email: CARLA }], isSold: true },
				{ id: two, hour: 15, guests: VISIT },
				{ id: three, hour: 12, guests: VISIT, isCancelled: true },
			]);
			const changed = await run(workflowId);
			const kept = [expected(one, 9, [AVA, BEN, CARLA], sold), expected(two, 15, [AVA, BEN])];
			expect(stored()).toEqual(kept);
			expect(changed.sort()).toEqual([
				`DELETE /crm/custom/appointment/${three}`,
				...Array(2).fill('POST /crm/custom/appointment'),
			]);
			expect(await runAgain(workflowId)).toEqual([]);
			expect(stored()).toEqual(kept);

			write(
				testbed.doubles,
				[one, two].map((id) => ({ id, hour: 9, guests: VISIT, isCancelled: true })),
			);
			await run(workflowId);
			expect(stored()).toEqual([]);
		},
		120_000,
	);

	const minutesAgo = (minutes: number) => DateTime.utc().minus({ minutes }).toISO();
	/** An appointment as an earlier run would have booked it. */
	const book = async (event_id: string) =>
		await sendAppointment(testbed.sandbox, {
			event_id,
			user_email: AVA,
			start_time: sqlTime(15),
			end_time: sqlTime(16),
			title: 'Booked before',
			customer: { id: 'c-1', name: 'Blue Door Ltd' },
		});
	const titles = () => stored().map(({ event_id, title }) => [event_id, title]);

	describe('sync-appointments', () => {
		// D2-DOES-01
		test('books the rows of a table, deletes the cancelled one, and sends nothing without a change', async () => {
			for (const id of ['crm-1002', 'crm-1003']) await book(id);
			const workflowId = await testbed.importExample('sync-appointments');
			await run(workflowId);

			expect(titles()).toEqual([
				['crm-1001', 'Roof inspection'],
				['crm-1002', 'Solar consultation'],
			]);
			expect(await runAgain(workflowId)).toEqual([]);
		}, 120_000);

		test('sends every other row, the last one of an Event ID wins, and the refused row is named', async () => {
			const { n8n, sandbox } = testbed;
			await book('kept');
			const [conversationId] = sandbox.control.insertConversations({ userEmail: AVA });
			await matchConversation(sandbox, 'kept', conversationId);
			const row = {
				status: 'booked',
				title: 'T',
				customer_id: 'c',
				customer_name: 'C',
				start_time: minutesAgo(9),
			};
			const rows = [
				{ event_id: 'kept', status: ' Canceled' },
				{ ...row, event_id: 'left', user_email: 'gone@example.com' },
				{ ...row, event_id: 'other', user_email: BEN },
				{ event_id: 'again', status: 'cancelled' },
				{ ...row, event_id: 'again', user_email: BEN },
				{ ...row, event_id: 'over', user_email: BEN },
				{ event_id: 'over', status: 'CANCELLED' },
			].map((each) => ({ end_time: minutesAgo(0), attendee_emails: [], ...each }));
			const jsCode = `return ${JSON.stringify(rows)};`;
			const id = await testbed.importExample('sync-appointments', { 'CRM Rows (replace me)': { jsCode } });
			const execution = await n8n.client.run(id, { trigger: TRIGGER });

			expect(errorOf(execution)?.message).toMatch(/left/);
			expect(titles().filter(([name]) => !/^crm-/.test(name!))).toEqual([
				['again', 'T'],
				['kept', 'Booked before'],
				['other', 'T'],
			]);
		}, 120_000);
	});

	// D2-DOES-04
	test('match-conversations: a conversation without an appointment gets the nearest one of its rep, once', async () => {
		const { n8n, sandbox } = testbed;
		for (const id of ['near', 'far']) await book(id);
		const row = (event_id: string, minutes: number, status = 'booked') => ({
			event_id,
			status,
			user_email: BEN.toUpperCase(),
			start_time: minutesAgo(minutes),
		});
		const rows = [row('far', 35), row('near', 10), row('gone', 12, 'cancelled')];
		const jsCode = `return ${JSON.stringify(rows)};`;
		const workflowId = await testbed.importExample('match-conversations', {
			'Appointments (replace me)': { jsCode },
		});
		const recorded = (minutes: number, crmEventID: string | null) =>
			sandbox.control.insertConversations({
				userEmail: BEN,
				date: minutesAgo(minutes)!,
				fields: { crmEventID },
			})[0];
		const [orphan, linked, earlier] = [
			recorded(12, null),
			recorded(14, 'somewhere else'),
			recorded(120, null),
		];
		const matched = async () => {
			const execution = await n8n.client.run(workflowId, { trigger: TRIGGER });
			expect(errorOf(execution)).toBeUndefined();
			const pairs = itemsOf(execution, 'Match').map(({ json }) => [json.event_id, json.conversation_id]);
			return pairs.filter(([, id]) => [orphan, linked, earlier].includes(String(id)));
		};

		expect(await matched()).toEqual([['near', orphan]]);
		expect(await matched()).toEqual([]);
	}, 120_000);

	test('conversation-to-salesforce: summary and score stand once in the description, which keeps its own words', async () => {
		const { n8n, sandbox, doubles } = testbed;
		const event = salesforce({ id: '00U000000000001AAA', hour: 9, guests: VISIT });
		refill(doubles.salesforce, [{ ...event, Description: 'Bring a ladder.' }]);
		const checklist = {
			checklistName: 'Discovery',
			checklistScore: 4,
			checklistDenominator: 6,
			trackerData: [],
		};
		const conversation = (jobSummary: string, crmEventID = event.Id) =>
			sandbox.control.insertConversations({
				userEmail: AVA,
				date: minutesAgo(1)!,
				fields: { crmEventID, jobSummary, checklists: [checklist] },
			})[0];
		const ids = [conversation('Wants a new roof.'), conversation('Called back.')];
		conversation('Of a deleted event.', '00U000000000002AAA');
		conversation('Of another system.', "00U' OR Id != '");
		const workflowId = await testbed.importExample('conversation-to-salesforce');
		for (let time = 0; time < 2; time++) {
			expect(errorOf(await n8n.client.run(workflowId, { trigger: 'Try It' }))).toBeUndefined();
			const parts = doubles.salesforce[0].Description!.split(/\n(?=--- Conversation )/);
			expect([parts[0], ...parts.slice(1).sort()]).toEqual([
				'Bring a ladder.',
				...ids
					.map((id, index) =>
						[
							`--- Conversation ${id} ---`,
							['Wants a new roof.', 'Called back.'][index],
							'Discovery: 4 of 6',
							`${sandbox.url}/app/conversations/${id}`,
							`--- End of conversation ${id} ---`,
						].join('\n'),
					)
					.sort(),
			]);
		}
	}, 120_000);

	test('dialer-to-appointments: a recorded call becomes an appointment with its audio, and only such a call', async () => {
		const { n8n, sandbox } = testbed;
		const workflowId = await testbed.importExample('dialer-to-appointments');
		await n8n.client.publish(workflowId);
		const call = async (body: object, headers: Record<string, string> = { [DIALER.name]: DIALER.value }) =>
			await fetch(`${n8n.url}/webhook/recorded-calls`, {
				method: 'POST',
				headers: { 'content-type': 'application/json', ...headers },
				body: JSON.stringify(body),
			}).then(({ status }) => status);
		const recorded = {
			call_id: 71,
			rep_email: AVA,
			started_at: minutesAgo(5),
			ended_at: minutesAgo(1),
			customer_phone: '+1 555 0100',
			recording_url: 'https://dialer.example/recordings/71.mp3?key=1',
		};
		expect(await call(recorded, {})).toBe(403);
		expect(await call({ ...recorded, call_id: 72, recording_url: null })).toBe(200);
		// So that the dialer sends the call again.
		expect(await call({ ...recorded, call_id: 73, rep_email: 'gone@example.com' })).toBe(500);
		expect(await call(recorded)).toBe(200);
		await n8n.client.unpublish(workflowId);
		expect(sandbox.control.appointments().filter(({ event_id }) => event_id.startsWith('call-'))).toEqual([
			expect.objectContaining({
				event_id: 'call-71',
				attendees: [AVA],
				title: 'Call with +1 555 0100',
				media_url: recorded.recording_url,
				recording_type: 'CALL_AUDIO',
			}),
		]);
	}, 120_000);
});
