import { startSandbox, type Sandbox } from '../../../../sandbox';
import { createEngine, type Engine } from '../../../support/engine';

const AUDIO = {
	resource: 'conversation',
	operation: 'downloadAudio',
	conversationId: { __rl: true, mode: 'id', value: '={{ $json.conversationId }}' },
};

describe('Conversation Intelligence: a broken link in the input', () => {
	let sandbox: Sandbox;
	let engine: Engine;
	let conversationId: string;

	beforeAll(async () => {
		sandbox = await startSandbox({ conversations: 1 });
		[conversationId] = sandbox.control.insertConversations();
		engine = await createEngine({
			conversationExportApi: { baseUrl: sandbox.exportUrl, apiKey: sandbox.keys.organization },
		});
	});
	afterAll(async () => await sandbox.close());
	beforeEach(() => {
		sandbox.requests.reset();
		sandbox.faults.clear();
	});

	const run = async (audioUrl: string, continueOnFail = false) => {
		const urlsExpireAt = '2100-01-01T00:00:00Z';
		const input = [{ json: { conversationId, audioUrl, urlsExpireAt } }];
		return await engine.runNode('conversationIntelligence', AUDIO, { input, continueOnFail });
	};
	const lookUps = () => sandbox.requests.count('/data/export/conversations/');

	test.each([
		['an unknown host', 'http://media.invalid/audio?signature=abc'],
		['a port that nothing listens on', 'http://127.0.0.1:1/audio?signature=abc'],
		['no valid address', 'see the web app'],
		['another protocol', 'ftp://127.0.0.1/audio?signature=abc'],
	])('with %s is replaced immediately by one fresh link', async (_what, audioUrl) => {
		const { items, error } = await run(audioUrl);

		expect(error).toBeUndefined();
		expect(items[0].json).toMatchObject({ conversationId, mimeType: 'audio/wav' });
		expect(lookUps()).toBe(1);
		expect(sandbox.requests.list().map(({ host, status }) => [host, status])).toEqual([
			['api', 200],
			['media', 200],
		]);
	});

	test('fails the item when the fresh link is broken too, without fetching or showing another', async () => {
		sandbox.faults.add({ kind: 'expiredLink', path: '/audio' });
		const { items } = await run('http://127.0.0.1:1/audio?signature=abc', true);

		expect(lookUps()).toBe(1);
		expect(items[0].json.message).toMatch(/answered with status 403, even with a fresh link/);
		expect(JSON.stringify(items[0].json)).not.toMatch(/signature|http/);
	});
});
