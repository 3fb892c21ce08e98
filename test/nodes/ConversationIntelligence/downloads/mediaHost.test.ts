import { ConversationIntelligence } from '../../../../nodes/ConversationIntelligence/ConversationIntelligence.node';
import { POLICY } from '../../../../nodes/shared/http/policy';
import type { Engine } from '../../../support/engine';
import { scriptedEngine } from '../../../support/engine/fixtures';
import type { ScriptedResponse } from '../../../support/scriptedServer';

const ID = '3f2b8c1e-5d7a-4c66-9b1f-0a2d4e6f8a10';
const PATH = '/9f3e8a10';
const LINK = `${PATH}?signature=abc`;

/** The audio and its headers. */
const WHOLE = Buffer.concat([Buffer.from('fLaC'), Buffer.alloc(200_000, 7)]);
const HEADERS = { 'content-type': 'audio/flac', 'content-length': String(WHOLE.length) };
const whole: ScriptedResponse = (_request, response) => {
	response.writeHead(200, HEADERS).end(WHOLE);
};

/** For a describe block: a service with one conversation, and the media host of its audio link. */
function mediaHost() {
	const { server: service, engine } = scriptedEngine([ConversationIntelligence]);
	// At the port of the service, because the node opens no other one of this machine.
	const media = service.part(PATH);
	beforeEach(() => {
		jest.replaceProperty(POLICY as { baseDelayMs: number }, 'baseDelayMs', 10);
		const row = { conversationId: ID, title: 'Roof', audioUrl: `${service.url}${LINK}` };
		service.respond([{ status: 200, body: JSON.stringify(row) }]);
	});
	const parameters = { resource: 'conversation', operation: 'downloadAudio', conversationId: ID };
	return {
		media,
		service,
		engine,
		/** Runs Download Audio. */
		download: async (options?: Parameters<Engine['runNode']>[2]) =>
			await engine.runNode('conversationIntelligence', parameters, options),
	};
}

describe('Conversation Intelligence: a media host that fails for a moment', () => {
	const { media, download } = mediaHost();

	test('sends five files at the same time', async () => {
		media.respond(async () => (await media.waitForRequests(4), { status: 200, body: 'x', delayMs: 20 }));
		const { items, error } = await download({ input: Array.from({ length: 12 }, () => ({ json: {} })) });

		expect(error).toBeUndefined();
		expect(items).toHaveLength(12);
		expect(media.maxInFlight).toBe(5);
	});
});

const stallsInBody: ScriptedResponse = (_request, response) => {
	response.writeHead(200, HEADERS).write(WHOLE.subarray(0, 100_000));
};
describe('Conversation Intelligence: a download that makes no progress', () => {
	const { media, engine, download } = mediaHost();
	beforeEach(() => void jest.replaceProperty(POLICY as { stalledAfterMs: number }, 'stalledAfterMs', 300));

	test('is aborted in the middle of the body, retried and completed', async () => {
		media.respond([stallsInBody, whole]);
		const { items, error } = await download();

		expect(error).toBeUndefined();
		expect(media.seen).toHaveLength(2);
		expect(await engine.binary(items[0].binary!.data)).toEqual(WHOLE);
		expect(items[0].json).toMatchObject({ fileName: `Roof_${ID}.flac`, mimeType: 'audio/flac' });
	});

	test('ends within a second after the execution is stopped', async () => {
		jest.replaceProperty(POLICY as { stalledAfterMs: number }, 'stalledAfterMs', 5000);
		media.respond([stallsInBody]);
		let stopped = 0;
		const cancelWhen = media.waitForRequests(1).then(() => void (stopped = Date.now()));
		const { status } = await download({ cancelWhen });

		expect(status).not.toBe('success');
		expect(Date.now() - stopped).toBeLessThan(1000);
		expect(media.seen).toHaveLength(1);
	});
});
