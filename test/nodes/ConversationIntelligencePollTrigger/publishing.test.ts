import { fail } from 'node:assert';
import { sleep, type IHttpRequestOptions, type IPollFunctions } from 'n8n-workflow';
import { ConversationIntelligencePollTrigger } from '../../../nodes/ConversationIntelligencePollTrigger/ConversationIntelligencePollTrigger.node';
import { ListService } from './listService';
import { MINUTE, PollingN8n, savedSince } from './pollingN8n';

beforeEach(() => void jest.useFakeTimers({ now: 0 }));
afterEach(() => void jest.useRealTimers());

type Respond = (request: IHttpRequestOptions) => Promise<unknown>;

/** A service that never responds: n8n's HTTP helper fails when its time is over. */
const neverResponds: Respond = async ({ timeout }) => {
	await sleep(timeout!);
	throw Object.assign(new Error('timeout'), { code: 'ECONNABORTED' });
};
const refusesConnections: Respond = async () => {
	throw Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });
};
const refusesKey = async (statusCode = 401) => ({ statusCode, headers: {}, body: 'No' });

/** A workflow that was not published before, with a service that responds like this, and n8n's time for a poll. */
function unpublished(respond?: Respond, budgetMs = 5 * MINUTE) {
	const n8n = new PollingN8n(Object.assign(new ListService(), respond && { respond }));
	n8n.filters = {};
	n8n.publishAgain({});
	n8n.more = { getPollBudgetMs: () => budgetMs };
	return n8n;
}

const poll = async (context: IPollFunctions) =>
	await new ConversationIntelligencePollTrigger().poll.call(context);

/** Polls once in a new context, as n8n does for each attempt to publish: how long it took, and what a person saw. */
async function publish(n8n: PollingN8n) {
	const [start, shownBefore] = [Date.now(), n8n.shown.length];
	let tookMs: number | undefined;
	const isPublished = poll(n8n.context())
		.then(() => true)
		.catch(() => false)
		.finally(() => (tookMs = Date.now() - start));
	while (tookMs === undefined) await jest.advanceTimersByTimeAsync(1);
	return { tookMs, shown: n8n.shown.length - shownBefore, isPublished: await isPublished };
}

test.each<[string, Respond, number, number]>([
	['never responds', neverResponds, 8000, 8000],
	['refuses connections', refusesConnections, 1000, 8000],
	['asks for a pause', async () => ({ statusCode: 429, headers: { 'retry-after': '400' } }), 0, 10],
])('publishes while the service %s, and shows that once a minute', async (_how, respond, leastMs, mostMs) => {
	const n8n = unpublished(respond);
	for (const [at, shown] of Object.entries({ 0: 1, 59_999: 0, 60_000: 1 })) {
		jest.setSystemTime(Number(at));
		const { tookMs, ...result } = await publish(n8n);
		expect(result).toEqual({ isPublished: true, shown });
		expect(tookMs).toBeGreaterThanOrEqual(leastMs);
		expect(tookMs).toBeLessThanOrEqual(mostMs);
	}
	// Delivers what is processed meanwhile.
	expect(n8n.data).toEqual(savedSince(0));
});

test("has all its time in a poll of n8n's scheduler, which shows the failure itself", async () => {
	const n8n = unpublished(neverResponds, 36_000);
	expect(await publish(n8n)).toEqual({ tookMs: 36_000, shown: 0, isPublished: false });
});

test.each([401, 403])(
	'does not publish when the service refuses the key with %i, and shows that once',
	async (status) => {
		const n8n = unpublished(async () => await refusesKey(status));
		for (const shown of [1, 0]) expect(await publish(n8n)).toMatchObject({ shown, isPublished: false });
		expect(n8n.data).toEqual({});
	},
);

test.each(['init', 'leadershipChange'])(
	'starts without waiting for the service when n8n starts it by itself (%s), and logs what is wrong',
	async (activation) => {
		const n8n = unpublished(neverResponds);
		n8n.more = { getActivationMode: () => activation };
		const context = n8n.context();
		expect(await poll(context)).toBeNull();
		expect(await poll(context)).toBeNull();
		await jest.advanceTimersByTimeAsync(MINUTE);
		expect(n8n.logged).toEqual([
			'Workflow: Poll: has no saved position and delivers what is processed from now on',
			'Workflow: Poll: is waiting for the service for 0 seconds',
			expect.stringMatching(
				/^Workflow: Poll: could not poll at the start of n8n and tries again: The service /,
			),
		]);
		expect(n8n.data).toEqual(savedSince(0));
		Object.assign(n8n.service, { respond: async () => await refusesKey() });
		await expect(poll(context)).rejects.toThrow('does not recognize the API key');
	},
);

