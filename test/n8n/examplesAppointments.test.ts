import { DateTime } from 'luxon';
import type { CalendarEvent, CalendarTime, Calendars } from '../../harness/examples/calendars';
import { errorOf, itemsOf } from '../../harness/n8n/execution';
import { sendAppointment } from '../../harness/sendAppointment';
import { startExamplesTestbed, type ExamplesTestbed } from '../support/examplesTestbed';
import { matchConversation } from '../support/matchConversation';
import { N8N_START_LIMIT_MS } from '../support/n8n';

const [AVA, BEN, CARLA] = ['ava.adams@example.com', 'ben.hansen@example.com', 'carla.ortiz@example.com'];
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

const CUSTOMER: Guest = { email: 'noor@haddad.example', name: 'Noor Haddad' };
const ROOM: Guest = { email: 'room-4@resource.example', isRoom: true };
const VISIT = [{ email: AVA }, { email: BEN }, CUSTOMER];

/** How a calendar writes an event of one hour in UTC, by its API's documentation. */
interface Calendar {
	slug: string;
	list: keyof Calendars;
	event(id: string, hour: number, guests: Guest[]): CalendarEvent;
	allDay: Partial<CalendarEvent>;
	cancelled: object;
}

const googleEvent: Calendar['event'] = (id, hour, guests) => {
	// Berlin, so that the offset counts.
	const time = (at: number): CalendarTime => ({
		dateTime: TOMORROW.set({ hour: at }).setZone('Europe/Berlin').toISO({ suppressMilliseconds: true })!,
		timeZone: 'Europe/Berlin',
	});
	return {
		kind: 'calendar#event',
		id,
		status: 'confirmed',
		updated: DateTime.utc().toISO(),
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

const outlookEvent: Calendar['event'] = (id, hour, guests) => {
	const time = (at: number): CalendarTime => ({
		dateTime: TOMORROW.set({ hour: at }).toFormat("yyyy-MM-dd'T'HH:mm:ss'.0000000'"),
		timeZone: 'UTC',
	});
	const person = ({ email: address, name = address }: Guest) => ({ emailAddress: { name, address } });
	return {
		id: `AAMk-${id}`,
		iCalUId: id,
		isCancelled: false,
		isAllDay: false,
		lastModifiedDateTime: DateTime.utc().toISO(),
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

const CALENDARS: Calendar[] = [
	{
		slug: 'google-calendar-to-appointments',
		list: 'google',
		event: googleEvent,
		allDay: { start: { date: TOMORROW.toISODate() }, end: { date: TOMORROW.plus({ days: 1 }).toISODate() } },
		cancelled: { status: 'cancelled' },
	},
	{
		slug: 'outlook-to-appointments',
		list: 'outlook',
		event: outlookEvent,
		allDay: { ...outlookEvent('', 0, []), isAllDay: true },
		cancelled: { isCancelled: true },
	},
];

describe('Examples that keep appointments, in a real n8n', () => {
	let testbed: ExamplesTestbed;

	beforeAll(async () => (testbed = await startExamplesTestbed()), N8N_START_LIMIT_MS);
	afterAll(() => testbed?.stop(), 60_000);

	const stored = () =>
		testbed.sandbox.control
			.appointments()
			.map(({ event_id, user_email, start_time, end_time, title, attendees, customer }) => ({
				event_id,
				user_email,
				start_time,
				end_time,
				title,
				attendees,
				customer,
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

	test.each(CALENDARS)(
		'$slug: visits are booked, moved, cancelled and joined as in the calendar, and nothing is sent without a change',
		async ({ slug, list, event, allDay, cancelled }) => {
			const calendar = testbed.doubles.calendars[list];
			const visit = (event_id: string, hour: number, attendees: string[]) => ({
				event_id,
				user_email: AVA,
				start_time: sqlTime(hour),
				end_time: sqlTime(hour + 1),
				title: 'Roof inspection',
				attendees,
				customer: { id: CUSTOMER.email, name: CUSTOMER.name, email: CUSTOMER.email },
			});
			const id = (name: string) => `${list}-${name}`;
			const odd: Guest[] = [ROOM, { email: CARLA, response: 'declined' }, { name: 'No address' }];
			calendar.push(
				event(id('1'), 8, [...odd, ...VISIT]),
				event(id('2_instance1'), 10, VISIT),
				event(id('2_instance2'), 12, VISIT),
				event(id('internal'), 14, [{ email: AVA }, { email: BEN }, ROOM]),
				{ ...event(id('allDay'), 0, VISIT), ...allDay },
			);
			const workflowId = await testbed.importExample(slug);
			await run(workflowId);
			expect(stored()).toEqual([
				visit(id('1'), 8, [AVA, BEN]),
				visit(id('2_instance1'), 10, [AVA, BEN]),
				visit(id('2_instance2'), 12, [AVA, BEN]),
			]);
			expect(await runAgain(workflowId)).toEqual([]);

			calendar[0] = event(id('1'), 9, [...VISIT, { email: CARLA, response: 'accepted' }]);
			calendar[1] = event(id('2_instance1'), 15, VISIT);
			calendar[2] = { ...calendar[2], ...cancelled };
			const changed = await run(workflowId);
			const expected = [visit(id('1'), 9, [AVA, BEN, CARLA]), visit(id('2_instance1'), 15, [AVA, BEN])];
			expect(stored()).toEqual(expected);
			expect(changed.sort()).toEqual([
				`DELETE /crm/custom/appointment/${id('2_instance2')}`,
				...Array(2).fill('POST /crm/custom/appointment'),
			]);
			expect(await runAgain(workflowId)).toEqual([]);
			expect(stored()).toEqual(expected);

			calendar.length = 0;
			for (const { event_id } of expected) {
				calendar.push({ ...event(event_id, 9, VISIT), ...cancelled });
			}
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
});
