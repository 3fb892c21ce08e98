import { type Sandbox, startSandbox } from '../../../sandbox';
import { always, exportPost, send } from './service';

let sandbox: Sandbox;
let audioUrl: string;
let transcriptUrl: string;
beforeAll(async () => {
	sandbox = await startSandbox({ conversations: 5 });
	({ audioUrl, transcriptUrl } = (await exportPost(sandbox, 'conversations', always)).json.conversations[0]);
});
afterAll(() => sandbox.close());

describe('Presigned links', () => {
	it('lead to the origin of the service and contain characters that must be preserved byte for byte', () => {
		expect(new URL(audioUrl).origin).toBe(sandbox.url);
		for (const part of ['%2F', '%2B', '=']) expect(audioUrl.split('?')[1]).toContain(part);
	});

	it('return a transcript of speaker-tagged words with timings', async () => {
		const { status, json } = await send(transcriptUrl);
		expect(status).toBe(200);
		expect(json.length).toBeGreaterThan(50);
		let time = 0;
		for (const word of json) {
			expect(Object.keys(word)).toEqual(['speaker', 'word', 'start', 'end']);
			expect(word.start).toBeGreaterThanOrEqual(time);
			expect(word.end).toBeGreaterThan(word.start);
			time = word.end;
		}
		expect(new Set(json.map((word: { speaker: string }) => word.speaker)).size).toBe(2);
	});

	it('return a WAV file with a correct header and length', async () => {
		const response = await fetch(audioUrl);
		const bytes = Buffer.from(await response.arrayBuffer());
		expect(response.headers.get('content-type')).toBe('audio/wav');
		expect(Number(response.headers.get('content-length'))).toBe(bytes.length);
		expect(bytes.toString('latin1', 0, 4) + bytes.toString('latin1', 8, 16)).toBe('RIFFWAVEfmt ');
		expect(bytes.readUInt32LE(4)).toBe(bytes.length - 8);
		expect(bytes.readUInt32LE(40)).toBe(3 * 8000 * 2);
	});

	it.each(['authorization', 'x-api-key'])('refuse a request with %s', async (header) => {
		expect((await send(audioUrl, { headers: { [header]: sandbox.keys.organization } })).status).toBe(400);
	});

	it('refuse a query that was decoded, re-encoded, changed or removed', async () => {
		const [path, query] = audioUrl.split('?');
		const id = path.replace(/.*\//, '').replace('.wav', '');
		const broken = [
			`${path}?${decodeURIComponent(query)}`,
			`${path}?${query.replace(/=$/, '%3D')}`,
			`${path}?${query.replace('%2F', '%2f')}`,
			`${path}?${query.replace(/expires=(\d)/, 'expires=9$1')}`,
			`${path}?${query}&more=1`,
			path,
			`${sandbox.url}/transcripts/${id}.json?${query}`,
		];
		for (const url of broken) expect((await send(url)).status).toBe(403);
	});

	it('respond with 403 once expired', async () => {
		const brief = await startSandbox({ conversations: 1, linkLifetimeSeconds: 0 });
		const { conversations } = (await exportPost(brief, 'conversations', always)).json;
		const response = await send(conversations[0].audioUrl);
		await brief.close();
		expect(response).toMatchObject({ status: 403, text: 'Request has expired' });
	});
});

describe('The request log', () => {
	it('records requests and the kind of their credentials, but neither key nor query', async () => {
		sandbox.requests.reset();
		await exportPost(sandbox, 'conversations', { ...always, page: 2 });
		await send(audioUrl);
		expect(sandbox.requests.list()).toMatchObject([
			{ method: 'POST', path: '/data/export/conversations', status: 200, host: 'api', body: { page: 2 } },
			{
				method: 'GET',
				path: new URL(audioUrl).pathname,
				host: 'media',
				headersSeen: { authorization: false },
			},
		]);
		expect(sandbox.requests.count('/data')).toBe(1);
		const text = JSON.stringify(sandbox.requests.list());
		expect(text).not.toContain(sandbox.keys.organization);
		expect(text).not.toContain('signature');
	});
});
