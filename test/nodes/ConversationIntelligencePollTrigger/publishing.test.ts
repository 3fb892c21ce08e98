import { sleep, type IHttpRequestOptions, type IPollFunctions } from 'n8n-workflow';
import { ListService } from './listService';
import { ConversationIntelligencePollTrigger } from '../../../nodes/ConversationIntelligencePollTrigger/ConversationIntelligencePollTrigger.node';

beforeEach(() => void jest.useFakeTimers({ now: 0 }));
afterEach(() => void jest.useRealTimers());

/** A service that never responds: n8n's HTTP helper fails when its time is over. */
async function neverResponds({ timeout }: IHttpRequestOptions) {
	await sleep(timeout!);
	throw Object.assign(new Error('timeout'), { code: 'ECONNABORTED' });
}

async function refusesConnections() {
	throw Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });
}

/** Polls once in a new context, as n8n does for each attempt to publish. Returns when it failed, and how often a person saw it. */
async function failToPublish(
	process: string,
	respond: (request: IHttpRequestOptions) => Promise<unknown>,
	budgetMs = 300_000,
	staticData = {},
) {
	const shown: Error[] = [];
	const warned: string[] = [];
	const context = {
		getMode: () => 'trigger',
		getActivationMode: () => 'update',
		getPollBudgetMs: () => budgetMs,
		getNode: () => ({ id: 'node', name: 'Poll', type: 'poll', parameters: {} }),
		getWorkflow: () => ({ id: process, name: 'Workflow' }),
		getWorkflowSettings: () => ({}),
		getWorkflowStaticData: () => staticData,
		getNodeParameter: (name: string, fallback: unknown) => (name === 'startFrom' ? 'activation' : fallback),
		getTimezone: () => 'UTC',
		getCredentials: async () => ({ baseUrl: 'https://service.example', apiKey: 'some-key' }),
		__emitError: (error: Error) => void shown.push(error),
		logger: { warn: (message: string) => void warned.push(message) },
		helpers: {
			httpRequestWithAuthentication: async (_type: string, request: IHttpRequestOptions) =>
				await respond(request),
		},
	} as unknown as IPollFunctions;
	const start = Date.now();
	let tookMs: number | undefined;
	const poll = new ConversationIntelligencePollTrigger().poll.call(context);
	const settled = poll
		.then(
			() => ({ isPublished: true }),
			() => ({}),
		)
		.finally(() => (tookMs = Date.now() - start));
	while (tookMs === undefined) await jest.advanceTimersByTimeAsync(1);
	return { tookMs, shown: shown.length, ...(await settled), ...(warned.length > 0 && { warned }) };
}

test('shows a person who publishes a service that never responds after 8 seconds, and repeats take one', async () => {
	expect(await failToPublish('silent', neverResponds)).toEqual({ tookMs: 8000, shown: 1 });
	jest.setSystemTime(59_999);
	expect(await failToPublish('silent', neverResponds)).toEqual({ tookMs: 1000, shown: 0 });
	jest.setSystemTime(119_999);
	expect(await failToPublish('silent', neverResponds)).toEqual({ tookMs: 8000, shown: 1 });
});

test('shows a person who publishes a refused connection within 8 seconds, and repeats take less than one', async () => {
	const first = await failToPublish('refused', refusesConnections);
	expect(first.shown).toBe(1);
	expect(first.tookMs).toBeLessThanOrEqual(8000);
	const repeat = await failToPublish('refused', refusesConnections);
	expect(repeat.shown).toBe(0);
	expect(repeat.tookMs).toBeLessThanOrEqual(1000);
});

test("has all its time in a poll of n8n's scheduler, which shows the failure itself, and then when published", async () => {
	expect(await failToPublish('scheduled', neverResponds, 36_000)).toEqual({ tookMs: 36_000, shown: 0 });
	expect(await failToPublish('scheduled', neverResponds)).toEqual({ tookMs: 8000, shown: 1 });
});

test('publishes although the service takes three seconds for each response and has much to list', async () => {
	const tookMs = 3000;
	const service = new ListService();
	for (let n = 0; n < 10_000; n++) service.put(`c${n}`, n * 4 * 3_600_000);
	const slow = async (request: IHttpRequestOptions) => {
		if (tookMs > request.timeout!) return await neverResponds(request);
		await sleep(tookMs);
		return service.respond(request);
	};
	const position = { start: 'activation', from: 0, seen: {} };
	jest.setSystemTime(10_000 * 4 * 3_600_000);
	const saved = { 'conversationIntelligencePollTrigger:node': position };
	expect(await failToPublish('slow', slow, undefined, saved)).toEqual({
		tookMs: 8000,
		shown: 0,
		isPublished: true,
		warned: ['Workflow: Poll: could not finish its first poll within 8 seconds and tries again'],
	});
	expect(position).toEqual({ start: 'activation', from: 0, seen: {} });
});

test('does not publish when a slow service responds and then refuses the key', async () => {
	const service = new ListService();
	for (let n = 0; n < 1000; n++) service.put(`c${n}`, n * 3_600_000);
	let requests = 0;
	const refusesLater = async (request: IHttpRequestOptions) => {
		await sleep(2500);
		return ++requests === 1 ? service.respond(request) : { statusCode: 401, headers: {}, body: 'No' };
	};
	const saved = { 'conversationIntelligencePollTrigger:node': { start: 'activation', from: 0, seen: {} } };
	jest.setSystemTime(1000 * 3_600_000);
	expect(await failToPublish('refusing', refusesLater, undefined, saved)).toEqual({ tookMs: 5000, shown: 1 });
});
