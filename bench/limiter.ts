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
	/** Seconds in the `Retry-After` header of a 429. */
	retryAfter?: number;
}

export const uniform = (): number => 50;

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

/** The package's own limiter and retry loop, with as many items under way as the appointments node has. */
export const own: Contestant = async (items, service) =>
	await record(service, async (send, end) => {
		const run = new RequestRun(new AbortController().signal);
		run.limiter.limit({ concurrency: CONCURRENCY, perSecond: Infinity });
		run.limiter.rate.startSlowly();
		const headers = service.retryAfter === undefined ? {} : { 'retry-after': String(service.retryAfter) };
		const errorOf = () => new Error('gave up');
		const attempt = async (): Promise<AttemptResult<number>> => {
			const status = await send();
			if (status === 200) return { value: status };
			if (status === 403) return { error: new Error('refused'), mayConcernAll: true };
			return { response: { status, headers } };
		};
		const options = { concurrency: CONCURRENCY * 4, keyOf: (item: number) => item };
		await runKeyed([...Array(items).keys()], options, async () => await end(run.send(attempt, errorOf)));
	});

/** What a careful developer would write: p-limit around p-retry, 10 retries, doubling from half a second to 30 s. */
const pRetry =
	({ default: retry, AbortError }: typeof import('p-retry')): Contestant =>
	async (items, service) =>
		await record(service, async (send, end) => {
			const limit = pLimit(CONCURRENCY);
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

/** Refusals while the limiter still learns do not count. */
const LEARNING_MS = 5000;

interface Scenario extends Omit<Service, 'statusAt'> {
	name: string;
	items: number;
	makeStatusAt: () => Service['statusAt'];
	/** The shortest possible time, in seconds; by default that of the same items without refusals. */
	idealSeconds?: number;
}

const scenario = (
	name: string,
	items: number,
	makeStatusAt: Scenario['makeStatusAt'],
	more: Partial<Scenario> = {},
): Scenario => ({ name, items, latencyMs: uniform, makeStatusAt, ...more });

function ofPlan([perSecond, burst, items]: number[], more: Partial<Scenario>): Scenario {
	const refusal = more.refusalMs === undefined ? '' : ', refused at once';
	const said = more.retryAfter === undefined ? refusal : `, Retry-After: ${more.retryAfter}`;
	const name = `${perSecond} a second, burst ${burst}, ${items} items${said}`;
	return scenario(name, items, plan(perSecond, burst), {
		idealSeconds: (items - burst) / perSecond,
		...more,
	});
}

const PLANS = [
	[10, 20, 100],
	[10, 20, 300],
	[2, 5, 60],
	[0.5, 2, 40],
];

/** The scenarios by the question that each group answers. */
const SCENARIOS: Scenario[] = [
	...[uniform, mixed].flatMap((latencyMs) =>
		[5, 10, 20].map((share) => {
			const name = `${share} % random 429, ${latencyMs.name} latency`;
			return scenario(name, 2000, refusing(share / 100), { latencyMs });
		}),
	),
	...[{}, { retryAfter: 1 }, { refusalMs: 2 }].flatMap((more) => PLANS.map((one) => ofPlan(one, more))),
	ofPlan([50, 100, 3000], { retryAfter: 5 }),
	// Four minutes must pass before the fifth quota opens.
	...[20, 30, 60, 100].map((quota) =>
		scenario(`${quota} a minute`, quota * 5, minuteQuota(quota), { idealSeconds: 240 }),
	),
	...[500, 429, 403].map((status) => scenario(`${status} for ever`, 10_000, always(status))),
];

const trial = async (contestant: Contestant, { items, makeStatusAt, ...service }: Scenario) =>
	await onVirtualClock(SEED, async () => await contestant(items, { ...service, statusAt: makeStatusAt() }));

const refused = (sent: Trial['sent']) =>
	percent(sent.filter(({ status }) => status !== 200).length / Math.max(1, sent.length));

/** Runs the package's own limiter and retry loop, and p-retry with p-limit, against simulated services. */
export async function compareRefusals(): Promise<string[]> {
	// Loaded here, because it is a module that jest cannot read.
	const contestants = [
		['Conversation Intelligence', own],
		['p-retry, p-limit', pRetry(await import('p-retry'))],
	] as const;
	const lines: string[][] = [];
	for (const scenario of SCENARIOS) {
		const calm = await trial(own, { ...scenario, makeStatusAt: refusing(0) });
		const ideal = scenario.idealSeconds ?? calm.endedAt / 1000;
		for (const [name, contestant] of contestants) {
			const { sent, failed, endedAt } = await trial(contestant, scenario);
			const took = endedAt / 1000;
			const time = failed === scenario.items ? `${took.toFixed(0)} s` : ratio(took / ideal);
			const shares = [sent, sent.filter(({ at }) => at > LEARNING_MS)].map(refused);
			const gaveUp = `${count(failed)} of ${count(scenario.items)}`;
			lines.push([scenario.name, name, time, count(sent.length), ...shares, gaveUp]);
		}
	}
	return [table('Service | Sent by | Time | Requests | Refused | Refused after 5 s | Items failed', lines)];
}
