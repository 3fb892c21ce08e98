import type { ServerResponse } from 'node:http';
import { RETRY } from '../../../../nodes/shared/transport';
import { createEngine, type Engine } from '../../../support/engine';
import { ScriptedServer, type ScriptedAnswer } from '../../../support/scriptedServer';

const ID = '3f2b8c1e-5d7a-4c66-9b1f-0a2d4e6f8a10';
const AUDIO = {
	resource: 'conversation',
	operation: 'downloadAudio',
	conversationId: { __rl: true, mode: 'id', value: ID },
};
const WHOLE = Buffer.concat([Buffer.from('fLaC'), Buffer.alloc(200_000, 7)]);
const HEADERS = { 'content-type': 'binary/octet-stream', 'content-length': String(WHOLE.length) };

const whole: ScriptedAnswer = (_request, response: ServerResponse) => {
	response.writeHead(200, HEADERS).end(WHOLE);
};
const stallsInBody: ScriptedAnswer = (_request, response: ServerResponse) => {
	response.writeHead(200, HEADERS).write(WHOLE.subarray(0, 100_000));
};
const stallsBeforeHeaders: ScriptedAnswer = () => {};

describe('Conversation Intelligence: a download that makes no progress', () => {
	let media: ScriptedServer;
	let service: ScriptedServer;
	let engine: Engine;

	beforeAll(async () => {
		media = await ScriptedServer.start();
		const row = { conversationId: ID, title: 'Roof', audioUrl: `${media.url}/9f3e8a10?signature=abc` };
		service = await ScriptedServer.start({ status: 200, body: JSON.stringify(row) });
		engine = await createEngine({
			conversationExportApi: { baseUrl: service.url, apiKey: 'key-of-the-test' },
		});
	});
	afterAll(async () => {
		await media.close();
		await service.close();
	});
	beforeEach(() => {
		jest.replaceProperty(RETRY as { stalledAfterMs: number }, 'stalledAfterMs', 300);
		jest.replaceProperty(RETRY as { baseDelayMs: number }, 'baseDelayMs', 10);
	});
	afterEach(() => jest.restoreAllMocks());

	test.each([
		['in the middle of the body', stallsInBody],
		['before its headers', stallsBeforeHeaders],
	])('is given up %s, retried, and done', async (_where, stalls) => {
		media.answer([stalls, whole]);
		const { items, error } = await engine.runNode('conversationIntelligence', AUDIO);

		expect(error).toBeUndefined();
		expect(media.seen).toHaveLength(2);
		expect(await engine.binary(items[0].binary!.data)).toEqual(WHOLE);
		expect(items[0].json).toMatchObject({ fileName: `Roof_${ID}.flac`, mimeType: 'audio/flac' });
	});

	test('is given up for good after all attempts, without showing the link', async () => {
		media.answer([stallsInBody]);
		const { error } = await engine.runNode('conversationIntelligence', AUDIO);

		expect(media.seen).toHaveLength(6);
		expect(error?.message).toBe('The audio could not be downloaded [Item 0]');
		expect(error?.description).toMatch(/sent nothing for 0\.3 seconds\. Tried 6 times\./);
		expect(JSON.stringify(error)).not.toContain('signature');
	});

	test('a slow one that goes on is not given up', async () => {
		media.answer([
			(_request, response) => {
				response.writeHead(200, HEADERS);
				const step = WHOLE.length / 10;
				let sent = 0;
				const timer = setInterval(() => {
					response.write(WHOLE.subarray(sent, sent + step));
					sent += step;
					if (sent >= WHOLE.length) clearInterval(timer);
				}, 60);
			},
		]);
		const { items, error } = await engine.runNode('conversationIntelligence', AUDIO);

		expect(error).toBeUndefined();
		expect(media.seen).toHaveLength(1);
		expect(await engine.binary(items[0].binary!.data)).toEqual(WHOLE);
	});

	test.each<[string, ScriptedAnswer]>([
		['a stalled body', stallsInBody],
		['stalled headers', stallsBeforeHeaders],
		['a Retry-After', { status: 503, headers: { 'retry-after': '8' } }],
	])('a stopped execution ends within a second in spite of %s', async (_what, answer) => {
		jest.replaceProperty(RETRY as { stalledAfterMs: number }, 'stalledAfterMs', 5000);
		media.answer([answer]);
		let stopped = 0;
		const cancelWhen = media.sees(1).then(() => void (stopped = Date.now()));
		const { status } = await engine.runNode('conversationIntelligence', AUDIO, { cancelWhen });

		expect(status).not.toBe('success');
		expect(Date.now() - stopped).toBeLessThan(1000);
		expect(media.seen).toHaveLength(1);
	});
});
