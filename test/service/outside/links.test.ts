import { call, list } from '../support/http';
import { useService } from '../support/service';

const service = useService({ conversations: 60, awaitingUpload: 2, errored: 2, audioSeconds: 1 });

// D1-CONV-09, D1-CONV-22
test('presigned links work without a credential', async () => {
	const [{ transcriptUrl, audioUrl }] = (await list(service)).conversations;
	const [transcript, audio] = [await call(transcriptUrl), await call(audioUrl)];
	expect(transcript.status).toBe(200);
	expect(Array.isArray(transcript.json)).toBe(true);
	expect(audio.status).toBe(200);
	expect(audio.headers['content-type']).toMatch(/^audio\//);
});

// D1-CONV-09, D1-CONV-22
test('a link with another query is refused', async () => {
	const [{ transcriptUrl, audioUrl }] = (await list(service)).conversations;
	for (const link of [transcriptUrl, audioUrl]) {
		const forged = link.replace(/expires=(\d+)/i, (_all, expires) => `expires=${Number(expires) + 60_000}`);
		expect(forged).not.toBe(link);
		expect((await call(forged)).status).toBe(403);
		expect((await call(link.split('?')[0])).status).toBe(403);
	}
});
