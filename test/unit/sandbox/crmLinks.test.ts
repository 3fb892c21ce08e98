import { once } from 'node:events';
import * as fc from 'fast-check';
import { type Sandbox, startSandbox } from '../../../sandbox';
import { always, appointment, controlPost, crm, exportGet, exportPost } from './service';

let sandbox: Sandbox;
let conversationId: string;
beforeEach(async () => {
	sandbox = await startSandbox({ conversations: 50, processingSeconds: 3600 });
	[conversationId] = sandbox.control.conversationIds(3);
});
afterEach(() => sandbox.close());

const save = (changes: object = {}) =>
	crm(sandbox, 'POST', '/custom/appointment', { ...appointment, ...changes });
const remove = (path: string) => crm(sandbox, 'DELETE', `/custom/appointment/${path}`);
const media = { media_url: 'https://media.example/a.wav', recording_type: 'APPOINTMENT_AUDIO' };

describe('The gateway', () => {
	it.each([
		['missing', {}],
		['unknown', { 'x-api-key': 'no-such-key' }],
		['in the export API’s header', { authorization: 'sandbox-1-organization-key' }],
	])('responds with 403 in plain text if the key is %s', async (_name, headers) => {
		for (const path of ['/custom/appointment', '/custom/appointment/match']) {
			const answer = await crm(sandbox, 'POST', path, appointment, headers as Record<string, string>);
			expect(answer).toMatchObject({
				status: 403,
				text: 'Forbidden',
				type: expect.stringMatching(/^text\/plain/),
			});
		}
	});

	it.each<['GET' | 'POST' | 'DELETE', string]>([
		['GET', '/custom/appointment'],
		['DELETE', '/custom/appointment'],
		['DELETE', '/custom/appointment/'],
		['POST', '/custom/appointment/'],
		['POST', '/custom/appointments'],
		['POST', '/custom/appointment%20'],
		['POST', '/Custom/Appointment'],
	])('responds to %s %s with 404 and a message object', async (method, path) => {
		const answer = await crm(sandbox, method, path, method === 'POST' ? appointment : undefined);
		expect(answer.status).toBe(404);
		expect(answer.json.message).toMatch(/^No matching route/);
	});

	it('responds with 429 beyond the usage plan of a known key, and with 403 to an unknown key', async () => {
		sandbox.usagePlans.set({ ratePerSecond: 0.001, burst: 2 });
		const statuses = [await save(), await save(), await save()].map((answer) => answer.status);
		expect(statuses).toEqual([200, 200, 429]);
		const headers = { 'x-api-key': 'no-such-key' };
		for (let attempt = 0; attempt < 4; attempt++) {
			expect((await crm(sandbox, 'POST', '/custom/appointment', appointment, headers)).status).toBe(403);
		}
	});
});

describe('Deleting', () => {
	it('finds any URL-encoded event ID', async () => {
		// URL parsers resolve "." and ".." in any encoding before they send a request.
		const eventIds = fc
			.string({ unit: 'grapheme', minLength: 1, maxLength: 60 })
			.filter((id) => id.trim() !== '' && id !== '.' && id !== '..');
		await fc.assert(
			fc.asyncProperty(eventIds, async (event_id) => {
				expect((await save({ event_id })).status).toBe(200);
				expect((await remove(encodeURIComponent(event_id))).status).toBe(200);
				expect(sandbox.control.appointments()).toEqual([]);
			}),
			{ numRuns: 150, examples: [['a/b c+d%2F?#&'], ['../x'], ['💬é'], ['x'.repeat(500)]] },
		);
	});

	it('responds with 400 to a path that cannot be decoded', async () => {
		expect((await remove('%E0%A4%A')).status).toBe(400);
	});
});

describe('Hosted audio', () => {
	it('becomes a processed conversation that is linked to its appointment, with an event', async () => {
		await save({
			...media,
			result: 'Sold',
			customer: { id: 'c-1', name: 'Jo', email: 'jo@customer.example' },
		});
		const before = (await exportPost(sandbox, 'conversations', always)).json.totalConversations;
		expect(before).toBe(50);
		const processed = once(sandbox.events, 'conversationProcessed');
		const { json } = await controlPost(sandbox, 'processing/finish', {});
		const [event] = await processed;
		expect(json.conversationIds).toEqual([event.conversationId]);
		const conversation = (await exportGet(sandbox, event.conversationId)).json;
		expect(Object.keys(conversation)).toHaveLength(28);
		expect(conversation).toMatchObject({
			date: '2025-06-01T15:00:00.000Z',
			title: 'Estimate',
			crmEventID: 'e-1',
			outcome: 'Sold',
			user: { email: appointment.user_email },
			customer: { name: 'Jo', email: 'jo@customer.example', phone: null },
		});
		expect((await exportPost(sandbox, 'conversations', always)).json.totalConversations).toBe(51);
		expect((await remove('e-1')).status).toBe(409);
	});

	it('becomes one conversation even if the update is repeated', async () => {
		await save(media);
		await save(media);
		expect(sandbox.control.finishProcessing()).toHaveLength(1);
		await save(media);
		expect(sandbox.control.finishProcessing()).toHaveLength(0);
	});

	it('becomes one conversation per recording, even if two follow each other immediately', async () => {
		await save(media);
		await save({ ...media, media_url: 'https://media.example/b.wav' });
		const finished = sandbox.control.finishProcessing({ eventId: 'e-1' });
		expect(new Set(finished).size).toBe(2);
		for (const id of finished) expect((await exportGet(sandbox, id)).json.crmEventID).toBe('e-1');
	});

	it('is dropped if its appointment has been deleted', async () => {
		await save(media);
		expect((await remove('e-1')).status).toBe(200);
		expect(sandbox.control.finishProcessing()).toEqual([]);
	});

	it('is processed automatically after the processing time', async () => {
		const quick = await startSandbox({ conversations: 5, processingSeconds: 0.05 });
		const processed = once(quick.events, 'conversationProcessed');
		await crm(quick, 'POST', '/custom/appointment', { ...appointment, ...media });
		const [{ conversationId: id }] = await processed;
		expect((await exportGet(quick, id)).status).toBe(200);
		await quick.close();
	});

	it('can be announced again on demand', async () => {
		const processed = once(sandbox.events, 'conversationProcessed');
		await controlPost(sandbox, 'processing/finish', { conversationId });
		expect((await processed)[0].conversationId).toBe(conversationId);
	});
});
