import { type Sandbox, startSandbox } from '../../../sandbox';
import { appointment, crm, send } from './service';

let sandbox: Sandbox;
beforeEach(async () => {
	sandbox = await startSandbox({ conversations: 50 });
});
afterEach(() => sandbox.close());

const save = (changes: object = {}) =>
	crm(sandbox, 'POST', '/custom/appointment', { ...appointment, ...changes });
const stored = (eventId = 'e-1') =>
	sandbox.control.appointments().find((entry) => entry.event_id === eventId);

describe('The CRM API', () => {
	const exact = {
		user: 'user_email must be a non-empty string',
		attendees: 'attendee_emails must be an array of non-empty strings',
		media: 'attendee_emails cannot be combined with media_url',
	};
	const media = { media_url: 'https://media.example/a.wav', recording_type: 'CALL_AUDIO' };

	it.each<[object, string | RegExp]>([
		[{ user_email: '' }, exact.user],
		[{ user_email: ' ' }, exact.user],
		[{ user_email: 7 }, exact.user],
		[{ user_email: undefined }, exact.user],
		[{ attendee_emails: null }, exact.attendees],
		[{ attendee_emails: 'a@example.com' }, exact.attendees],
		[{ attendee_emails: ['a@example.com', ' '] }, exact.attendees],
		[{ attendee_emails: [1] }, exact.attendees],
		[{ ...media, attendee_emails: ['ben.hansen@example.com'] }, exact.media],
		[{ event_id: undefined }, /event_id/],
		[{ title: undefined }, /title/],
		[{ start_time: undefined }, /start_time/],
		[{ end_time: undefined }, /end_time/],
		[{ customer: undefined }, /customer/],
		[{ customer: { id: 'c-1' } }, /customer/],
		[{ customer: 'Jo' }, /customer/],
		[{ start_time: '2025-06-01T15:00:00Z' }, /start_time/],
		[{ start_time: '2025-06-31 15:00:00' }, /start_time/],
		[{ end_time: '2025-06-01 24:61:00' }, /end_time/],
		[{ price: '12.50' }, /price/],
		[{ ...media, recording_type: undefined }, /recording_type/],
		[{ ...media, recording_type: 'VIDEO' }, /recording_type/],
		[{ ...media, recording_type: 'CALL_AUDIO_WITH_LOCATION' }, /location/],
	])('refuses %j with 400 and stores nothing', async (changes, text) => {
		const answer = await save(changes);
		expect(answer.status).toBe(400);
		if (typeof text === 'string') expect(answer.text).toBe(text);
		else expect(answer.text).toMatch(text);
		expect(sandbox.control.appointments()).toEqual([]);
		expect(sandbox.control.debugger(sandbox.keys.organization)).toEqual([]);
	});

	it('accepts media with an empty attendee list', async () => {
		expect((await save({ ...media, attendee_emails: [] })).status).toBe(200);
	});

	it('refuses a body that is not JSON', async () => {
		for (const body of ['{"event_id":', '[]', '"text"', '']) {
			expect((await crm(sandbox, 'POST', '/custom/appointment', body)).status).toBe(400);
		}
	});

	it('responds with a JSON string to Accept: application/json', async () => {
		const headers = { 'x-api-key': sandbox.keys.organization, accept: 'application/json' };
		const bad = await crm(
			sandbox,
			'POST',
			'/custom/appointment',
			{ ...appointment, user_email: '' },
			headers,
		);
		expect(bad).toMatchObject({ status: 400, json: exact.user });
		const good = await crm(sandbox, 'POST', '/custom/appointment', appointment, headers);
		expect(good.status).toBe(200);
		expect(typeof good.json).toBe('string');
	});
});

describe('A received event', () => {
	it('is listed for its key with payload and stored values, but without the key', async () => {
		await save({ unknown_field: 1 });
		const url = `${sandbox.url}/control/debugger?key=${sandbox.keys.organization}`;
		const { json, text } = await send(url);
		expect(json.events).toMatchObject([
			{
				eventId: 'e-1',
				payload: { ...appointment, unknown_field: 1 },
				stored: { start_time: appointment.start_time, end_time: appointment.end_time },
			},
		]);
		expect(text).not.toContain(sandbox.keys.organization);
		expect(json.events[0].stored).not.toHaveProperty('unknown_field');
		expect((await send(`${sandbox.url}/control/debugger?key=wrong`)).status).toBe(400);
	});

	it('becomes a dead letter on a 500', async () => {
		sandbox.faults.add({ kind: 'serverError', path: '/crm', times: 1 });
		expect((await save()).status).toBe(500);
		expect(sandbox.control.deadLetters()).toMatchObject([
			{ method: 'POST', path: '/crm/custom/appointment', payload: { event_id: 'e-1' } },
		]);
		expect((await send(`${sandbox.url}/control/dead-letters`)).json.deadLetters).toHaveLength(1);
		expect(sandbox.control.appointments()).toEqual([]);
	});

	it('is stored even if the response is lost', async () => {
		sandbox.faults.add({ kind: 'lostAnswer', path: '/crm', times: 1 });
		await expect(save()).rejects.toThrow(/ECONNRESET|other side closed/);
		expect(stored()).toMatchObject({ event_id: 'e-1' });
	});
});
