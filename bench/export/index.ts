/**
 * `npm run bench -- export [--quick] [--concurrency | --files]`: this node against n8n's own HTTP Request node with pagination,
 * in one real n8n; then the memory of file exports. `--concurrency` measures the choice of the default instead, `--files` the memory alone.
 */
import { timedReport } from '../../playground/problem';
import type { Benchmark } from '../index';
import { compareConcurrencies } from './concurrency';
import { compareNodes } from './compareNodes';
import { measureFiles } from './files';

export const benchmark: Benchmark = {
	async run(args) {
		const report = timedReport();
		const quick = args.includes('--quick');
		if (args.includes('--concurrency')) return await compareConcurrencies(report, quick);
		if (args.includes('--files')) return await measureFiles(report, quick);
		const nodes = await compareNodes(report, quick);
		const files = await measureFiles(report, quick);
		return `## Conversation Export\n\n\`npm run bench -- export\`\n\n${nodes}\n\n${files}`;
	},
};
