import { scriptedExport } from './exportNode';
import { documentedRow } from '../../support/engine/documentedRow';

const ID = '3f2b8c1e-5d7a-4c66-9b1f-0a2d4e6f8a10';
/** A query that must arrive unchanged, because another encoding would not match its signature. */
const QUERY = `sig=a%2Fb+c%20d&x=%E2%9C%93&empty=&a=1&name=O'Brien%27s&list="<a>"?{}|^\`[]&%zz`;
const HOURS_MS = 3_600_000;

describe('Presigned links', () => {
	const { server, run: runNode } = scriptedExport();

	const conversation = () =>
		documentedRow('ConversationsExport', {
			conversationId: ID,
			transcriptUrl: `${server.url}/media/transcript.json?${QUERY}`,
			audioUrl: `${server.url}/media/audio.mp3?${QUERY}`,
		});
	/** The API and the media host. */
	const serve = () => {
		server.respond(({ url, method }) => {
			const page = { conversations: [conversation()], totalConversations: 1 };
			if (method === 'POST') return { status: 200, body: JSON.stringify(page) };
			if (url.startsWith('/export/')) return { status: 200, body: JSON.stringify(conversation()) };
			return { status: 200, body: '[{"word":"Hello"}]' };
		});
	};
	/** Runs an operation for an item with other links, which must not be opened. */
	const run = async (operation: string) => {
		const [audioUrl, transcriptUrl] = [`${server.url}/a`, `${server.url}/t`];
		const json = { audioUrl, transcriptUrl, urlsExpireAt: '2100-01-01T00:00:00Z' };
		return await runNode({ operation, conversationId: ID }, { input: [{ json }] });
	};
	const asked = () => server.seen.map(({ url }) => url);

	// D1-CONV-09, D1-CONV-22
	test.each([
		['downloadTranscript', 'transcript.json'],
		['downloadAudio', 'audio.mp3'],
	])('%s looks up the link of %s, and opens it byte for byte and without a key', async (operation, file) => {
		serve();
		expect((await run(operation)).error).toBeUndefined();
		expect(asked()).toEqual([`/export/conversations/${ID}`, `/media/${file}?${QUERY}`]);
		const [api, media] = server.seen.map(({ headers }) => headers);
		expect(api.authorization).toBe('key-1');
		expect(JSON.stringify(media)).not.toContain('key-1');
		expect(media).not.toHaveProperty('authorization');
	});

	// D1-LIM-03, D1-CONV-09, D1-CONV-22, D1-LIM-03
	test('a conversation says when its links expire: six hours after the request, never later than they do', async () => {
		for (const parameters of [{}, { operation: 'get', conversationId: ID }]) {
			let respondedAt = 0;
			server.respond(({ method }) => {
				respondedAt = Date.now();
				const page = { conversations: [conversation()], totalConversations: 1 };
				return { status: 200, body: JSON.stringify(method === 'POST' ? page : conversation()) };
			});
			const before = Date.now();
			const { items } = await runNode(parameters);
			const end = Date.parse(String(items[0].json.urlsExpireAt));
			expect(end).toBeGreaterThanOrEqual(before + 6 * HOURS_MS);
			expect(end).toBeLessThanOrEqual(respondedAt + 6 * HOURS_MS);
		}
	});
});
