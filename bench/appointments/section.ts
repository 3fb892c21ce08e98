import { DEFAULT_CONCURRENCY } from '../../nodes/ConversationIntelligenceAppointments/requestOptions';
import { mean, median } from '../../sandbox/statistics';
import { percent, ratio, seconds, table } from '../markdown';
import { ONE_429_IN, ONE_FAULT_IN, usagePlan } from './conditions';
import type { Result } from './measure';

export interface Size {
	items: number;
	faultyItems: number;
	plannedItems: number;
	latencyMs: number;
	calmRuns: number;
	seeds: number;
}

/** All results of one node. */
export interface Line {
	name: string;
	calm: Result[];
	faulty: Result[];
	/** Without faults, with as many items as `limited`. */
	calmFew: Result[];
	/** With one random 429 in twenty: no `Retry-After`, zero, and sometimes one second, several runs of each. */
	limited: Result[][];
	planned: Result[];
}

const timeOf = (results: Result[]) => median(results.map((result) => result.seconds));

/** The section of docs/reference/benchmarks.md. */
export function section(size: Size, lines: Line[]): string {
	const { items, faultyItems, plannedItems, latencyMs, seeds } = size;
	const [, plain] = lines;
	const { ratePerSecond, burst } = usagePlan;
	const failed = (results: Result[], of: number) =>
		percent(mean(results.map(({ failedItems }) => failedItems)) / of);
	return `## Conversation Intelligence Appointments: create or update

\`npm run bench -- appointments\`: upserts in one real n8n, against the local service with ${latencyMs} ms a request. One row in ten
has the event ID of an earlier row, and the last row of each event ID must be the one stored. All nodes continue on
errors. Conversation Intelligence Appointments runs with its default of ${DEFAULT_CONCURRENCY} parallel requests. HTTP Request sends all items at once; with
careful settings, it sends one batch a second with Retry On Fail (5 tries, 5 s apart), which n8n applies to the whole node.

Without faults: ${items} items, medians of the node's execution time. With faults: ${faultyItems} items in seeded runs (${seeds} for the first
two nodes); one request in ${ONE_FAULT_IN} gets a 429, a 500, a connection reset, or a successful write whose response is lost.

${table(
	['Node', 'Time, no fault', '÷ HTTP Request', 'Items failed, faults', 'Appointments wrong', 'Correct runs'],
	lines.map(({ name, calm, faulty }) => [
		name,
		seconds(timeOf(calm)),
		ratio(timeOf(calm) / timeOf(plain.calm)),
		failed(faulty, faultyItems),
		percent(mean(faulty.map(({ wrong }) => wrong)) / mean(faulty.map(({ appointments }) => appointments))),
		`${faulty.filter(({ wrong, failedItems }) => wrong + failedItems === 0).length} of ${faulty.length}`,
	]),
)}

One random 429 in ${ONE_429_IN}: the time ÷ the same node's time without faults, this time, and the items that failed
permanently; medians for the first two nodes. Usage plan: ${plannedItems} items at ${ratePerSecond} a second with a burst of ${burst}, and the share of the plan that was used.

${table(
	[
		'Node',
		'429 without Retry-After',
		'with 0',
		'sometimes with 1 s',
		'Plan used',
		'Items refused by the plan',
	],
	lines.map(({ name, calmFew, limited, planned }) => [
		name,
		...limited.map((results) => {
			const took = timeOf(results);
			return `${ratio(took / timeOf(calmFew))} (${seconds(took)}), ${failed(results, faultyItems)} failed`;
		}),
		percent(planUse(planned)),
		failed(planned, plannedItems),
	]),
)}
`;
}

/** Accepted requests ÷ requests that the plan allowed in the same time. */
function planUse(results: Result[]): number {
	const { ratePerSecond, burst } = usagePlan;
	return mean(results.map(({ seconds: took, accepted }) => accepted / (burst + ratePerSecond * took)));
}
