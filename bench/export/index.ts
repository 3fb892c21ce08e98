/**
 * `npm run bench -- export [--quick] [--concurrency]` compares this node with n8n's HTTP Request node with
 * pagination in a real n8n. `--concurrency` compares numbers of parallel requests instead. `npm run bench --
 * export-files [--quick]` measures the memory of exports to files.
 */
import { timedReport } from '../../playground/problem';
import type { Benchmark } from '../benchmark';
import { compareConcurrencies } from './concurrency';
import { compareNodes } from './compareNodes';
import { measureFiles } from './files';

export const benchmark: Benchmark = {
	async run(args) {
		const quick = args.includes('--quick');
		if (args.includes('--concurrency')) return await compareConcurrencies(timedReport(), quick);
		const nodes = await compareNodes(timedReport(), quick);
		return `## Conversation Intelligence\n\n\`npm run bench -- export\`\n\n${nodes}`;
	},
};

export const filesBenchmark: Benchmark = {
	async run(args) {
		const files = await measureFiles(timedReport(), args.includes('--quick'));
		return `## Conversation Intelligence: memory of files\n\n\`npm run bench -- export-files\`\n\n${files}`;
	},
};
