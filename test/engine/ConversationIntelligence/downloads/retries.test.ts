import { Container } from '@n8n/di';
import { BinaryDataService } from 'n8n-core';
import { RETRY } from '../../../../nodes/shared/http';
import type { ScriptedResponse } from '../../../support/scriptedServer';
import { HEADERS, LINK, startMediaHost, WHOLE, whole, type MediaHost } from './mediaHost';

describe('Conversation Intelligence: a media host that fails for a moment', () => {
	let host: MediaHost;

	beforeAll(async () => {
		host = await startMediaHost();
	});
	afterAll(async () => await host.close());
	beforeEach(() => {
		jest.replaceProperty(RETRY as { baseDelayMs: number }, 'baseDelayMs', 10);
		host.service.seen.length = 0;
	});

	test.each<[string, ScriptedResponse]>([
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
		host.media.respond([failure, failure, whole]);
		const { items, error } = await host.download();

		expect(error).toBeUndefined();
		expect(await host.binary(items[0].binary!.data)).toEqual(WHOLE);
		expect(host.media.seen.map(({ url }) => url)).toEqual(Array(3).fill(LINK));
		expect(host.service.seen).toHaveLength(1);
	});

	test.each<[string, ScriptedResponse, string]>([
		['500', { status: 500 }, 'answered with status 500'],
		['resets the connection', 'reset', 'did not send the whole file (ECONNRESET)'],
	])('fails the item after six attempts when it always %s', async (_what, failure, said) => {
		host.media.respond([failure]);
		const { error } = await host.download();

		expect(host.media.seen).toHaveLength(6);
		expect(error?.message).toBe('The audio could not be downloaded');
		expect(error?.description).toContain(`The media host ${said}. Tried 6 times.`);
	});

	test('is reported as unreachable when nothing listens at its address', async () => {
		const gone = await startMediaHost();
		await gone.media.close();
		const { error } = await gone.download();
		await gone.service.close();

		expect(error?.description).toBe(
			'The media host could not be reached (ECONNREFUSED). Tried 6 times. It may work later: run the workflow again.',
		);
	});

	test('is not asked again after a 4xx that a fresh link cannot fix', async () => {
		host.media.respond([{ status: 418 }]);
		const { error } = await host.download();

		expect(host.media.seen).toHaveLength(1);
		expect(error).toMatchObject({
			description: expect.stringContaining('answered with status 418'),
			context: { itemIndex: 0 },
		});
	});

	test('sends four files at the same time', async () => {
		host.media.respond(async () => (await host.media.sees(4), { status: 200, body: 'x', delayMs: 20 }));
		const { items, error } = await host.download({ input: Array.from({ length: 12 }, () => ({ json: {} })) });

		expect(error).toBeUndefined();
		expect(items).toHaveLength(12);
		expect(host.media.mostAtOnce).toBe(4);
	});

	test('is not asked for the rest when every file fails, and each item says so', async () => {
		host.media.respond([{ status: 500, headers: { 'retry-after': '0' } }]);
		const input = Array.from({ length: 40 }, () => ({ json: {} }));
		const { items } = await host.download({ input, continueOnFail: true });

		expect(items.map(({ pairedItem }) => pairedItem)).toEqual(input.map((_, item) => ({ item })));
		expect(items.every(({ json }) => typeof json.error === 'string')).toBe(true);
		expect(host.media.seen.length).toBeLessThan(100);
		const single = await host.download({ input });
		expect(single.error).toMatchObject({ context: { itemIndex: expect.any(Number) } });
	});

	test('refuses a web page instead of storing it as audio', async () => {
		host.media.respond([{ status: 200, body: '<!doctype html>', headers: { 'content-type': 'text/html' } }]);
		const { items, error } = await host.download();

		expect(items).toEqual([]);
		expect(error?.message).toBe('The media host sent a web page instead of the audio');
		expect(host.media.seen).toHaveLength(1);
	});

	test("is not asked again when n8n's storage fails, whose words are shown", async () => {
		host.media.respond([whole]);
		const noRoom = Object.assign(new Error('ENOSPC: no space left on device'), { code: 'ENOSPC' });
		jest.spyOn(Container.get(BinaryDataService), 'store').mockRejectedValue(noRoom);
		const { error } = await host.download();

		expect(host.media.seen).toHaveLength(1);
		expect(error?.message).toBe('n8n could not store the audio');
		expect(error?.description).toBe(
			'Check n8n\'s binary storage, which says "ENOSPC: no space left on device".',
		);
	});
});
