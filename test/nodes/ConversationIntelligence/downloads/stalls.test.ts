import { POLICY } from '../../../../nodes/shared/http';
import type { ScriptedResponse } from '../../../support/scriptedServer';
import { HEADERS, ID, mediaHost, WHOLE, whole } from './mediaHost';

const stallsInBody: ScriptedResponse = (_request, response) => {
	response.writeHead(200, HEADERS).write(WHOLE.subarray(0, 100_000));
};
const stallsBeforeHeaders: ScriptedResponse = () => {};

describe('Conversation Intelligence: a download that makes no progress', () => {
	const { media, engine, download } = mediaHost();
	beforeEach(() => void jest.replaceProperty(POLICY as { stalledAfterMs: number }, 'stalledAfterMs', 300));

	test.each([
		['in the middle of the body', stallsInBody],
		['before its headers', stallsBeforeHeaders],
	])('is aborted %s, retried and completed', async (_where, stalls) => {
		media.respond([stalls, whole]);
		const { items, error } = await download();

		expect(error).toBeUndefined();
		expect(media.seen).toHaveLength(2);
		expect(await engine.binary(items[0].binary!.data)).toEqual(WHOLE);
		expect(items[0].json).toMatchObject({ fileName: `Roof_${ID}.flac`, mimeType: 'audio/flac' });
	});

	test('is not aborted while it is only slow', async () => {
		media.respond([
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
		const { items, error } = await download();

		expect(error).toBeUndefined();
		expect(media.seen).toHaveLength(1);
		expect(await engine.binary(items[0].binary!.data)).toEqual(WHOLE);
	});

	test.each<[string, ScriptedResponse]>([
		['a stalled body', stallsInBody],
		['a Retry-After', { status: 503, headers: { 'retry-after': '8' } }],
	])('ends within a second after the execution is stopped, despite %s', async (_what, response) => {
		jest.replaceProperty(POLICY as { stalledAfterMs: number }, 'stalledAfterMs', 5000);
		media.respond([response]);
		let stopped = 0;
		const cancelWhen = media.waitForRequests(1).then(() => void (stopped = Date.now()));
		const { status } = await download({ cancelWhen });

		expect(status).not.toBe('success');
		expect(Date.now() - stopped).toBeLessThan(1000);
		expect(media.seen).toHaveLength(1);
	});
});
