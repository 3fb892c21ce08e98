import { ConversationIntelligence } from '../../../nodes/ConversationIntelligence/ConversationIntelligence.node';
import { createEngine } from '../../support/engine';
import { sandboxExport } from './exportNode';
import { GET_ALL } from './listing';

const ABSENT = '00000000-0000-4000-8000-000000000000';
const { sandbox, run } = sandboxExport({ conversations: 60 });

// D1-GET-03..04, D1-AUTH-02, D1-DOES-05, D1-ERR-02
test('a conversation outside the teams of a key gets the same message as one that does not exist', async () => {
	const credential = { baseUrl: sandbox.exportUrl, apiKey: sandbox.keys.team };
	const team = await createEngine([ConversationIntelligence], { conversationExportApi: credential });
	const get = async (conversationId: string) => {
		const parameters = { ...GET_ALL, operation: 'get', conversationId };
		const { error } = await team.runNode('conversationIntelligence', parameters);
		const { message, description } = error!;
		return {
			...(error!.context!.details as object),
			message,
			description: description!.replaceAll(conversationId, 'ID'),
		};
	};
	const visible = (await team.runNode('conversationIntelligence', GET_ALL)).items.map(
		({ json }) => json.conversationId,
	);
	const outside = sandbox.control.conversationIds(0, 60).find((id) => !visible.includes(id))!;
	expect(visible).not.toEqual([]);
	expect((await run({ operation: 'get', conversationId: outside })).items[0].json.conversationId).toBe(
		outside,
	);
	const hidden = await get(outside);
	expect(hidden).toMatchObject({ code: 'conversation_not_found', status: 404, conversationId: outside });
	expect(await get(ABSENT)).toEqual({ ...hidden, conversationId: ABSENT });
});
