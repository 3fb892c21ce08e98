import { call, control, exportPost, list } from '../support/http';
import { useService } from '../support/service';

const service = useService({ conversations: 5 });
let audioUrl: string;
let transcriptUrl: string;
beforeAll(async () => {
	[{ audioUrl, transcriptUrl }] = (await list(service)).conversations;
});

test('a link is refused when its query is not exactly the signed one, or its path another', async () => {
	const [path, query] = audioUrl.split('?');
	for (const changed of [
		decodeURIComponent(query),
		query.replace(/=$/, '%3D'),
		query.replace('%2F', '%2f'),
		query.replace(/expires=(\d)/, 'expires=9$1'),
		`${query}&more=1`,
		'',
	]) {
		expect(changed).not.toBe(query);
		expect((await call(`${path}?${changed}`)).status).toBe(403);
	}
	expect((await call(`${transcriptUrl.split('?')[0]}?${query}`)).status).toBe(403);
	expect((await call(audioUrl)).status).toBe(200);
});

test.each(['authorization', 'x-api-key'])('a link is refused with a key in %s', async (header) => {
	expect((await call(audioUrl, { headers: { [header]: service.keys.organization } })).status).toBe(400);
});

test('a transcript has words with speaker and rising times, a WAV file its length', async () => {
	const words = Object((await call(transcriptUrl)).json) as Array<{ start: number; end: number }>;
	expect(words.length).toBeGreaterThan(50);
	for (const word of words) expect(Object.keys(word)).toEqual(['speaker', 'word', 'start', 'end']);
	const times = words.flatMap(({ start, end }) => [start, end]);
	expect(times).toEqual([...times].sort((a, b) => a - b));
	const bytes = Buffer.from(await (await fetch(audioUrl)).arrayBuffer());
	expect(bytes.toString('latin1', 0, 4) + bytes.toString('latin1', 8, 16)).toBe('RIFFWAVEfmt ');
	expect([bytes.readUInt32LE(4), bytes.readUInt32LE(40)]).toEqual([bytes.length - 8, 3 * 8000 * 2]);
});

test('the request log shows requests and whether they have a key, but neither key nor query', async () => {
	await control(service, 'DELETE', '/requests');
	await exportPost(service, 'conversations', { page: 2 });
	await call(audioUrl);
	const log = await control(service, 'GET', '/requests');
	const [authorization, path] = [{ authorization: true }, new URL(audioUrl).pathname];
	expect(log).toMatchObject({
		count: 2,
		requests: [
			{ host: 'api', status: 200, headersSeen: authorization, body: { page: 2 } },
			{ host: 'media', path, status: 200, headersSeen: { authorization: false } },
		],
	});
	expect(JSON.stringify(log)).not.toMatch(new RegExp(`${service.keys.organization}|signature`));
});
