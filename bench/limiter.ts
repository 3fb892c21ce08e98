import { install } from '@sinonjs/fake-timers';
import pLimit from 'p-limit';
import { runKeyed } from '../nodes/shared/base/concurrency';
import type { AttemptResult } from '../nodes/shared/http/policy';
import { RequestRun } from '../nodes/shared/http/requestRun';
import { Random } from '../sandbox/data/random';
import { count, percent, ratio, table } from './figures';

/** What a service does with a request: how long it takes, and its status. */
export interface Service {
	latencyMs: () => number;
	/** Called when a request arrives. */
	statusAt: (now: number) => number;
	/** How long a 429 takes; as long as any response by default. A gateway refuses at once, without the service behind it. */
	refusalMs?: number;
	/** Seconds in the `Retry-After` header of a refusal. */
	retryAfter?: number;
	/** Maximum requests in flight; by default, as exports have it. */
	inFlight?: number;
}

export const uniform = (): number => 50;

/** Three in ten less, to three in ten more. */
export const around = (ms: number) => (): number => ms * (0.7 + 0.6 * Math.random());

/** 2 % of the responses take 3 s, 18 % take 300 ms, the others 50 ms. */
export function mixed(): number {
	const drawn = Math.random();
	return drawn < 0.02 ? 3000 : drawn < 0.2 ? 300 : 50;
}

export const refusing = (share: number) => () => (): number => (Math.random() < share ? 429 : 200);

/** A usage plan as gateways have it: a token bucket. */
export const plan = (perSecond: number, burst: number) => () => {
	let [tokens, at] = [burst, 0];
	return (now: number): number => {
		tokens = Math.min(burst, tokens + ((now - at) / 1000) * perSecond);
		at = now;
		return tokens >= 1 ? (tokens--, 200) : 429;
	};
};

/** So many requests in each minute of the clock. */
export const minuteQuota = (perMinute: number) => () => {
	let [minute, used] = [0, 0];
	return (now: number): number => {
		if (Math.floor(now / 60_000) !== minute) [minute, used] = [Math.floor(now / 60_000), 0];
		return used < perMinute ? (used++, 200) : 429;
	};
};

export const always = (status: number) => () => () => status;

/** The default of exports; appointments send twice as many. */
const CONCURRENCY = 20;

/** Items under way, as in both nodes. */
const ITEMS_AT_ONCE = 200;

/** When each request was sent with which result, how many items were given up, and when the last item ended, in milliseconds. */
interface Trial {
	sent: Array<{ at: number; status: number }>;
	failed: number;
	endedAt: number;
}

type Contestant = (items: number, service: Service) => Promise<Trial>;

const wait = async (ms: number) => await new Promise<void>((resolve) => setTimeout(resolve, ms));

/** Records the requests of all items, which `sendAll` sends with one function and awaits with the other. */
async function record(
	{ statusAt, latencyMs, refusalMs }: Service,
	sendAll: (send: () => Promise<number>, end: (item: Promise<unknown>) => Promise<void>) => Promise<unknown>,
): Promise<Trial> {
	const trial: Trial = { sent: [], failed: 0, endedAt: 0 };
	const send = async () => {
		const at = performance.now();
		const status = statusAt(at);
		trial.sent.push({ at, status });
		const took = latencyMs();
		await wait(status === 429 ? (refusalMs ?? took) : took);
		return status;
	};
	const end = async (item: Promise<unknown>) => {
		await item.catch(() => trial.failed++);
		trial.endedAt = performance.now();
	};
	await sendAll(send, end);
	return trial;
}

/** The package's own limiter and retry loop, with as many items under way as the nodes have. */
export const own: Contestant = async (items, service) =>
	await record(service, async (send, end) => {
		const run = new RequestRun(new AbortController().signal);
		run.limiter.limit({ concurrency: service.inFlight ?? CONCURRENCY });
		run.limiter.rate.startSlowly();
		const headers = service.retryAfter === undefined ? {} : { 'retry-after': String(service.retryAfter) };
		const errorOf = () => new Error('gave up');
		const attempt = async (): Promise<AttemptResult<number>> => {
			const status = await send();
			if (status === 200) return { value: status };
			if (status === 403) return { error: new Error('refused'), mayConcernAll: true };
			return { response: { status, headers } };
		};
		const options = { concurrency: ITEMS_AT_ONCE, keyOf: (item: number) => item };
		await runKeyed([...Array(items).keys()], options, async () => await end(run.send(attempt, errorOf)));
	});

/** What a careful developer would write: p-limit around p-retry, 10 retries, doubling from half a second to 30 s. */
const pRetry =
	({ default: retry, AbortError }: typeof import('p-retry')): Contestant =>
	async (items, service) =>
		await record(service, async (send, end) => {
			const limit = pLimit(service.inFlight ?? CONCURRENCY);
			const attempt = async () => {
				const status = await send();
				if (status === 403) throw new AbortError('refused');
				if (status === 200) return;
				await wait((service.retryAfter ?? 0) * 1000);
				throw new Error(String(status));
			};
			const options = { retries: 10, minTimeout: 500, maxTimeout: 30_000, randomize: true };
			const one = async () => await end(retry(attempt, options));
			await Promise.all(Array.from({ length: items }, async () => await limit(one)));
		});

