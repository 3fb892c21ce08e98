import pLimit from 'p-limit';
import retry, { AbortError } from 'p-retry';
import { count, percent, ratio, table } from '../measure';
import { CONCURRENCY, own, sender, type Contestant, type Sent } from './contestants';
import { always, minuteQuota, mixed, plan, refusing, uniform, type Service } from './services';
import { onVirtualClock } from './virtualClock';

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

const atRandom = (latency: string, latencyMs: () => number, share: number): Scenario => ({
	name: `${share * 100} % random 429, ${latency} latency`,
	items: 2000,
	latencyMs,
	makeStatusAt: refusing(share),
});

const ofPlan = ([perSecond, burst, items]: number[], more: Partial<Scenario> = {}): Scenario => ({
	name: [
		`${perSecond} a second, burst ${burst}, ${items} items`,
		...(more.retryAfter === undefined ? [] : [`Retry-After: ${more.retryAfter}`]),
		...(more.refusalMs === undefined ? [] : ['refused at once']),
	].join(', '),
	items,
	latencyMs: uniform,
	makeStatusAt: plan(perSecond, burst),
	idealSeconds: (items - burst) / perSecond,
	...more,
});

const SHARES = [0.05, 0.1, 0.2];
const PLANS = [
	[10, 20, 100],
	[10, 20, 300],
	[2, 5, 60],
	[0.5, 2, 40],
];

/** The scenarios by the question that each group answers. */
const SCENARIOS: Scenario[] = [
	...SHARES.map((share) => atRandom('uniform', uniform, share)),
	...SHARES.map((share) => atRandom('mixed', mixed, share)),
	...[{}, { retryAfter: 1 }, { refusalMs: 2 }].flatMap((more) =>
		PLANS.map((numbers) => ofPlan(numbers, more)),
	),
	ofPlan([50, 100, 3000], { retryAfter: 5 }),
	...[20, 30, 60, 100].map((perMinute) => ({
		name: `${perMinute} a minute`,
		items: perMinute * 5,
		latencyMs: uniform,
		makeStatusAt: minuteQuota(perMinute),
		// Four minutes must pass before the fifth quota opens.
		idealSeconds: 240,
	})),
	...[500, 429, 403].map((status) => ({
		name: `${status} for ever`,
		items: 10_000,
		latencyMs: uniform,
		makeStatusAt: always(status),
	})),
];

/** What a careful developer would write: p-limit around p-retry, 10 retries, doubling from half a second to 30 s. */
const pRetry: Contestant = async (items, service) => {
	const limit = pLimit(CONCURRENCY);
	const { sent, send } = sender(service);
	const attempt = async () => {
		const status = await send();
		if (status === 403) throw new AbortError('refused');
		if (status === 200) return;
		const { retryAfter = 0 } = service;
		await new Promise((resolve) => setTimeout(resolve, retryAfter * 1000));
		throw new Error(String(status));
	};
	const options = { retries: 10, minTimeout: 500, maxTimeout: 30_000, randomize: true };
	let [failed, endedAt] = [0, 0];
	const one = async () => {
		await retry(attempt, options).catch(() => failed++);
		endedAt = performance.now();
	};
	await Promise.all(Array.from({ length: items }, async () => await limit(one)));
	return { sent, failed, endedAt };
};

const CONTESTANTS: Array<[name: string, contestant: Contestant]> = [
	['Conversation Intelligence', own],
	['p-retry, p-limit', pRetry],
];

const trial = async (contestant: Contestant, { items, makeStatusAt, ...service }: Scenario) =>
	await onVirtualClock(SEED, async () => await contestant(items, { ...service, statusAt: makeStatusAt() }));

const refused = (sent: Sent[]) =>
	percent(sent.filter(({ status }) => status !== 200).length / Math.max(1, sent.length));

/** Runs the package's own limiter and retry loop, and p-retry with p-limit, against simulated services. */
export async function compareRefusals(): Promise<string[]> {
	const lines: string[][] = [];
	for (const scenario of SCENARIOS) {
		const calm = await trial(own, { ...scenario, makeStatusAt: refusing(0) });
		const ideal = scenario.idealSeconds ?? calm.endedAt / 1000;
		for (const [name, contestant] of CONTESTANTS) {
			const { sent, failed, endedAt } = await trial(contestant, scenario);
			const took = endedAt / 1000;
			lines.push([
				scenario.name,
				name,
				failed === scenario.items ? `${took.toFixed(0)} s` : ratio(took / ideal),
				count(sent.length),
				refused(sent),
				refused(sent.filter(({ at }) => at > LEARNING_MS)),
				`${count(failed)} of ${count(scenario.items)}`,
			]);
		}
	}
	return [table('Service | Sent by | Time | Requests | Refused | Refused after 5 s | Items failed', lines)];
}
