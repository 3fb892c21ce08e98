import type { IExecuteFunctions, IHttpRequestOptions, INode } from 'n8n-workflow';
import { Item } from '../../../nodes/shared/node/item';
import { fetchConversation } from '../../../nodes/ConversationIntelligenceTrigger/events';

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
	return { fetched: fetchConversation(item, 'a b'), urls, sentAt, cancel };
}

// D1-EVENT-04
test.each([
	[404, 'conversation_not_found', [0, 1, 3, 7, 15, 31, 60]],
	[503, 'service_failed', undefined],
])('requests a conversation again for at least a minute after %i, then fails and says so', async (...row) => {
	const [status, code, seconds] = row;
	const { fetched, urls, sentAt } = executionWith(status);
	const failure = fetched.catch((error: unknown) => error);
	await jest.advanceTimersByTimeAsync(180_000);
	expect(await failure).toMatchObject({
		description: expect.stringMatching(/^Requested again for a minute\. .* (Webhook subscr|This may be)/),
		details: { code, status },
	});
	expect(new Set(urls)).toEqual(new Set(['https://api.example/export/conversations/a%20b']));
	if (seconds) expect(sentAt).toEqual(seconds.map((second) => second * 1000));
	expect(sentAt.at(-1)).toBeGreaterThanOrEqual(60_000);
	expect(sentAt.at(-1)).toBeLessThan(120_000);
});

test('stops retrying once the conversation exists, and dates its links by the last request', async () => {
	const { fetched, sentAt } = executionWith(404, 404, 200);
	await jest.advanceTimersByTimeAsync(3000);
	expect(await fetched).toEqual({
		conversationId: 'a b',
		urlsExpireAt: new Date(3000 + 6 * 3_600_000).toISOString(),
	});
	expect(sentAt).toHaveLength(3);
});

test('does not retry what a person must mend', async () => {
	const { fetched, urls } = executionWith(401);
	await expect(fetched).rejects.toMatchObject({ details: { code: 'api_key_unknown', status: 401 } });
	expect(urls).toHaveLength(1);
});

test('stops as soon as the execution is stopped, before a request or between two', async () => {
	const atOnce = executionWith(404);
	atOnce.cancel.abort(new Error('stopped'));
	await expect(atOnce.fetched).rejects.toThrow('stopped');
	const { fetched, urls, cancel } = executionWith(404);
	const failure = fetched.catch((error: unknown) => error);
	await jest.advanceTimersByTimeAsync(1500);
	cancel.abort(new Error('stopped'));
	expect(await failure).toMatchObject({ message: 'stopped' });
	await jest.advanceTimersByTimeAsync(60_000);
	expect(urls).toHaveLength(2);
});
