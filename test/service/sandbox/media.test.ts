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

test('the request log shows requests and whether they have a key, but neither key nor query', async () => {
	await control(service, 'DELETE', '/requests');
	await exportPost(service, 'conversations', { page: 2 });
	await call(audioUrl);
	const log = await control(service, 'GET', '/requests');
	const ofExport = { host: 'api', status: 200, headersSeen: { authorization: true }, body: { page: 2 } };
	const ofMedia = { host: 'media', path: new URL(audioUrl).pathname, headersSeen: { authorization: false } };
	expect(log).toMatchObject({ count: 2, requests: [ofExport, ofMedia] });
	expect(JSON.stringify(log)).not.toMatch(new RegExp(`${service.keys.organization}|signature`));
});
