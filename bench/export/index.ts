/**
 * `npm run bench -- export [--quick] [--concurrency]`: this node against n8n's own HTTP Request node with pagination, in
 * one real n8n. `--concurrency` measures the choice of the default instead.
 * `npm run bench -- export-files [--quick]`: the memory that exports into files take.
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