/** Runs a task on a clock that jumps from timer to timer, so that hours pass in milliseconds, with a seeded `Math.random`. */
export async function onVirtualClock<T>(seed: number, task: () => Promise<T>): Promise<T> {
	const { random } = Math;
	const seeded = new Random(seed);
	const clock = install({ toFake: ['setTimeout', 'clearTimeout', 'performance', 'Date'] });
	Math.random = () => seeded.next();
	try {
		let isDone = false;
		const done = task().finally(() => (isDone = true));
		done.catch(() => {});
		for (;;) {
			// Lets all promises settle before the clock moves on.
			await new Promise((resolve) => setImmediate(resolve));
			if (isDone) return await done;
			if (clock.countTimers() === 0) throw new Error('Nothing is left to wait for.');
			clock.next();
		}
	} finally {
		clock.uninstall();
		Math.random = random;
	}
}

const SEED = 1;

/** Refusals so soon after the first one are how the limiter learns. */
const LEARNING_MS = 5000;

/** The share of requests that were refused of those sent more than five seconds after the start and the first refusal. */
export function refusedLate(sent: Trial['sent']): number {
	const isRefused = ({ status }: Trial['sent'][number]) => status !== 200;
	const from = LEARNING_MS + (sent.find(isRefused)?.at ?? 0);
	const late = sent.filter(({ at }) => at > from);
	return late.filter(isRefused).length / Math.max(1, late.length);
}

const trial = async (contestant: Contestant, items: number, make: Behaviour, service: Partial<Service>) =>
	await onVirtualClock(
		SEED,
		async () => await contestant(items, { latencyMs: uniform, ...service, statusAt: make() }),
	);

/** Plans, as shares of what the requests would send without one. */
const SHARES = [0.05, 0.2, 0.5, 0.8, 0.95];

/** Requests in flight, and how many milliseconds each takes. */
const LOADS = [
	[5, 100],
	[20, 50],
	[20, 300],
];

/** Each plan has a burst of one second, and is used for twenty seconds. */
const [BURST_SECONDS, PLAN_SECONDS] = [1, 20];

/** Runs every plan under every load; each cell is the time ÷ the shortest possible, and what is refused late. */
async function sweepPlans(contestants: Contestants): Promise<string> {
	const lines: string[][] = [];
	for (const [inFlight, ms] of LOADS)
		for (const more of [{}, { refusalMs: 2 }])
			for (const [name, contestant] of contestants) {
				const cells: string[] = [];
				for (const share of SHARES) {
					const perSecond = (share * inFlight * 1000) / ms;
					const burst = Math.max(5, perSecond * BURST_SECONDS);
					const items = Math.round(perSecond * PLAN_SECONDS + burst);
					const service = { latencyMs: around(ms), inFlight, ...more };
					const { sent, failed, endedAt } = await trial(contestant, items, plan(perSecond, burst), service);
					const time = ratio((endedAt / 1000) * (perSecond / (items - burst)));
					const lost = failed === 0 ? '' : `, ${count(failed)} failed`;
					cells.push(`${time}, ${percent(refusedLate(sent))}${lost}`);
				}
				const load = `${inFlight} at ${ms} ms${'refusalMs' in more ? ', refused at once' : ''}`;
				lines.push([load, name, ...cells]);
			}
	const heads = SHARES.map((share) => `${Math.round(share * 100)} %`);
	return table(['Load', 'Sent by', ...heads].join(' | '), lines);
}

type Behaviour = () => Service['statusAt'];

type Contestants = ReadonlyArray<readonly [name: string, contestant: Contestant]>;

/** Services without a steady plan; the shortest possible time in seconds, if it is not that of the items without refusals. */
const OTHERS: Array<
	[name: string, items: number, make: Behaviour, service: Partial<Service>, ideal?: number]
> = [
	...[uniform, mixed].flatMap((latencyMs) =>
		[5, 10, 20].map((share): (typeof OTHERS)[number] => {
			const name = `${share} % at random, ${latencyMs.name} latency`;
			return [name, 2000, refusing(share / 100), { latencyMs }];
		}),
	),
	// Four minutes must pass before the fifth quota opens.
	...[20, 60].map((quota): (typeof OTHERS)[number] => [
		`${quota} a minute`,
		quota * 5,
		minuteQuota(quota),
		{},
		240,
	]),
	...[500, 429, 403].map((status): (typeof OTHERS)[number] => [
		`${status} for ever`,
		1000,
		always(status),
		{},
	]),
];

async function compareOthers(contestants: Contestants): Promise<string> {
	const lines: string[][] = [];
	for (const [service, items, make, more, idealSeconds] of OTHERS) {
		const calm = await trial(own, items, refusing(0), more);
		const ideal = idealSeconds ?? calm.endedAt / 1000;
		for (const [name, contestant] of contestants) {
			const { sent, failed, endedAt } = await trial(contestant, items, make, more);
			const took = endedAt / 1000;
			const time = failed === items ? `${took.toFixed(0)} s` : ratio(took / ideal);
			lines.push([service, name, time, count(sent.length), `${count(failed)} of ${count(items)}`]);
		}
	}
	return table('Service | Sent by | Time | Requests | Items failed', lines);
}

/** Runs the package's own limiter and retry loop, and p-retry with p-limit, against simulated services. */
export async function compareRefusals(): Promise<string[]> {
	// Loaded here, because it is a module that jest cannot read.
	const contestants = [
		['Conversation Intelligence', own],
		['p-retry, p-limit', pRetry(await import('p-retry'))],
	] as const;
	return [await sweepPlans(contestants), await compareOthers(contestants)];
}
