import { fail } from 'node:assert';
import { sleep, type IDataObject, type IHttpRequestOptions, type IPollFunctions } from 'n8n-workflow';
import { pollContext, savedSince } from './pollingN8n';
import { ConversationIntelligencePollTrigger } from '../../../nodes/ConversationIntelligencePollTrigger/ConversationIntelligencePollTrigger.node';

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
	{ saved = {}, ...more }: { budgetMs?: number; saved?: IDataObject } & Partial<IPollFunctions> = {},
) {
	const shown: Error[] = [];
	const __emitError = (error: Error) => void shown.push(error);
	const n8n = { process, saved: () => saved, budgetMs: 300_000, respond, __emitError };
	const context = pollContext({ ...n8n, ...more });
	const start = Date.now();
	let tookMs: number | undefined;
	const poll = new ConversationIntelligencePollTrigger().poll.call(context);
	const isPublished = poll
		.then(() => true)
		.catch(() => false)
		.finally(() => (tookMs = Date.now() - start));
	while (tookMs === undefined) await jest.advanceTimersByTimeAsync(1);
	return { tookMs, shown: shown.length, isPublished: await isPublished };
}

test.each<[string, typeof neverResponds, number, number]>([
	['never responds', neverResponds, 8000, 8000],
	['refuses connections', refusesConnections, 1000, 8000],
	['asks for a pause', async () => ({ statusCode: 429, headers: { 'retry-after': '400' } }), 0, 10],
])('publishes while the service %s, and shows that once a minute', async (how, respond, leastMs, mostMs) => {
	const saved: IDataObject = {};
	for (const [at, shown] of Object.entries({ 0: 1, 59_999: 0, 60_000: 1 })) {
		jest.setSystemTime(Number(at));
		const { tookMs, ...result } = await publish(how, respond, { saved });
		expect(result).toEqual({ isPublished: true, shown });
		expect(tookMs).toBeGreaterThanOrEqual(leastMs);
		expect(tookMs).toBeLessThanOrEqual(mostMs);
	}
	// Delivers what is processed meanwhile.
	expect(saved).toEqual(savedSince(0));
});

test("has all its time in a poll of n8n's scheduler, which shows the failure itself", async () => {
	const result = await publish('scheduled', neverResponds, { budgetMs: 36_000 });
	expect(result).toEqual({ tookMs: 36_000, shown: 0, isPublished: false });
});

test.each([401, 403])(
	'does not publish when the service refuses the key with %i, even after a response, and shows that once',
	async (statusCode) => {
		let requests = 0;
		const refuses = async () => ({ statusCode, headers: {}, body: 'No' });
		// Of 60 conversations, the first response shows none, so that others follow.
		const first = { statusCode: 200, headers: {}, body: '{"totalConversations":60,"conversations":[]}' };
		const refusesLater = async () => (++requests === 1 ? first : await refuses());
		jest.setSystemTime(1000 * 3_600_000);
		for (const [shown, respond, before] of [
			[1, refuses, {}],
			[0, refusesLater, savedSince(0)],
		] as const) {
			const saved = structuredClone(before);
			const result = await publish(`refused ${statusCode}`, respond, { saved });
			expect(result).toMatchObject({ shown, isPublished: false });
			expect(saved).toEqual(before);
		}
	},
);

test.each<[string, string, string[], number]>([
	['of the same name', 'Poll', ['Write'], 1],
	['that starts nothing', 'Gone', [], 1],
	['but none that starts executions', 'Other', ['Write'], 5],
])('a pasted or imported trigger goes on from the latest one %s', async (_which, node, children, from) => {
	jest.setSystemTime(5);
	const [[own, position]] = Object.entries(savedSince(0));
	const key = (id: string) => own.replace(/node$/, id);
	const others = { [key('latest')]: { ...position, node, from: 1 }, [key('broken')]: null, else: { node } };
	const saved: IDataObject = { [key('older')]: { ...position, node }, ...others };
	const getChildNodes = () => children as unknown as ReturnType<IPollFunctions['getChildNodes']>;
	await publish(`pasted beside ${node}`, refusesConnections, { saved, getChildNodes });
	expect(saved[own]).toMatchObject({ from });
	expect(key('latest') in saved).toBe(from === 5);
	expect(saved).toMatchObject({ [key('older')]: { node }, [key('broken')]: null, else: { node } });
});

test('shows another error of n8n itself at once, the same one once', async () => {
	const shown: number[] = [];
	for (const message of ['Node is unexecuted', 'Node is unexecuted', 'Invalid expression']) {
		const getNodeParameter = () => fail(message);
		shown.push((await publish('broken expression', refusesConnections, { getNodeParameter })).shown);
	}
	expect(shown).toEqual([1, 0, 1]);
});
