import { MAX_REQUESTS } from '../../nodes/ConversationIntelligence/getMany/readRequest';
import { ratio, seconds, table } from '../markdown';
import { compareJobs, withTestbed, type Job } from '../testbed';
import { withHttpRequest, withThisNode } from '../workflows';
import { checkItems } from './check';

/** Compares this node with the HTTP Request node: time, requests, and ratio to the ideal. */
export async function compareExports(quick: boolean): Promise<string> {
	const conversations = quick ? 2000 : 10_000;
	const latencies = quick ? [50] : [0, 50, 200];
	const repeats = quick ? 1 : 3;
	const pages = Math.ceil(conversations / 50);
	const results = await withTestbed({ conversations }, async (testbed) => {
		const job: Job = {
			name: 'Export',
			workflows: [withThisNode(), withHttpRequest(testbed.sandbox)],
			check: (...outputs) => outputs.forEach((items) => checkItems(items, conversations)),
		};
		return await compareJobs(testbed, [job], latencies, repeats);
	});
	const lines = results.map(({ latency, of }) => {
		const [own, http] = [of('own', 'seconds'), of('http', 'seconds')];
		// Page 1 alone, then rounds of as many pages as requests are allowed at once.
		const ideal = (latency / 1000) * (1 + Math.ceil((pages - 1) / MAX_REQUESTS));
		return [
			`${latency} ms`,
			seconds(own),
			seconds(http),
			ratio(http / own),
			seconds(ideal),
			ideal === 0 ? '–' : ratio(own / ideal),
			`${of('own', 'requests')} / ${of('http', 'requests')}`,
		];
	});
	return `## Conversation Intelligence

\`npm run bench -- export\`

${conversations} conversations, ${pages} pages; default settings, so at most ${MAX_REQUESTS} concurrent requests; the median of ${repeats} runs in one n8n, execution time of the node. "Ideal" is \`latency × (1 + ⌈(pages − 1) / concurrency⌉)\`.

${table(
	'Latency | This node | HTTP Request node | Times faster | Ideal | This node / ideal | Requests (this / HTTP)',
	lines,
)}`;
}