test.each([
	['one context for all polls', true],
	['a new context for each poll', false],
])('with %s, a failure is shown when it begins and once an hour, another one at once', async (_, isKept) => {
	const n8n = new PollingN8n();
	const start = n8n.now;
	jest.useRealTimers();
	n8n.keepsContext = isKept;
	if (isKept) n8n.more = { getPollBudgetMs: undefined };
	await n8n.poll();
	for (const [minute, failure, expected] of [
		[0, 429, 'shown'],
		[1, 503, 'hidden'],
		[59.9, 429, 'hidden'],
		[60, 429, 'shown'],
		[61, 401, 'shown'],
		[62, 401, 'hidden'],
		[90, undefined, 'hidden'],
		[91, undefined, 'hidden'],
		[92, 503, 'shown'],
		// Of n8n itself.
		[93, 'Node is unexecuted', 'shown'],
		[94, 'Node is unexecuted', 'hidden'],
		[95, 'Invalid expression', 'shown'],
	] as const) {
		n8n.now = start + minute * MINUTE;
		if (typeof failure !== 'string') n8n.service.status = failure;
		else if (isKept) continue;
		else n8n.more = { getNodeParameter: () => fail(failure) };
		const outcome = await n8n.poll().then(...['hidden', 'shown'].map((text) => () => text));
		expect({ minute, outcome }).toEqual({ minute, outcome: expected });
	}
	expect(n8n.logged).toEqual(['Workflow: Poll: polls again after failing for 90 minutes']);
});

test.each<[string, object, number | undefined, number, string[], number]>([
	['delivers nothing', savedSince(0), 36_000, 96_000, ['later'], 0],
	['does not start over', {}, undefined, 360_000, [], 360_000],
])(
	'a poll that never ended %s once another one began, which the next ones wait for',
	async (_what, ...row) => {
		const [saved, budgetMs, nextAfter, delivered, since] = row;
		const n8n = unpublished();
		n8n.publishAgain(saved);
		n8n.more = { getPollBudgetMs: budgetMs && (() => budgetMs) };
		const context = n8n.context();
		const respond = n8n.service.respond.bind(n8n.service);
		const responses: Array<() => void> = [];
		n8n.service.respond = ((request: IHttpRequestOptions) =>
			new Promise((resolve) => responses.push(() => resolve(respond(request))))) as never;
		const beginsAt = async (time: number) => {
			jest.setSystemTime(time);
			const polled = poll(context);
			await jest.advanceTimersByTimeAsync(1);
			return { polled, asked: responses.splice(0) };
		};
		const finish = async ({ polled, asked }: Awaited<ReturnType<typeof beginsAt>>) => {
			for (let open = asked; open.length > 0; open = responses.splice(0)) {
				for (const one of open) one();
				await jest.advanceTimersByTimeAsync(1);
			}
			await polled;
		};
		const slow = await beginsAt(0);
		expect(await beginsAt(nextAfter - 1)).toMatchObject({ asked: [] });
		expect(n8n.logged.at(-1)).toBe(
			`Workflow: Poll: is waiting for the service for ${nextAfter / 1000} seconds`,
		);
		const next = await beginsAt(nextAfter);
		n8n.service.put('later', 30_000);
		await finish(slow);
		expect([n8n.data, n8n.running]).toEqual([saved, []]);
		expect(await beginsAt(nextAfter + 1)).toMatchObject({ asked: [] });
		await finish(next);
		expect(n8n.running.flatMap(({ items }) => items.map(({ dedupeKey }) => dedupeKey))).toEqual(delivered);
		expect(n8n.position.filters[0].since).toBe(since);
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
	const n8n = unpublished(refusesConnections);
	n8n.publishAgain({ [key('older')]: { ...position, node }, ...others });
	n8n.more = { getChildNodes: () => children };
	await publish(n8n);
	expect(n8n.position.from).toBe(from);
	expect(key('latest') in n8n.data).toBe(from === 5);
	expect(n8n.data).toMatchObject({ [key('older')]: { node }, [key('broken')]: null, else: { node } });
});

const ofLength = (length: number, emit = () => {}) =>
	Object.defineProperty(emit, 'length', { value: length });
const deferred = () => ({ promise: new Promise(() => {}) });

/** What a later n8n may change of how a node emits items itself. */
test.each([
	['no __emit', undefined, deferred],
	['an __emit without a promise', ofLength(1), deferred],
	['no deferred promise', ofLength(3), undefined],
	['an __emit that refuses the call', ofLength(3, () => fail('Not like this')), deferred],
])(
	'with %s, returns the items once, and says that it does not follow them',
	async (change, __emit, promise) => {
		const n8n = unpublished();
		n8n.publishAgain(savedSince(0));
		n8n.options = { startExecutionFor: 'conversation' };
		for (const [time, id] of ['one', 'two'].entries()) n8n.service.put(id, time);
		const helpers = { ...n8n.context().helpers, createDeferredPromise: promise };
		const pollAs = async (activation: string) => {
			n8n.more = { __emit, helpers, getActivationMode: () => activation };
			return await poll(n8n.context());
		};
		// Items of a poll that n8n does not await would be lost.
		if (!change.includes('refuses')) expect(await pollAs('init')).toBeNull();
		const returned = await pollAs('update');
		expect(returned?.[0].map(({ json }) => json.dedupeKey)).toEqual(['one', 'two']);
		expect(
			n8n.logged.filter((line) => line.includes('does not follow deliveries to their end')),
		).toHaveLength(1);
		expect(await pollAs('update')).toBeNull();
	},
);
