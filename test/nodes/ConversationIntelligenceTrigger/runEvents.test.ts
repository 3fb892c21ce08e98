import type { IExecuteFunctions, IHttpRequestOptions, INode } from 'n8n-workflow';
import { Item } from '../../../nodes/shared/node/item';
import { fullConversation } from '../../../nodes/ConversationIntelligenceTrigger/runEvents';

beforeEach(() => void jest.useFakeTimers({ now: 0 }));
afterEach(() => void jest.useRealTimers());

/** An execution whose service responds with the given statuses and then repeats the last one. */
function executionWith(...statuses: number[]) {
	const urls: string[] = [];
	/** When each request was sent, in milliseconds. */
	const sentAt: number[] = [];
	const cancel = new AbortController();
	const send = async (_type: string, { url }: IHttpRequestOptions) => {
		urls.push(url);
		sentAt.push(Date.now());
		const statusCode = statuses[Math.min(urls.length, statuses.length) - 1];
		return { statusCode, headers: {}, body: JSON.stringify({ conversationId: 'a b' }) };
	};
	const context = {
		getNode: () =>
			({ name: 'Conversation Intelligence Trigger', type: 'conversationIntelligenceTrigger' }) as INode,
		getCredentials: async () => ({ baseUrl: 'https://api.example', apiKey: 'key' }),
		getExecutionCancelSignal: () => cancel.signal,
		helpers: { httpRequestWithAuthentication: send },
	};
	const item = new Item(context as unknown as IExecuteFunctions, 7);
	return { fetched: fullConversation(item, 'a b', { sent_at: 'then' }), urls, sentAt, cancel };
}

// D1-EVENT-04
test('requests a missing conversation again after 1, 2, 4 and 8 seconds, then explains the 404', async () => {
	const { fetched, urls, sentAt } = executionWith(404);
	const failure = fetched.catch((error: unknown) => error);
	await jest.advanceTimersByTimeAsync(60_000);
	expect(await failure).toMatchObject({
		details: { code: 'conversation_not_found', status: 404 },
	});
	expect(urls).toEqual(Array(5).fill('https://api.example/export/conversations/a%20b'));
	expect(sentAt).toEqual([0, 1000, 3000, 7000, 15_000]);
});

test('stops retrying once the conversation exists, and dates its links by the last request', async () => {
	const { fetched, sentAt } = executionWith(404, 404, 200);
	await jest.advanceTimersByTimeAsync(3000);
	expect(await fetched).toEqual({
		conversationId: 'a b',
		dedupeKey: 'a b',
		urlsExpireAt: new Date(3000 + 6 * 3_600_000).toISOString(),
		event: { sent_at: 'then' },
	});
	expect(sentAt).toHaveLength(3);
});

test('does not retry after any other status', async () => {
	const { fetched, urls } = executionWith(401);
	await expect(fetched).rejects.toMatchObject({ details: { code: 'api_key_unknown', status: 401 } });
	expect(urls).toHaveLength(1);
});

test('stops waiting as soon as the execution is stopped', async () => {
	const { fetched, urls, cancel } = executionWith(404);
	const failure = fetched.catch((error: unknown) => error);
	await jest.advanceTimersByTimeAsync(1500);
	cancel.abort(new Error('stopped'));
	await jest.advanceTimersByTimeAsync(0);
	expect(await failure).toMatchObject({ message: 'stopped' });
	await jest.advanceTimersByTimeAsync(60_000);
	expect(urls).toHaveLength(2);
});
