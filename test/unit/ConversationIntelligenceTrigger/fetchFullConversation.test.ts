import type { IExecuteFunctions, IHttpRequestOptions, INode } from 'n8n-workflow';
import { Item } from '../../../nodes/shared/node/item';
import { conversationItem } from '../../../nodes/shared/exportApi/conversation';
import { fetchFullConversation } from '../../../nodes/ConversationIntelligenceTrigger/fetchFullConversation';

/** An item of an execution with the part that a request needs; answers with the given statuses, then repeats the last. */
function itemAnswering(...statuses: number[]) {
	const urls: string[] = [];
	const send = async (_type: string, { url }: IHttpRequestOptions) => {
		urls.push(url);
		const statusCode = statuses[Math.min(urls.length, statuses.length) - 1];
		return { statusCode, headers: {}, body: JSON.stringify({ conversationId: 'a b' }) };
	};
	const context = {
		getNode: () =>
			({ name: 'Conversation Intelligence Trigger', type: 'conversationIntelligenceTrigger' }) as INode,
		getCredentials: async () => ({ baseUrl: 'https://api.example', apiKey: 'key' }),
		getExecutionCancelSignal: () => undefined,
		helpers: { httpRequestWithAuthentication: send },
	};
	return { item: new Item(context as unknown as IExecuteFunctions, 0), urls };
}

test('retries after each wait, then explains the 404 [D1-EVENT-04]', async () => {
	const { item, urls } = itemAnswering(404);
	await expect(fetchFullConversation(item, 'a b', [1, 1, 1])).rejects.toMatchObject({
		message: expect.stringContaining('does not exist or is outside the teams of this key [Item 0]'),
		description: expect.stringContaining('selected teams'),
		httpCode: '404',
	});
	expect(urls).toEqual(Array(4).fill('https://api.example/export/conversations/a%20b'));
});

test('stops retrying once the conversation exists', async () => {
	const { item, urls } = itemAnswering(404, 404, 200);
	const { conversation } = await fetchFullConversation(item, 'a b', [1, 1, 1]);
	expect(conversation).toEqual({ conversationId: 'a b' });
	expect(urls).toHaveLength(3);
});

test('does not retry after any other refusal', async () => {
	const { item, urls } = itemAnswering(401);
	await expect(fetchFullConversation(item, 'a b', [1])).rejects.toMatchObject({ httpCode: '401' });
	expect(urls).toHaveLength(1);
});

test("conversationItem adds the dedupeKey, the links' expiry and the event", () => {
	const conversation = { conversationId: 'a', title: null };
	expect(conversationItem(conversation, 0, null)).toEqual({
		conversationId: 'a',
		title: null,
		dedupeKey: 'a',
		urlsExpireAt: '1970-01-01T06:00:00.000Z',
		event: null,
	});
});
