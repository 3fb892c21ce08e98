import { type Sandbox, startSandbox } from '../../../sandbox';
import { appointment, crm, send } from './service';

let sandbox: Sandbox;
let people: ReturnType<Sandbox['control']['users']>;
beforeEach(async () => {
	sandbox = await startSandbox({ conversations: 50 });
	people = sandbox.control.users();
});
afterEach(() => sandbox.close());

const save = (changes: object = {}) =>
	crm(sandbox, 'POST', '/custom/appointment', { ...appointment, ...changes });
const stored = (eventId = 'e-1') =>
	sandbox.control.appointments().find((entry) => entry.event_id === eventId);
const person = (test: (user: (typeof people)[number]) => boolean) => {
	const found = people.find(test);
	if (!found) throw new Error('The generated users lack somebody that the test needs.');
	return found;
};
const reps = () => people.filter((user) => !user.isRemoved && !user.isHidden);

describe('create and update', () => {
	it('inserts, and leaves omitted fields unchanged on update', async () => {
		expect(await save({ result: 'Sold', price: 12.5, custom_fields: { a: 1 } })).toMatchObject({
			status: 200,
			type: expect.stringMatching(/^text\/plain/),
		});
		const { status } = await crm(sandbox, 'POST', '/custom/appointment', {
			event_id: 'e-1',
			user_email: appointment.user_email,
			end_time: '2025-06-01 17:30:00',
		});
		expect(status).toBe(200);
		expect(stored()).toMatchObject({
			...appointment,
			end_time: '2025-06-01 17:30:00',
			result: 'Sold',
			price: 12.5,
			custom_fields: { a: 1 },
			attendees: [appointment.user_email],
		});
		expect(sandbox.control.appointments()).toHaveLength(1);
	});

	it('keeps organizations apart', async () => {
		await save();
		const key = sandbox.keys.otherOrganization;
		expect(sandbox.control.appointments(key)).toEqual([]);
		expect(
			(await crm(sandbox, 'DELETE', '/custom/appointment/e-1', undefined, { 'x-api-key': key })).status,
		).toBe(404);
	});

	it('matches outcomes in any capitals and creates those that are new', async () => {
		const before = sandbox.control.outcomes();
		await save({ result: 'sOLD' });
		expect(stored()?.result).toBe('Sold');
		expect(sandbox.control.outcomes()).toEqual(before);
		await save({ result: 'Slod' });
		expect(sandbox.control.outcomes()).toEqual([...before, 'Slod']);
	});
});

describe('attendees', () => {
	it('resolve trimmed and in any capitals, by primary, alternate and first.last prefix, each person once', async () => {
		const alternate = person((user) => user.alternateEmails.length > 0 && !user.isRemoved && !user.isHidden);
		const prefixed = reps()[4];
		const local = prefixed.email.split('@')[0];
		const { status } = await save({
			attendee_emails: [
				`  ${appointment.user_email.toUpperCase()} `,
				alternate.alternateEmails[0].toUpperCase(),
				alternate.email,
				`${local}@elsewhere.example`,
				'nobody@example.com',
			],
		});
		expect(status).toBe(200);
		expect(stored()?.attendees).toEqual([appointment.user_email, alternate.email, prefixed.email]);
	});

	it('resolve an alternate email on its own', async () => {
		const { email, alternateEmails } = person((user) => user.alternateEmails.length > 0 && !user.isRemoved);
		await save({ user_email: alternateEmails[0].toUpperCase() });
		expect(stored()?.attendees).toEqual([email]);
	});

	it('do not resolve by a bare prefix: text without an @ is no address', async () => {
		const [local] = appointment.user_email.split('@');
		expect((await save({ user_email: local })).status).toBe(422);
	});

	it('skip an ambiguous prefix, removed users and hidden users', async () => {
		const count = new Map<string, number>();
		const local = (email: string) => email.split('@')[0].toLowerCase();
		for (const { email } of reps()) count.set(local(email), (count.get(local(email)) ?? 0) + 1);
		const ambiguous = [...count].find(([, times]) => times > 1)?.[0];
		const removed = person((user) => user.isRemoved);
		const hidden = person((user) => user.isHidden && user.name !== 'Unassigned');
		expect(ambiguous).toBeDefined();
		await save({
			attendee_emails: [`${ambiguous}@elsewhere.example`, removed.email, hidden.email, reps()[1].email],
		});
		expect(stored()?.attendees).toEqual([appointment.user_email, reps()[1].email]);
	});

	it('skip an owner who does not resolve when somebody else does', async () => {
		await save({ user_email: 'nobody@example.com', attendee_emails: [reps()[2].email] });
		expect(stored()?.attendees).toEqual([reps()[2].email]);
	});

	it.each([[undefined], [[]]])('are the owner alone when the list is %j', async (attendee_emails) => {
		await save({ attendee_emails: [reps()[1].email, reps()[2].email] });
		await save({ attendee_emails });
		expect(stored()?.attendees).toEqual([appointment.user_email]);
	});

	it('leave everything unchanged with 422 when nobody resolves', async () => {
		await save({ title: 'Before' });
		for (const changes of [
			{},
			{ attendee_emails: ['no@example.com', person((user) => user.isRemoved).email] },
		]) {
			const answer = await save({ user_email: 'nobody@example.com', title: 'After', ...changes });
			expect(answer).toMatchObject({ status: 422, text: expect.stringMatching(/^User email is not in ./) });
		}
		expect(stored()?.title).toBe('Before');
		expect(sandbox.control.debugger(sandbox.keys.organization)).toHaveLength(1);
	});
});

describe('validation', () => {
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

	it('takes media with an empty attendee list', async () => {
		expect((await save({ ...media, attendee_emails: [] })).status).toBe(200);
	});

	it('refuses a body that is not JSON', async () => {
		for (const body of ['{"event_id":', '[]', '"text"', '']) {
			expect((await crm(sandbox, 'POST', '/custom/appointment', body)).status).toBe(400);
		}
	});

	it('answers with a JSON string on Accept: application/json', async () => {
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

describe('what was received', () => {
	it('is listed for a key with payload and stored values, but without the key', async () => {
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

	it('goes to the dead letters on a 500', async () => {
		sandbox.faults.add({ kind: 'serverError', path: '/crm', times: 1 });
		expect((await save()).status).toBe(500);
		expect(sandbox.control.deadLetters()).toMatchObject([
			{ method: 'POST', path: '/crm/custom/appointment', payload: { event_id: 'e-1' } },
		]);
		expect((await send(`${sandbox.url}/control/dead-letters`)).json.deadLetters).toHaveLength(1);
		expect(sandbox.control.appointments()).toEqual([]);
	});

	it('is there although the answer was lost', async () => {
		sandbox.faults.add({ kind: 'lostAnswer', path: '/crm', times: 1 });
		await expect(save()).rejects.toThrow(/ECONNRESET|other side closed/);
		expect(stored()).toMatchObject({ event_id: 'e-1' });
	});
});
