import { POLICY } from '../../../../nodes/shared/http';
import type { ScriptedResponse } from '../../../support/scriptedServer';
import { HEADERS, ID, mediaHost, WHOLE, whole } from './mediaHost';

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
