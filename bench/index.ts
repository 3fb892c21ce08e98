/**
 * `npm run bench -- <name> [options]` runs a benchmark and writes its section of docs/reference/benchmarks.md: ratios
 * of two things measured in the same run, with the command that measured them. `npm run bench --
 * check` names the sections that are out of date.
 */
import type { Benchmark } from './benchmark';
import { changedShare, isOutOfDate, provenance } from './provenance';
import { readSection, writeSection } from './report';

interface Entry {
	/** What the figures depend on. */
	measured: string[];
	load(): Promise<{ benchmark: Benchmark }>;
}

const EXPORT = ['nodes/ConversationIntelligence', 'nodes/shared', 'sandbox/export'];
const BENCHMARKS: Record<string, Entry> = {
	appointments: {
		measured: ['nodes/ConversationIntelligenceAppointments', 'nodes/shared', 'sandbox/crm'],
		load: async () => await import('./appointments'),
	},
	export: { measured: EXPORT, load: async () => ({ benchmark: (await import('./export')).speed }) },
	'export-memory': { measured: EXPORT, load: async () => ({ benchmark: (await import('./export')).memory }) },
	'export-files': { measured: EXPORT, load: async () => ({ benchmark: (await import('./export')).files }) },
	items: { measured: EXPORT, load: async () => await import('./items') },
	limiter: {
		measured: ['nodes/shared/http', 'nodes/shared/concurrency'],
		load: async () => await import('./limiter'),
	},
	webhook: {
		measured: ['nodes/ConversationIntelligenceTrigger', 'nodes/shared/exportApi', 'sandbox/webhooks'],
		load: async () => await import('./webhook'),
	},
};

async function main([name, ...args]: string[]): Promise<void> {
	if (name === 'check') return check();
	const entry = BENCHMARKS[name ?? ''];
	if (!entry) throw new Error(`Name a benchmark: ${[...Object.keys(BENCHMARKS), 'check'].join(', ')}.`);
	const { benchmark } = await entry.load();
	const measured = provenance(entry.measured);
	const section = await benchmark.run(args);
	console.log(section);
	// Runs with options are shortened or partial, so their numbers are not written.
	if (args.length > 0) return;
	writeSection(name, `${section.trim()}\n\n${measured}`);
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
