import { once } from 'node:events';
import { type Sandbox, startSandbox } from '../../../sandbox';
import { appointment, controlPost, crm, exportGet } from './service';

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
	it.each<['GET' | 'POST' | 'DELETE', string]>([
		['GET', '/custom/appointment'],
		['DELETE', '/custom/appointment'],
		['DELETE', '/custom/appointment/'],
		['POST', '/custom/appointment/'],
		['POST', '/custom/appointments'],
		['POST', '/custom/appointment%20'],
		['POST', '/Custom/Appointment'],
	])('responds to %s %s with 404 and a message object', async (method, path) => {
		const response = await crm(sandbox, method, path, method === 'POST' ? appointment : undefined);
		expect(response.status).toBe(404);
		expect(response.json.message).toMatch(/^No matching route/);
	});
});

describe('Hosted audio', () => {
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
