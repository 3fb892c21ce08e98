import { MAX_REQUESTS } from '../../nodes/ConversationIntelligence/getMany/properties';
import type { Report } from '../../harness/problem';
import { ratio, seconds, table } from '../markdown';
import { checkItems } from './check';
import { measure, withTestbed, type Measurement } from './measure';
import { withHttpRequest, withThisNode } from './workflows';

/** Compares this node with the HTTP Request node: time, requests, and ratio to the ideal. */
export async function compareNodes(report: Report, quick: boolean): Promise<string> {
	const conversations = quick ? 2000 : 10_000;
	const latencies = quick ? [50] : [0, 50, 200];
	const repeats = quick ? 1 : 3;
	const pages = Math.ceil(conversations / 50);
	const lines: string[][] = [];
	await withTestbed(conversations, report, async (testbed) => {
		const ours = withThisNode();
		const theirs = withHttpRequest(testbed.sandbox);
		// Warm-up.
		await measure(testbed, ours);
		await measure(testbed, theirs);
		const rounds: Array<{ latency: number; ours: Measurement[]; theirs: Measurement[] }> = [];
		for (const latency of latencies) {
			await testbed.sandbox.setLatency(latency);
			const round = { latency, ours: [] as Measurement[], theirs: [] as Measurement[] };
			for (let repeat = 0; repeat < repeats; repeat++) {
				report(`${latency} ms a request, round ${repeat + 1} of ${repeats}`);
				round.ours.push(await measure(testbed, ours));
				round.theirs.push(await measure(testbed, theirs));
			}
			rounds.push(round);
		}
		report('Checking the results');
		for (const round of rounds) {
			const middle = [middleOf(round.ours), middleOf(round.theirs)] as const;
			lines.push(await lineOf(round.latency, conversations, ...middle));
		}
	});
	return `${conversations} conversations, ${pages} pages; default settings, so at most ${MAX_REQUESTS} concurrent requests; the median of ${repeats} runs in one n8n, execution time of the node. "Ideal" is \`latency × (1 + ⌈(pages − 1) / concurrency⌉)\`.

${table(
	[
		'Latency',
		'This node',
		'HTTP Request node',
		'Times faster',
		'Ideal',
		'This node / ideal',
		'Requests (this / HTTP)',
	],
	lines,
)}`;
}

/** The run with the median time. */
function middleOf(runs: Measurement[]): Measurement {
	return [...runs].sort((a, b) => a.seconds - b.seconds)[Math.floor(runs.length / 2)];
}

async function lineOf(
	latency: number,
	conversations: number,
	ours: Measurement,
	theirs: Measurement,
): Promise<string[]> {
	const [own, other] = [await ours.result(), await theirs.result()];
	for (const { items } of [own, other]) checkItems(items, conversations);
	const ideal = idealSeconds(latency, Math.ceil(conversations / 50), MAX_REQUESTS);
	return [
		`${latency} ms`,
		seconds(own.nodeSeconds),
		seconds(other.nodeSeconds),
		ratio(other.nodeSeconds / own.nodeSeconds),
		seconds(ideal),
		ideal === 0 ? '–' : ratio(own.nodeSeconds / ideal),
		`${ours.requests} / ${theirs.requests}`,
	];
}

/**
 * The shortest possible time: page 1 alone, then rounds of `concurrency` pages.
 *
 * @param latencyMs of each request
 * @returns seconds
 */
function idealSeconds(latencyMs: number, pages: number, concurrency: number): number {
	return (latencyMs / 1000) * (1 + Math.ceil((pages - 1) / concurrency));
}
