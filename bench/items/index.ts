import type { IDataObject, INodeExecutionData } from 'n8n-workflow';
import { timedReport } from '../../harness/problem';
import { measure, withTestbed, type Testbed } from '../export/measure';
import { ratio, seconds, table } from '../markdown';
import { median } from '../statistics';
import { jobsOf, withHttpRequest, withThisNode, type Job } from './jobs';

const LATENCIES = [50, 300];
/** One page a day, two a week. */
const CONVERSATIONS = 10_000;

/** Compares this package's node with the HTTP Request node, which sends all items at once, for many input items. */
export const benchmark = {
	async run(args: string[]): Promise<string> {
		const rounds = args.includes('--quick') ? 3 : 7;
		const report = timedReport(console.error);
		const lines = await withTestbed(CONVERSATIONS, report, async (testbed) => {
			const jobs = await jobsOf(testbed.sandbox);
			// The first run of each node warms up n8n and does not count.
			for (const job of jobs) await compare(testbed, job, 1);
			const all: string[][] = [];
			for (const latency of LATENCIES) {
				await testbed.sandbox.setLatency(latency);
				for (const job of jobs) {
					const { own, http, share } = await compare(testbed, job, rounds);
					report(`${job.name}, ${latency} ms a response: ${ratio(share)}`);
					all.push([job.name, `${latency} ms`, seconds(own), seconds(http), ratio(share)]);
				}
			}
			return all;
		});
		return `## Conversation Intelligence: many input items

\`npm run bench -- items\`

Each input item is a request or a list of its own. HTTP Request sends all items at once, its default, with the same credential. Medians of ${rounds} pairs of runs in one n8n, of the node's execution time and of the pairs' ratios; both return the same rows. The service has ${CONVERSATIONS.toLocaleString('en')} conversations: one page a day, two a week.

${table(['Job', 'Latency', 'This node', 'HTTP Request node', 'This node / HTTP Request node'], lines)}`;
	},
};

/** @returns the medians of this node's times and of HTTP Request's, in seconds, and of their ratios */
async function compare(
	testbed: Testbed,
	job: Job,
	rounds: number,
): Promise<{ own: number; http: number; share: number }> {
	const times: [own: number[], http: number[]] = [[], []];
	for (let round = 0; round < rounds; round++) {
		const results: INodeExecutionData[][] = [];
		// Each node is first in every second round.
		for (const node of round % 2 === 0 ? [0, 1] : [1, 0]) {
			const workflow = node === 0 ? withThisNode(job) : withHttpRequest(job);
			const { items, nodeSeconds } = await (await measure(testbed, workflow)).result();
			results[node] = items;
			times[node].push(nodeSeconds);
		}
		checkSame(job, results[0], results[1]);
	}
	const ratios = times[0].map((own, round) => own / times[1][round]);
	return { own: median(times[0]), http: median(times[1]), share: median(ratios) };
}

/** Both nodes must return the same rows in the same order. */
function checkSame({ name, array, id }: Job, own: INodeExecutionData[], http: INodeExecutionData[]): void {
	const theirs = http.flatMap(({ json }) => (array === undefined ? [json] : (json[array] as IDataObject[])));
	const [ids, expected] = [own.map(({ json }) => json), theirs].map((rows) =>
		rows.map((row) => String(row[id])).join(),
	);
	if (theirs.length === 0 || ids !== expected) {
		throw new Error(
			`${name}: ${own.length} rows, but ${theirs.length} of HTTP Request, or in another order.`,
		);
	}
}
