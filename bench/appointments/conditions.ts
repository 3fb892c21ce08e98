import type { FaultRequest } from '../../sandbox';

/** The faults of a run. */
export interface Condition {
	name: string;
	/** Derived from the run's seed. */
	faults: (seed: number) => FaultRequest[];
}

const PATH = '/crm';
/** One request in fifty gets one of four faults, all equally likely. */
export const ONE_FAULT_IN = 50;
export const ONE_429_IN = 20;

/** One request in so many gets one of these faults. */
const oneIn = (requests: number, faults: FaultRequest[]) => (seed: number) =>
	faults.map((fault, index) => ({
		...fault,
		path: PATH,
		probability: 1 / requests / faults.length,
		seed: seed * faults.length + index,
	}));

export const CALM: Condition = { name: 'no fault', faults: () => [] };

export const FAULTY: Condition = {
	name: 'faults',
	faults: oneIn(ONE_FAULT_IN, [
		{ kind: 'tooManyRequests' },
		{ kind: 'serverError' },
		{ kind: 'connectionReset' },
		{ kind: 'lostResponse' },
	]),
};

const random429 = (name: string, ...retryAfter: Array<number | undefined>): Condition => ({
	name: `429, ${name} Retry-After`,
	faults: oneIn(
		ONE_429_IN,
		retryAfter.map((retryAfterSeconds) => ({ kind: 'tooManyRequests', retryAfterSeconds })),
	),
});

/** A random request in twenty gets 429: without `Retry-After`, with 0, or (every fourth) with 1 second. */
export const LIMITED = [
	random429('no', undefined),
	random429('zero', 0),
	random429('some', undefined, undefined, undefined, 1),
];

export const USAGE_PLAN = { ratePerSecond: 10, burst: 20 };
export const PLANNED: Condition = {
	name: 'usage plan',
	faults: () => [{ kind: 'usagePlan', path: PATH, ...USAGE_PLAN }],
};
