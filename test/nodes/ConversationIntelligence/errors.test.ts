import { POLICY } from '../../../nodes/shared/http/policy';
import { scriptedExport } from './exportNode';
import type { ScriptedResponse } from '../../support/scriptedServer';
import { KEY } from './listing';

const EMPTY = JSON.stringify({ conversations: [], totalConversations: 0 });
const ID = '3f2b8c1e-5d7a-4c66-9b1f-0a2d4e6f8a10';

describe('Conversation Intelligence: responses', () => {
	const { server, run } = scriptedExport(KEY);

	const runWith = async (parameters: Record<string, unknown>, ...responses: ScriptedResponse[]) => {
		server.respond(responses);
		return await run(parameters);
	};

	test.each([
		['conversations', {}],
		['teams', { resource: 'team' }],
		['users', { resource: 'user' }],
		['the members of a team', { filters: { teams: ['North'] } }],
	])('names the item when %s cannot be read', async (_what, parameters) => {
		const { error } = await runWith(parameters, { status: 400, body: 'No' });
		expect(error).toMatchObject({ httpCode: '400', context: { itemIndex: 0 } });
	});

	test('reports a conversation with unexpected fields, and keeps the expiry that the service sends itself', async () => {
		const urlsExpireAt = '2030-01-01T00:00:00Z';
		const body = JSON.stringify({ conversationId: ID, title: 5, urlsExpireAt });
		const get = { operation: 'get', conversationId: { __rl: true, mode: 'id', value: ID } };
		const { items, hints } = await runWith(get, { status: 200, body });
		expect(items[0].json).toEqual({ conversationId: ID, title: 5, urlsExpireAt });
		expect(hints.map(({ message }) => message).join()).toMatch(/^Unexpected data: .*title/);
	});

	test.each([
		['get', 404, 'conversation_not_found'],
		['downloadAudio', 404, 'conversation_not_found'],
		['downloadTranscript', 500, 'service_failed'],
	])(
		'names the conversation that %s asks for in the details of its failed item',
		async (operation, status, code) => {
			server.respond([{ status }]);
			jest.replaceProperty(POLICY as { baseDelayMs: number }, 'baseDelayMs', 1);
			const { items } = await run({ operation, conversationId: ID }, { continueOnFail: true });
			expect(items.map(({ json }) => json.details)).toEqual([
				expect.objectContaining({ code, status, conversationId: ID, retryable: status === 500 }),
			]);
		},
	);

	describe('that stop', () => {
		beforeEach(() => void jest.replaceProperty(POLICY as { stalledAfterMs: number }, 'stalledAfterMs', 400));

		const stall: ScriptedResponse = (_request, response) => {
			response.writeHead(200, { 'content-type': 'application/json' });
			response.write('{"conversations":[');
		};

		test('are aborted in the body and requested again', async () => {
			const { error } = await runWith({}, stall, { status: 200, body: EMPTY });

			expect(error).toBeUndefined();
			expect(server.seen).toHaveLength(2);
		});

		test('are waited for while they make slow progress', async () => {
			const slow: ScriptedResponse = (_request, response) => {
				response.writeHead(200, { 'content-type': 'application/json' });
				const parts = [...EMPTY];
				const writeNext = () => {
					const part = parts.splice(0, 6).join('');
					if (part === '') return response.end();
					response.write(part, () => setTimeout(writeNext, 100));
				};
				writeNext();
			};
			const { error } = await runWith({}, slow);

			expect(error).toBeUndefined();
			expect(server.seen).toHaveLength(1);
		});
	});
});
