import type { IDataObject } from 'n8n-workflow';
import { DEFAULT_CONCURRENCY } from '../../nodes/ConversationExport/resources/list/arrayReader';
import type { Report } from '../../playground/problem';
import { measure, withBed, type Measurement } from './measure';
import { idealSeconds, median, megabytes, ratio, seconds, table } from './table';
import { withHttpRequest, withThisNode } from './workflows';

/** This node against the HTTP Request node: time, requests, memory, and the ratio to the ideal. */
export async function compareNodes(report: Report, quick: boolean): Promise<string> {
	const conversations = quick ? 2000 : 10_000;
	const latencies = quick ? [50] : [0, 50, 200];
	const repeats = quick ? 1 : 3;
	const pages = Math.ceil(conversations / 50);
	const lines: string[][] = [];
	await withBed(conversations, report, async (bed) => {
		const ours = withThisNode();
		const theirs = withHttpRequest(bed.sandbox.exportUrl, bed.sandbox.keys.organization);
		// Both once before it counts: compiled code, open files.
		await checkItems(await measure(bed, ours), conversations);
		await checkItems(await measure(bed, theirs), conversations);
		for (const latency of latencies) {
			await bed.sandbox.setLatency(latency);
			const runs: { ours: Measurement[]; theirs: Measurement[] } = { ours: [], theirs: [] };
			for (let repeat = 0; repeat < repeats; repeat++) {
				report(`${latency} ms a request, round ${repeat + 1} of ${repeats}`);
				runs.ours.push(await measure(bed, ours));
				runs.theirs.push(await measure(bed, theirs));
			}
			lines.push(lineOf(latency, pages, runs));
		}
	});
	return `${conversations} conversations, ${pages} pages; the default of ${DEFAULT_CONCURRENCY} parallel requests; medians of ${repeats} in one n8n, time of the execution by n8n's own clock. "Ideal" is \`latency × (1 + ⌈(pages − 1) / concurrency⌉)\`.

${table(
	[
		'Latency',
		'This node',
		'HTTP Request node',
		'Times faster',
		'Ideal',
		'This node / ideal',
		'Requests (this / HTTP)',
		'Peak memory (this / HTTP)',
	],
	lines,
)}`;
}

/** Both must have fetched every conversation once; the HTTP Request node puts out a page as one item. */
async function checkItems({ items }: Measurement, conversations: number): Promise<void> {
	const rows = (await items()).flatMap(
		({ json }) => (json.conversations as IDataObject[] | undefined) ?? [json],
	);
	const ids = new Set(rows.map(({ conversationId }) => conversationId));
	if (ids.size !== conversations || rows.length !== conversations) {
		throw new Error(`${rows.length} rows with ${ids.size} IDs instead of ${conversations} conversations.`);
	}
}

function lineOf(
	latency: number,
	pages: number,
	runs: { ours: Measurement[]; theirs: Measurement[] },
): string[] {
	const time = (all: Measurement[]) => median(all.map((one) => one.seconds));
	const [ours, theirs] = [time(runs.ours), time(runs.theirs)];
	const ideal = idealSeconds(latency, pages, DEFAULT_CONCURRENCY);
	const peak = (all: Measurement[]) => megabytes(median(all.map((one) => one.peakMB)));
	return [
		`${latency} ms`,
		seconds(ours),
		seconds(theirs),
		ratio(theirs / ours),
		seconds(ideal),
		ideal === 0 ? '–' : ratio(ours / ideal),
		`${runs.ours[0].requests} / ${runs.theirs[0].requests}`,
		`${peak(runs.ours)} / ${peak(runs.theirs)}`,
	];
}
