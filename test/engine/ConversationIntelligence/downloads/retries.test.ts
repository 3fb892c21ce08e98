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
const WHOLE = Buffer.concat([Buffer.from('fLaC'), Buffer.alloc(100_000, 7)]);
const HEADERS = { 'content-type': 'audio/flac', 'content-length': String(WHOLE.length) };
const whole: ScriptedAnswer = (_request, response: ServerResponse) => {
	response.writeHead(200, HEADERS).end(WHOLE);
};

describe('Conversation Intelligence: a media host that fails for a moment', () => {
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
		jest.replaceProperty(RETRY as { baseDelayMs: number }, 'baseDelayMs', 10);
		service.seen.length = 0;
	});
	afterEach(() => jest.restoreAllMocks());

	test.each<[string, ScriptedAnswer]>([
		['a 500', { status: 500 }],
		['a 503 with Retry-After', { status: 503, headers: { 'retry-after': '0' } }],
		['a 429', { status: 429 }],
		['a closed connection', 'cut'],
		['a reset connection', 'reset'],
		[
			'a body that ends early',
			(request, response) => {
				response.writeHead(200, HEADERS).write(WHOLE.subarray(0, 50_000), () => request.socket.destroy());
			},
		],
	])('is asked again after %s, with the same link', async (_what, failure) => {
		media.answer([failure, failure, whole]);
		const { items, error } = await engine.runNode('conversationIntelligence', AUDIO);

		expect(error).toBeUndefined();
		expect(await engine.binary(items[0].binary!.data)).toEqual(WHOLE);
		expect(media.seen.map(({ url }) => url)).toEqual(Array(3).fill('/9f3e8a10?signature=abc'));
		expect(service.seen).toHaveLength(1);
	});

	test.each<[string, ScriptedAnswer, string]>([
		['500', { status: 500 }, 'answered with status 500'],
		['resets the connection', 'reset', 'did not send the whole file (ECONNRESET)'],
	])('fails the item after six attempts when it always %s', async (_what, failure, said) => {
		media.answer([failure]);
		const { error } = await engine.runNode('conversationIntelligence', AUDIO);

		expect(media.seen).toHaveLength(6);
		expect(error?.message).toBe('The audio could not be downloaded [Item 0]');
		expect(error?.description).toContain(`The media host ${said}. Tried 6 times.`);
	});

	test('is not asked again after a 4xx that no fresh link cures', async () => {
		media.answer([{ status: 418 }]);
		const { error } = await engine.runNode('conversationIntelligence', AUDIO);

		expect(media.seen).toHaveLength(1);
		expect(error?.description).toContain('answered with status 418');
	});

	test('refuses a web page instead of storing it as audio', async () => {
		media.answer([{ status: 200, body: '<!doctype html>', headers: { 'content-type': 'text/html' } }]);
		const { items, error } = await engine.runNode('conversationIntelligence', AUDIO);

		expect(items).toEqual([]);
		expect(error?.message).toBe('The media host sent a web page instead of the audio [Item 0]');
		expect(media.seen).toHaveLength(1);
	});
});
