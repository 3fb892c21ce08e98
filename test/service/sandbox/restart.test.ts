import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Sandbox, type SandboxOptions, startSandbox } from '../../../sandbox';
import { appointment, crm, exportGet } from './service';

describe('With a data folder', () => {
	const dataFolder = mkdtempSync(join(tmpdir(), 'sandbox-'));
	const started: Sandbox[] = [];
	const start = async (options: Partial<SandboxOptions>) => {
		const sandbox = await startSandbox(options);
		started.push(sandbox);
		return sandbox;
	};
	afterAll(async () => {
		await Promise.all(started.map((sandbox) => sandbox.close()));
		rmSync(dataFolder, { recursive: true });
	});

	it('all changes survive a restart', async () => {
		const options = { conversations: 20, dataFolder, processingSeconds: 3600 };
		const first = await start(options);
		const media = { media_url: 'https://media.example/a.wav', recording_type: 'CALL_AUDIO' };
		await crm(first, 'POST', '/custom/appointment', { ...appointment, ...media, result: 'Perhaps' });
		await crm(first, 'POST', '/custom/appointment', { ...appointment, event_id: 'e-2' });
		const [removed, matched] = first.control.conversationIds(0, 2);
		await crm(first, 'POST', '/custom/appointment/match', { event_id: 'e-2', conversation_id: matched });
		const [inserted] = first.control.insertConversations({ fields: { title: 'Inserted' } });
		first.control.removeConversations(removed);
		first.control.deleteKey(first.keys.team);
		const before = [first.control.appointments(), first.control.outcomes()];
		await first.close();

		const second = await start(options);
		expect([second.control.appointments(), second.control.outcomes()]).toEqual(before);
		const headers = { 'x-api-key': second.keys.team };
		expect((await crm(second, 'DELETE', '/custom/appointment/e-9', undefined, headers)).status).toBe(403);
		expect(second.control.debugger(second.keys.organization)).toHaveLength(2);
		expect((await exportGet(second, inserted)).json.title).toBe('Inserted');
		expect((await exportGet(second, removed)).status).toBe(404);
		expect((await exportGet(second, matched)).json.crmEventID).toBe('e-2');
		expect((await crm(second, 'DELETE', '/custom/appointment/e-2')).status).toBe(409);
		const [processed] = second.control.finishProcessing({ eventId: 'e-1' });
		expect((await exportGet(second, processed)).json).toMatchObject({
			crmEventID: 'e-1',
			outcome: 'Perhaps',
		});
		expect(second.control.insertConversations()[0]).not.toBe(inserted);
	});
});
