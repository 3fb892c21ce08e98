import { sleep, type IDataObject, type IHttpRequestOptions, type IPollFunctions } from 'n8n-workflow';
import { ListService } from './listService';
import { ConversationIntelligencePollTrigger } from '../../../nodes/ConversationIntelligencePollTrigger/ConversationIntelligencePollTrigger.node';

/** What n8n keeps of a trigger that has delivered nothing yet. */
const nothingDelivered = () => ({
	'conversationIntelligencePollTrigger:node': {
		node: 'Poll',
		start: 'whenPublished',
		from: 0,
		filters: [{ since: 0, filter: {} }],
		count: 0,
		seen: {},
	},
});

/** A thousand conversations, one an hour. */
function listOfThousand(): ListService {
	const service = new ListService();
	for (let n = 0; n < 1000; n++) service.put(`c${n}`, n * 3_600_000);
	jest.setSystemTime(1000 * 3_600_000);
	return service;
}

beforeEach(() => void jest.useFakeTimers({ now: 0 }));
afterEach(() => void jest.useRealTimers());

/** A service that never responds: n8n's HTTP helper fails when its time is over. */
async function neverResponds({ timeout }: IHttpRequestOptions): Promise<unknown> {
	await sleep(timeout!);
	throw Object.assign(new Error('timeout'), { code: 'ECONNABORTED' });
}

async function refusesConnections(): Promise<unknown> {
	throw Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });
}

/** Polls once in a new context, as n8n does for each attempt to publish. Returns how long it took and how often a person saw a failure. */
async function publish(
	process: string,
	respond: (request: IHttpRequestOptions) => Promise<unknown>,
	{ budgetMs = 300_000, saved = {} }: { budgetMs?: number; saved?: IDataObject } = {},
) {
	const shown: Error[] = [];
	const context = {
		getMode: () => 'trigger',
		getActivationMode: () => 'update',
		getPollBudgetMs: () => budgetMs,
		getNode: () => ({ id: 'node', name: 'Poll', type: 'poll', parameters: {} }),
		getWorkflow: () => ({ id: process, name: 'Workflow' }),
		getWorkflowSettings: () => ({}),
		getWorkflowStaticData: () => saved,
		getNodeParameter: (name: string, fallback: unknown) =>
			name === 'startFrom' ? 'whenPublished' : fallback,
		getTimezone: () => 'UTC',
		getCredentials: async () => ({ baseUrl: 'https://service.example', apiKey: 'some-key' }),
		__emitError: (error: Error) => void shown.push(error),
		helpers: {
			httpRequestWithAuthentication: async (_type: string, request: IHttpRequestOptions) =>
				await respond(request),
		},
	} as unknown as IPollFunctions;
	const start = Date.now();
	let tookMs: number | undefined;
	const poll = new ConversationIntelligencePollTrigger().poll.call(context);
	const isPublished = poll
		.then(
			() => true,
			() => false,
		)
		.finally(() => (tookMs = Date.now() - start));
	while (tookMs === undefined) await jest.advanceTimersByTimeAsync(1);
	return { tookMs, shown: shown.length, isPublished: await isPublished };
}

test.each<[string, typeof neverResponds, number]>([
	['never responds', neverResponds, 8000],
	['refuses connections', refusesConnections, 8000],
	['asks for a pause', async () => ({ statusCode: 429, headers: { 'retry-after': '400' }, body: 'No' }), 10],
])('publishes while the service %s, and shows that once a minute', async (how, respond, mostMs) => {
	const saved: IDataObject = {};
	for (const [at, shown] of [
		[0, 1],
		[59_999, 0],
		[60_000, 1],
	]) {
		jest.setSystemTime(at);
		const { tookMs, ...result } = await publish(how, respond, { saved });
		expect(result).toEqual({ isPublished: true, shown });
		expect(tookMs).toBeLessThanOrEqual(mostMs);
	}
	// Delivers what is processed meanwhile.
	expect(saved).toEqual(nothingDelivered());
});

test("has all its time in a poll of n8n's scheduler, which shows the failure itself", async () => {
	const scheduled = { budgetMs: 36_000 };
	expect(await publish('scheduled', neverResponds, scheduled)).toEqual({
		tookMs: 36_000,
		shown: 0,
		isPublished: false,
	});
});

test('publishes although the service takes nine seconds for each response', async () => {
	const service = listOfThousand();
	const slow = async (request: IHttpRequestOptions) => {
		if (request.timeout! < 9000) return await neverResponds(request);
		await sleep(9000);
		return service.respond(request);
	};
	const saved = nothingDelivered();
	const before = structuredClone(saved);
	expect(await publish('slow', slow, { saved })).toEqual({ tookMs: 8000, shown: 1, isPublished: true });
	expect(saved).toEqual(before);
});

test.each([401, 403])(
	'does not publish when the service refuses the key with %i, even after a response, and shows that once',
	async (statusCode) => {
		const service = listOfThousand();
		let requests = 0;
		const refusesLater = async (request: IHttpRequestOptions) =>
			++requests === 1 ? service.respond(request) : { statusCode, headers: {}, body: 'No' };
		const saved = nothingDelivered();
		for (const shown of [1, 0]) {
			const result = await publish(`refused ${statusCode}`, refusesLater, { saved });
			expect(result).toMatchObject({ shown, isPublished: false });
		}
	},
);
