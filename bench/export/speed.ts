import { progress } from '../../harness/n8n/fresh';
import { MAX_REQUESTS } from '../../nodes/ConversationIntelligence/getMany/properties';
import { median } from '../../sandbox/statistics';
import { ratio, seconds, table } from '../markdown';
import { compare, setLatency, withTestbed, type Run } from '../testbed';
import { withHttpRequest, withThisNode } from '../workflows';
import { checkItems } from './check';

/** Compares this node with the HTTP Request node: time, requests, and ratio to the ideal. */
export async function compareExports(quick: boolean): Promise<string> {
	const conversations = quick ? 2000 : 10_000;
	const latencies = quick ? [50] : [0, 50, 200];
	const repeats = quick ? 1 : 3;
	const pages = Math.ceil(conversations / 50);
	const lines = await withTestbed({ conversations }, async (testbed) => {
		const workflows = [withThisNode(), withHttpRequest(testbed.sandbox)];
		const run = async (rounds: number) =>
			await compare(testbed, workflows, rounds, (...outputs) => {
				for (const items of outputs) checkItems(items, conversations);
			});
		// Warm-up.
		await run(1);
		const all: string[][] = [];
		for (const latency of latencies) {
			progress(`${latency} ms a request, ${repeats} rounds`);
			setLatency(testbed.sandbox, latency);
			all.push(lineOf(latency, pages, await run(repeats)));
		}
		return all;
	});
	return `## Conversation Intelligence

\`npm run bench -- export\`

${conversations} conversations, ${pages} pages; default settings, so at most ${MAX_REQUESTS} concurrent requests; the median of ${repeats} runs in one n8n, execution time of the node. "Ideal" is \`latency × (1 + ⌈(pages − 1) / concurrency⌉)\`.

${table(
	'Latency | This node | HTTP Request node | Times faster | Ideal | This node / ideal | Requests (this / HTTP)',
	lines,
)}`;
}

function lineOf(latency: number, pages: number, runs: Array<[own: Run, http: Run]>): string[] {
	const [own, http] = [0, 1].map((node) => ({
		seconds: median(runs.map((pair) => pair[node].seconds)),
		requests: median(runs.map((pair) => pair[node].requests)),
	}));
	// Page 1 alone, then rounds of as many pages as requests are allowed at once.
	const ideal = (latency / 1000) * (1 + Math.ceil((pages - 1) / MAX_REQUESTS));
	return [
		`${latency} ms`,
		seconds(own.seconds),
		seconds(http.seconds),
		ratio(http.seconds / own.seconds),
		seconds(ideal),
		ideal === 0 ? '–' : ratio(own.seconds / ideal),
		`${own.requests} / ${http.requests}`,
	];
}
