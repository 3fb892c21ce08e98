import { POLICY } from '../../../../nodes/shared/http/policy';
import type { ScriptedResponse } from '../../../support/scriptedServer';
import { scriptedExport } from '../exportNode';

const ID = '3f2b8c1e-5d7a-4c66-9b1f-0a2d4e6f8a10';
const PATH = '/9f3e8a10';

/** The audio and its headers. */
const WHOLE = Buffer.concat([Buffer.from('fLaC'), Buffer.alloc(200_000, 7)]);
const HEADERS = { 'content-type': 'audio/flac', 'content-length': String(WHOLE.length) };
const whole: ScriptedResponse = (_request, response) => {
	response.writeHead(200, HEADERS).end(WHOLE);
};
const stallsInBody: ScriptedResponse = (_request, response) => {
	response.writeHead(200, HEADERS).write(WHOLE.subarray(0, 100_000));
};

describe('A media host', () => {
	const { server, engine, run } = scriptedExport();
	// At the port of the service, because the node opens no other one of this machine.
	const media = server.part(PATH);
	const stallAfter = (ms: number) =>
		jest.replaceProperty(POLICY as { stalledAfterMs: number }, 'stalledAfterMs', ms);
	beforeEach(() => {
		jest.replaceProperty(POLICY as { baseDelayMs: number }, 'baseDelayMs', 10);
		const row = { conversationId: ID, title: 'Roof', audioUrl: `${server.url}${PATH}?signature=abc` };
		server.respond([{ status: 200, body: JSON.stringify(row) }]);
	});
	const download = async (options?: Parameters<typeof run>[1]) =>
		await run({ operation: 'downloadAudio', conversationId: ID }, options);

	test('sends five files at the same time', async () => {
		media.respond(async () => (await media.waitForRequests(4), { status: 200, body: 'x', delayMs: 20 }));
		const { items } = await download({ input: Array.from({ length: 12 }, () => ({ json: {} })) });
		expect(items).toHaveLength(12);
		expect(media.maxInFlight).toBe(5);
	});

	test('that stops in the middle of the body is left, and asked for the whole file again', async () => {
		stallAfter(300);
		media.respond([stallsInBody, whole]);
		const { items } = await download();
		expect(media.seen).toHaveLength(2);
		expect(await engine.binary(items[0].binary!.data)).toEqual(WHOLE);
		expect(items[0].json).toMatchObject({ fileName: `Roof_${ID}.flac`, mimeType: 'audio/flac' });
	});

	test('that stops is left within a second after the execution is stopped', async () => {
		stallAfter(5000);
		media.respond([stallsInBody]);
		let stopped = 0;
		const cancelWhen = media.waitForRequests(1).then(() => void (stopped = Date.now()));
		const { status } = await download({ cancelWhen });
		expect(status).not.toBe('success');
		expect(Date.now() - stopped).toBeLessThan(1000);
		expect(media.seen).toHaveLength(1);
	});
});
