/**
 * `npm run bench -- <name> [options]` runs a benchmark and writes its section of docs/BENCHMARKS.md: ratios
 * of two things measured in the same run, with the command that measured them. `npm run bench -- charts` draws the
 * charts again.
 */
import type { Benchmark } from './benchmark';
import { drawCharts } from './charts';
import { provenance } from './provenance';
import { writeSection } from './report';

const BENCHMARKS: Record<string, () => Promise<{ benchmark: Benchmark }>> = {
	appointments: async () => await import('./appointments'),
	export: async () => ({ benchmark: (await import('./export')).speed }),
	'export-memory': async () => ({ benchmark: (await import('./export')).memory }),
	'export-files': async () => ({ benchmark: (await import('./export')).files }),
	limiter: async () => await import('./limiter'),
	webhook: async () => await import('./webhook'),
};

async function main([name, ...args]: string[]): Promise<void> {
	if (name === 'charts') return drawCharts();
	const load = BENCHMARKS[name ?? ''];
	if (!load) throw new Error(`Name a benchmark: ${[...Object.keys(BENCHMARKS), 'charts'].join(', ')}.`);
	const { benchmark } = await load();
	const measured = provenance();
	const section = await benchmark.run(args);
	console.log(section);
	// Runs with options are shortened or partial, so their numbers are not written.
	if (args.length > 0) return;
	writeSection(name, `${section.trim()}\n\n${measured}`);
	drawCharts();
}

main(process.argv.slice(2)).catch((error: unknown) => {
	console.error(error instanceof Error ? error.message : error);
	process.exitCode = 1;
});
