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
	const readings = [pid, ...descendantsOf(pid)].map(readStatus);
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
	const children = readdirSync(`/proc/${pid}/task`).flatMap((thread) =>
		readFileSync(`/proc/${pid}/task/${thread}/children`, 'utf8').split(' ').filter(Boolean).map(Number),
	);
	return children.flatMap((child) => [child, ...descendantsOf(child)]);
}
