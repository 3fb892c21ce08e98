import { ConversationIntelligence } from '../../../nodes/ConversationIntelligence/ConversationIntelligence.node';
import { POLICY } from '../../../nodes/shared/http';
import { scriptedEngine } from '../../support/engine/fixtures';
import type { ScriptedResponse } from '../../support/scriptedServer';
import { GET_ALL } from './listing';

const EMPTY = JSON.stringify({ conversations: [], totalConversations: 0 });
const { server, engine } = scriptedEngine([ConversationIntelligence]);
const run = async (script: ScriptedResponse[]) => {
	server.respond(script);
	return await engine.runNode('conversationIntelligence', GET_ALL);
};

describe('Conversation Intelligence: responses that stop', () => {
	beforeEach(() => void jest.replaceProperty(POLICY as { stalledAfterMs: number }, 'stalledAfterMs', 400));

	const stall: ScriptedResponse = (_request, response) => {
		response.writeHead(200, { 'content-type': 'application/json' });
		response.write('{"conversations":[');
	};

	test('are aborted in the body and requested again', async () => {
		const { error } = await run([stall, { status: 200, body: EMPTY }]);

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
		const { error } = await run([slow]);

		expect(error).toBeUndefined();
		expect(server.seen).toHaveLength(1);
	});
});
