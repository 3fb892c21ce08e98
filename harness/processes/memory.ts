import { readdirSync, readFileSync, writeFileSync } from 'node:fs';

/** The memory of a process and its descendants in megabytes (2^20 bytes). */
export interface Memory {
	/** Current resident memory. */
	residentMB: number;
	/** The sum of the peaks of all processes, an upper bound of the total peak. */
	peakMB: number;
	/** Current resident memory without descendants. */
	ownResidentMB: number;
	/** Peak memory without descendants. */
	ownPeakMB: number;
}

/**
 * Reads the memory of a process and its descendants from `/proc` (Linux only).
 *
 * @throws when the process is not running or the system has no `/proc`
 */
export function memoryOf(pid: number): Memory {
	const descendants = descendantsOf(pid).flatMap((each) => unlessEnded(() => [readStatus(each)]));
	const readings = [readStatus(pid), ...descendants];
	const sum = (pick: (reading: Reading) => number) => readings.reduce((total, one) => total + pick(one), 0);
	return {
		residentMB: sum(({ resident }) => resident) / 1024,
		peakMB: sum(({ peak }) => peak) / 1024,
		ownResidentMB: readings[0].resident / 1024,
		ownPeakMB: readings[0].peak / 1024,
	};
}

/** Resets a process's peak to its current memory (Linux only). */
export function resetPeak(pid: number): void {
	writeFileSync(`/proc/${pid}/clear_refs`, '5');
}

interface Reading {
	/** Kilobytes. */
	resident: number;
	/** Kilobytes. */
	peak: number;
}

function readStatus(pid: number): Reading {
	const status = readFileSync(`/proc/${pid}/status`, 'utf8');
	const kilobytes = (key: string) => Number(new RegExp(`^${key}:\\s+(\\d+)`, 'm').exec(status)?.[1] ?? 0);
	return { resident: kilobytes('VmRSS'), peak: kilobytes('VmHWM') };
}

function descendantsOf(pid: number): number[] {
	const threads = unlessEnded(() => readdirSync(`/proc/${pid}/task`));
	const children = threads.flatMap((thread) =>
		unlessEnded(() => readFileSync(`/proc/${pid}/task/${thread}/children`, 'utf8').split(' '))
			.filter(Boolean)
			.map(Number),
	);
	return children.flatMap((child) => [child, ...descendantsOf(child)]);
}

/** Threads and processes may end between the moment they are listed and the moment they are read. */
function unlessEnded<T>(read: () => T[]): T[] {
	try {
		return read();
	} catch (error) {
		if (['ENOENT', 'ESRCH'].includes((error as NodeJS.ErrnoException).code ?? '')) return [];
		throw error;
	}
}
