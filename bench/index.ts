/**
 * `npm run bench -- <name> [--quick]` runs a benchmark and writes its section of docs/reference/benchmarks.md: ratios
 * of two things measured in the same run, with the command that measured them. `npm run bench --
 * check` names the sections that are out of date.
 */
import { compareAppointments } from './appointments';
import { compareFiles } from './export/files';
import { comparePeaks } from './export/memory';
import { compareExports } from './export/speed';
import { compareItems } from './items';
import { compareRefusals } from './limiter';
import { changedShare, isOutOfDate, provenance, readSection, writeSection } from './page';
import { compareTriggers } from './webhook';

interface Benchmark {
	/** What the figures depend on. */
	measured: string[];
	/** Returns the Markdown section. `quick` measures little, to try the benchmark itself. */
	run(quick: boolean): Promise<string>;
}

const EXPORT = ['nodes/ConversationIntelligence', 'nodes/shared', 'sandbox/export'];
const BENCHMARKS: Record<string, Benchmark> = {
	appointments: {
		measured: ['nodes/ConversationIntelligenceAppointments', 'nodes/shared', 'sandbox/crm'],
		run: compareAppointments,
	},
	export: { measured: EXPORT, run: compareExports },
	'export-memory': { measured: EXPORT, run: comparePeaks },
	'export-files': { measured: EXPORT, run: compareFiles },
	items: { measured: EXPORT, run: compareItems },
	limiter: { measured: ['nodes/shared/http', 'nodes/shared/base'], run: compareRefusals },
	webhook: {
		measured: ['nodes/ConversationIntelligenceTrigger', 'nodes/shared/exportApi', 'sandbox/webhooks'],
		run: compareTriggers,
	},
};

async function main([name, ...args]: string[]): Promise<void> {
	if (name === 'check') return check();
	const benchmark = BENCHMARKS[name ?? ''];
	if (!benchmark) throw new Error(`Name a benchmark: ${[...Object.keys(BENCHMARKS), 'check'].join(', ')}.`);
	const isQuick = args.includes('--quick');
	const measured = provenance(benchmark.measured);
	const section = await benchmark.run(isQuick);
	console.log(section);
	if (!isQuick) writeSection(name, `${section.trim()}\n\n${measured}`);
}

/** Fails when the code that a section measured has changed too much since. */
function check(): void {
	for (const [name, { measured }] of Object.entries(BENCHMARKS)) {
		const share = changedShare(readSection(name), measured);
		const isOld = isOutOfDate(share);
		console.log(`${isOld ? 'OLD' : 'ok '} ${name}: ${(share * 100).toFixed(1)} % changed since`);
		if (isOld) process.exitCode = 1;
	}
}

main(process.argv.slice(2)).catch((error: unknown) => {
	console.error(error instanceof Error ? error.message : error);
	process.exitCode = 1;
});
