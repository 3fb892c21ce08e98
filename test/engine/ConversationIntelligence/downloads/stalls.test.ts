import { RETRY } from '../../../../nodes/shared/http';
import type { ScriptedResponse } from '../../../support/scriptedServer';
import { HEADERS, ID, startMediaHost, WHOLE, whole, type MediaHost } from './mediaHost';

const stallsInBody: ScriptedResponse = (_request, response) => {
	response.writeHead(200, HEADERS).write(WHOLE.subarray(0, 100_000));
};
const stallsBeforeHeaders: ScriptedResponse = () => {};

describe('Conversation Intelligence: a download that makes no progress', () => {
	let host: MediaHost;

	beforeAll(async () => {
		host = await startMediaHost();
	});
	afterAll(async () => await host.close());
	beforeEach(() => {
		jest.replaceProperty(RETRY as { stalledAfterMs: number }, 'stalledAfterMs', 300);
		jest.replaceProperty(RETRY as { baseDelayMs: number }, 'baseDelayMs', 10);
	});

	test.each([
		['in the middle of the body', stallsInBody],
		['before its headers', stallsBeforeHeaders],
	])('is aborted %s, retried and completed', async (_where, stalls) => {
		host.media.respond([stalls, whole]);
		const { items, error } = await host.download();

		expect(error).toBeUndefined();
		expect(host.media.seen).toHaveLength(2);
		expect(await host.binary(items[0].binary!.data)).toEqual(WHOLE);
		expect(items[0].json).toMatchObject({ fileName: `Roof_${ID}.flac`, mimeType: 'audio/flac' });
	});

	test('fails the item after all attempts, without showing the link', async () => {
		host.media.respond([stallsInBody]);
		const { error } = await host.download();

		expect(host.media.seen).toHaveLength(6);
		expect(error?.message).toBe('The audio could not be downloaded');
		expect(error?.description).toMatch(/sent nothing for 0\.3 seconds\. Tried 6 times\./);
		expect(JSON.stringify(error)).not.toContain('signature');
	});

	test('is not aborted while it is only slow', async () => {
		host.media.respond([
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
		const { items, error } = await host.download();

		expect(error).toBeUndefined();
		expect(host.media.seen).toHaveLength(1);
		expect(await host.binary(items[0].binary!.data)).toEqual(WHOLE);
	});

	test.each<[string, ScriptedResponse]>([
		['a stalled body', stallsInBody],
		['stalled headers', stallsBeforeHeaders],
		['a Retry-After', { status: 503, headers: { 'retry-after': '8' } }],
	])('ends within a second after the execution is stopped, despite %s', async (_what, response) => {
		jest.replaceProperty(RETRY as { stalledAfterMs: number }, 'stalledAfterMs', 5000);
		host.media.respond([response]);
		let stopped = 0;
		const cancelWhen = host.media.sees(1).then(() => void (stopped = Date.now()));
		const { status } = await host.download({ cancelWhen });

		expect(status).not.toBe('success');
		expect(Date.now() - stopped).toBeLessThan(1000);
		expect(host.media.seen).toHaveLength(1);
	});
});
