import type { FaultRequest } from '../../sandbox/faults/fault';
import type { UsagePlan } from '../../sandbox/faults/usagePlan';

/** The faults and limits of a run. */
export interface Condition {
	name: string;
	/** Derived from the run's seed. */
	faults: (seed: number) => FaultRequest[];
	usagePlan?: UsagePlan;
}

const PATH = '/crm';
/** One request in fifty gets one of these faults, all equally likely. */
const KINDS = ['tooManyRequests', 'serverError', 'connectionReset', 'lostResponse'] as const;
export const ONE_FAULT_IN = 50;
export const ONE_429_IN = 20;

export const calm: Condition = { name: 'no fault', faults: () => [] };

export const faulty: Condition = {
	name: 'faults',
	faults: (seed) =>
		KINDS.map((kind, index) => ({
			kind,
			path: PATH,
			probability: 1 / ONE_FAULT_IN / KINDS.length,
			seed: seed * KINDS.length + index,
		})),
};

const random429 = (name: string, headers: Array<Pick<FaultRequest, 'retryAfterSeconds'>>): Condition => ({
	name: `429, ${name} Retry-After`,
	faults: (seed) =>
		headers.map((header, index) => ({
			kind: 'tooManyRequests',
			path: PATH,
			probability: 1 / ONE_429_IN / headers.length,
			seed: seed * headers.length + index,
			...header,
		})),
});

/** A random request in twenty gets 429: without `Retry-After`, with 0, or (every fourth) with 1 second. */
export const limited = [
	random429('no', [{}]),
	random429('zero', [{ retryAfterSeconds: 0 }]),
	random429('some', [{}, {}, {}, { retryAfterSeconds: 1 }]),
];

export const usagePlan = { ratePerSecond: 10, burst: 20 };
export const planned: Condition = { name: 'usage plan', faults: () => [], usagePlan };
