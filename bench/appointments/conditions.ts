import type { FaultRequest } from '../../sandbox/faults/fault';
import type { UsagePlan } from '../../sandbox/faults/usagePlan';

/** What the service does to the requests of a run. */
export interface Condition {
	name: string;
	/** Drawn from the seed of the run. */
	faults: (seed: number) => FaultRequest[];
	usagePlan?: UsagePlan;
}

const PATH = '/crm';
/** One request in fifty meets one of these, equally likely. */
const KINDS = ['tooManyRequests', 'serverError', 'connectionReset', 'lostAnswer'] as const;
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

/** One request in twenty is answered 429 at random: without the header, with a zero, and every fourth with a second. */
export const limited = [
	random429('no', [{}]),
	random429('zero', [{ retryAfterSeconds: 0 }]),
	random429('some', [{}, {}, {}, { retryAfterSeconds: 1 }]),
];

export const usagePlan = { ratePerSecond: 10, burst: 20 };
export const planned: Condition = { name: 'usage plan', faults: () => [], usagePlan };
