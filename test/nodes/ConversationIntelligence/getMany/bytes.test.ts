import type { ServerResponse } from 'node:http';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { ConversationIntelligence } from '../../../../nodes/ConversationIntelligence/ConversationIntelligence.node';
import { scriptedEngine } from '../../../support/engine/fixtures';
import type { ScriptedResponse } from '../../../support/scriptedServer';
import { GET_ALL, KEY, shown } from '../listing';

describe('Conversation Intelligence: a page', () => {
	const { server, engine } = scriptedEngine([ConversationIntelligence], KEY);
	const rows = [
		{ conversationId: 'a', title: 'Küche – 😀 "{[' },
		{ conversationId: 'b', title: `echo of ${KEY}` },
	];
	const page = Buffer.from(
		`\uFEFF${JSON.stringify({ conversations: rows, totalConversations: 2 }, null, '\t')}`,
	);
	const read = async (response: ScriptedResponse) => {
		server.respond([response]);
		const { items, error } = await engine.runNode('conversationIntelligence', GET_ALL);
		expect(error).toBeUndefined();
		return items.map(({ json }) => [json.conversationId, json.title]);
	};
	const expected = [
		['a', 'Küche – 😀 "{['],
		['b', 'echo of ***'],
	];

	test('is read in one piece with a byte-order mark, and a key in a row is masked', async () => {
		expect(await read((_request, response) => response.end(page))).toEqual(expected);
	});

	test('is read from a few bytes at a time, even when they split characters', async () => {
		const pieces = async (response: ServerResponse) => {
			for (let start = 0; start < page.length; start += 3) {
				response.write(page.subarray(start, start + 3));
				await new Promise((resolve) => setImmediate(resolve));
			}
			response.end();
		};
		expect(await read((_request, response) => void pieces(response))).toEqual(expected);
	});

	test.each(['gzip', 'deflate', 'br'] as const)('is read when it is compressed with %s', async (encoding) => {
		const compress = { gzip: gzipSync, deflate: deflateSync, br: brotliCompressSync }[encoding];
		const response: ScriptedResponse = (_request, response) =>
			response.writeHead(200, { 'content-encoding': encoding }).end(compress(page));

		expect(await read(response)).toEqual(expected);
	});

	test('fails the export without any output when one of its rows is broken', async () => {
		const body = `{"totalConversations":2,"conversations":[{"conversationId":"a"},{"key":${KEY}}]}`;
		server.respond([{ status: 200, body }]);
		const { items, error } = await engine.runNode('conversationIntelligence', GET_ALL);

		expect(items).toHaveLength(0);
		expect(error?.message).toMatch(/response is not valid JSON/);
		expect(error?.description).toContain('"{"totalConversations":2,');
		expect(shown(error)).not.toContain(KEY);
	});

	test('never shows a key in the message, even one that is split between two pieces', async () => {
		const [before, after] = [`{"key":"${KEY.slice(0, 12)}`, `${KEY.slice(12)}"}`];
		const cut = async (response: ServerResponse) => {
			await new Promise<void>((resolve) => response.write(before, () => resolve()));
			// Server and client share this process, so the first piece is read before the second is sent.
			for (let turn = 0; turn < 5; turn++) await new Promise((resolve) => setImmediate(resolve));
			response.end(after);
		};
		server.respond([(_request, response) => void cut(response)]);
		const { error } = await engine.runNode('conversationIntelligence', GET_ALL);

		expect(error?.description).toContain('"{"key":"***"}"');
		expect(shown(error)).not.toContain(KEY.slice(0, 12));
	});
});
