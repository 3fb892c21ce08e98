/** Benchmarks of the export in a real n8n: `export`, `export-memory` and `export-files`, each with `--quick`. */
import { timedReport, type Report } from '../../harness/problem';
import type { Benchmark } from '../benchmark';
import { compareNodes } from './compareNodes';
import { measureFiles } from './files';
import { comparePeaks } from './peaks';

const benchmarkOf = (
	name: string,
	title: string,
	measure: (report: Report, quick: boolean) => Promise<string>,
): Benchmark => ({
	async run(args) {
		const text = await measure(timedReport(), args.includes('--quick'));
		return `## ${title}\n\n\`npm run bench -- ${name}\`\n\n${text}`;
	},
});

export const speed = benchmarkOf('export', 'Conversation Intelligence', compareNodes);
export const memory = benchmarkOf('export-memory', 'Conversation Intelligence: peak memory', comparePeaks);
export const files = benchmarkOf('export-files', 'Conversation Intelligence: memory of files', measureFiles);
