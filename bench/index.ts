/**
 * `npm run bench -- <name> [--quick]` runs a benchmark and writes its tables into docs/reference/benchmarks.md: ratios of two
 * things measured in the same run. `npm run bench -- check` names what is out of date.
 */
import { compareAppointments } from './appointments';
import { compareExports, compareFiles, comparePeaks } from './export';
import { compareItems } from './items';
import { compareRefusals } from './limiter';
import { changedShare, isOutOfDate, provenance, readSection, writeSection } from './page';
import { comparePassages } from './passages';
import { compareTriggers } from './webhook';

/** `quick` measures little, to try the benchmark itself. Returns Markdown tables. */
type Benchmark = (quick: boolean) => Promise<string[]>;

const EXPORT = ['nodes/ConversationIntelligence', 'nodes/shared', 'sandbox/export'];
const APPOINTMENTS = ['nodes/ConversationIntelligenceAppointments', 'nodes/shared', 'sandbox/crm'];
const WEBHOOK = ['nodes/ConversationIntelligenceTrigger', 'nodes/shared/exportApi', 'sandbox/webhooks'];
const BENCHMARKS: Record<string, [run: Benchmark, measured: string[]]> = {
	appointments: [compareAppointments, APPOINTMENTS],
	export: [compareExports, EXPORT],
	'export-memory': [comparePeaks, EXPORT],
	'export-files': [compareFiles, EXPORT],
	items: [compareItems, EXPORT],
	limiter: [compareRefusals, ['nodes/shared/http', 'nodes/shared/base']],
	passages: [comparePassages, [...EXPORT, 'sandbox/media.ts']],
	webhook: [compareTriggers, WEBHOOK],
};

async function main([name, ...args]: string[]): Promise<void> {
	if (name === 'check') return check();
	const [run, measured] = BENCHMARKS[name ?? ''] ?? [];
	if (!run) throw new Error(`Name a benchmark: ${[...Object.keys(BENCHMARKS), 'check'].join(', ')}.`);
	const isQuick = args.includes('--quick');
	// Before the run, which takes minutes.
	const measuredAt = provenance(measured);
	const section = (await run(isQuick)).join('\n\n');
	console.log(section);
	if (!isQuick) writeSection(name, `${section}\n\n${measuredAt}`);
}

/** Fails when the code that a section measured has changed too much since. */
function check(): void {
	for (const [name, [, measured]] of Object.entries(BENCHMARKS)) {
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
