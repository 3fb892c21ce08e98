import { readFileSync, writeFileSync } from 'node:fs';

/**
 * Reads the memory of a process from `/proc` (Linux only), without its descendants, in megabytes (2^20 bytes). The peak
 * is since the process started, or since {@link resetPeak}.
 */
export function memoryOf(pid: number) {
	const status = readFileSync(`/proc/${pid}/status`, 'utf8');
	const megabytes = (key: string) => Number(new RegExp(`^${key}:\\s+(\\d+)`, 'm').exec(status)?.[1]) / 1024;
	return { residentMB: megabytes('VmRSS'), peakMB: megabytes('VmHWM') };
}

/** Resets a process's peak to its current memory (Linux only). */
export function resetPeak(pid: number): void {
	writeFileSync(`/proc/${pid}/clear_refs`, '5');
}
