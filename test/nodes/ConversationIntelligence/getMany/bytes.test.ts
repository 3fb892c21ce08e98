import type { ServerResponse } from 'node:http';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { ConversationIntelligence } from '../../../../nodes/ConversationIntelligence/ConversationIntelligence.node';
import { scriptedEngine } from '../../../support/engine/fixtures';
import type { ScriptedResponse } from '../../../support/scriptedServer';
import { GET_ALL, KEY, shown } from '../listing';

describe('Conversation Intelligence: a page', () => {
	const { server, engine } = scriptedEngine([ConversationIntelligence], KEY);
	const conversations = [
		{ conversationId: 'a', title: 'Küche – 😀 "{[' },
		{ conversationId: 'b', title: `echo of ${KEY}` },
	];
	const page = Buffer.from(`\uFEFF${JSON.stringify({ conversations, totalConversations: 2 }, null, '\t')}`);
	const pieces = async (response: ServerResponse) => {
		for (let start = 0; start < page.length; start += 3) {
			response.write(page.subarray(start, start + 3));
			await new Promise((resolve) => setImmediate(resolve));
		}
		response.end();
	};
	const packed = (encoding: string, bytes: Buffer) => (response: ServerResponse) =>
		void response.writeHead(200, { 'content-encoding': encoding }).end(bytes);

	test.each<[string, (response: ServerResponse) => void]>([
		['in pieces that split its characters', (response) => void pieces(response)],
		['packed with gzip', packed('gzip', gzipSync(page))],
		['packed with deflate', packed('deflate', deflateSync(page))],
		['packed with brotli', packed('br', brotliCompressSync(page))],
	])('is read %s, with a byte-order mark, and a key in a row is masked', async (_how, respond) => {
		server.respond([(_request, response) => respond(response)]);
		const { items, error } = await engine.runNode('conversationIntelligence', GET_ALL);
		expect(error).toBeUndefined();
		expect(items.map(({ json }) => json.title)).toEqual(['Küche – 😀 "{[', 'echo of ***']);
	});

	test('with a broken row fails the export without any output, and the message masks the key', async () => {
		const broken: ScriptedResponse = {
			status: 200,
			body: `{"totalConversations":2,"conversations":[{"conversationId":"a"},{"key":${KEY}}]}`,
		};
		server.respond([broken]);
		const { items, error } = await engine.runNode('conversationIntelligence', GET_ALL);

		expect(items).toHaveLength(0);
		expect(error?.description).toContain('"{"totalConversations":2,');
		expect(shown(error)).not.toContain(KEY);
	});
});
