import { always, minuteQuota, mixed, plan, refusing, uniform, type Service } from './services';

export interface Scenario {
	name: string;
	items: number;
	latencyMs: () => number;
	/** Makes a service in its first state. */
	makeStatusAt: () => Service['statusAt'];
	/** As of {@link Service}. */
	refusalMs?: number;
	retryAfter?: number;
	/** The shortest possible time, in seconds; by default that of the same items without refusals. */
	idealSeconds?: number;
}

const atRandom = ([latency, latencyMs]: [string, () => number], share: number): Scenario => ({
	name: `${share * 100} % random 429, ${latency} latency`,
	items: 2000,
	latencyMs,
	makeStatusAt: refusing(share),
});

const ofPlan = (
	[perSecond, burst, items]: number[],
	{ retryAfter, refusalMs }: Partial<Scenario> = {},
): Scenario => ({
	name: `${perSecond} a second, burst ${burst}, ${items} items${retryAfter === undefined ? '' : `, Retry-After: ${retryAfter}`}${refusalMs === undefined ? '' : ', refused at once'}`,
	items,
	latencyMs: uniform,
	makeStatusAt: plan(perSecond, burst),
	retryAfter,
	refusalMs,
	idealSeconds: (items - burst) / perSecond,
});

const LATENCIES: Array<[string, () => number]> = [
	['uniform', uniform],
	['mixed', mixed],
];
const PLANS = [
	[10, 20, 100],
	[10, 20, 300],
	[2, 5, 60],
	[0.5, 2, 40],
];

/** The scenarios by the question that each group answers. */
export const SCENARIOS: Scenario[] = [
	...LATENCIES.flatMap((latency) => [0.05, 0.1, 0.2].map((share) => atRandom(latency, share))),
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
