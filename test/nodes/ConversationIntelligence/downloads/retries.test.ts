import { Container } from '@n8n/di';
import { BinaryDataService } from 'n8n-core';
import { mediaHost, whole } from './mediaHost';

describe('Conversation Intelligence: a media host that fails for a moment', () => {
	const { media, download } = mediaHost();

	test('sends five files at the same time', async () => {
		media.respond(async () => (await media.waitForRequests(4), { status: 200, body: 'x', delayMs: 20 }));
		const { items, error } = await download({ input: Array.from({ length: 12 }, () => ({ json: {} })) });

		expect(error).toBeUndefined();
		expect(items).toHaveLength(12);
		expect(media.maxInFlight).toBe(5);
	});

	test('is not asked for the rest when every file fails, and each item says so', async () => {
		media.respond([{ status: 500, headers: { 'retry-after': '0' } }]);
		const input = Array.from({ length: 40 }, () => ({ json: {} }));
		const { items } = await download({ input, continueOnFail: true });

		expect(items.map(({ pairedItem }) => pairedItem)).toEqual(input.map((_, item) => ({ item })));
		expect(items.every(({ json }) => typeof json.error === 'string')).toBe(true);
		expect(media.seen.length).toBeLessThan(100);
		const single = await download({ input });
		expect(single.error).toMatchObject({ context: { itemIndex: expect.any(Number) } });
	});

	test("is not asked again when n8n's storage fails, whose words are shown", async () => {
		media.respond([whole]);
		// As object storage can say it; the media host is not to blame.
		const lost = Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' });
		jest.spyOn(Container.get(BinaryDataService), 'store').mockRejectedValue(lost);
		const { error } = await download();

		expect(media.seen).toHaveLength(1);
		expect(error?.context?.details).toMatchObject({ code: 'file_not_stored' });
		expect(error?.description).toBe('Check n8n\'s binary storage, which says "read ECONNRESET".');
	});
});
