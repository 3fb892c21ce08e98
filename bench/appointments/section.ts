import { percent, ratio } from '../markdown';
import { mean, median } from '../statistics';
import type { Result } from './measure';

/** Both nodes, one after the other, in the same n8n. */
interface Pair {
	own: Result;
	other: Result;
}

export interface Measurements {
	size: { items: number; latencyMs: number; seeds: number; oneFaultIn: number };
	concurrency: number;
	calm: Pair[];
	faulty: Pair[];
}

/** The section of docs/BENCHMARKS.md. */
export function section({ size, concurrency, calm, faulty }: Measurements): string {
	const { items, latencyMs, oneFaultIn } = size;
	const ideal = (latencyMs / 1000) * Math.ceil(items / concurrency);
	const line = (name: string, of: (pair: Pair) => Result): string => {
		const quiet = calm.map(of);
		const troubled = faulty.map(of);
		const exact = troubled.filter(({ wrong }) => wrong === 0).length;
		return [
			name,
			ratio(median(quiet.map(({ seconds }) => seconds)) / ideal),
			ratio(median(troubled.map(({ seconds }) => seconds)) / ideal),
			ratio(median(troubled.map(({ requests }) => requests)) / items),
			percent(mean(troubled.map(({ failedItems }) => failedItems)) / items),
			percent(mean(troubled.map(({ wrong }) => wrong)) / items),
			`${exact} of ${troubled.length}`,
		].join(' | ');
	};
	return `## CRM Appointment: create or update

\`npm run bench -- appointments\`: ${items} upserts in one real n8n, against the sandbox with ${latencyMs} ms a request; one
row in ten carries the event ID of an earlier row, and the last row of each event ID must be what is stored.
With faults, one request in ${oneFaultIn} meets a 429, a 500, a connection reset or an applied write whose answer is lost
(${faulty.length} seeded runs). The CRM Appointment node runs with ${concurrency} parallel requests; the HTTP Request node, with Continue On
Fail, sends all items at once and has no such bound.
Ideal = latency × ⌈items / parallel requests⌉ = ${ideal} s. Medians of the node's own time; the means of what went wrong.

| Node | Time ÷ ideal, no fault | Time ÷ ideal, faults | Requests ÷ items, faults | Items failed | Appointments wrong | Runs that end as intended |
| --- | --- | --- | --- | --- | --- | --- |
| ${line('CRM Appointment', ({ own }) => own)} |
| ${line('HTTP Request', ({ other }) => other)} |
`;
}
