import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';

/** Whether a process can be pinned to a CPU core. */
export const canPin = spawnSync('taskset', ['--version']).status === 0;

/** Pins this process, the client, to core 1, because the sandbox uses core 0. */
export function pinClient(): void {
	if (canPin) spawnSync('taskset', ['-acp', '1', String(process.pid)]);
}

/** Current resident memory of a process in MB. */
export function residentMB(pid: number): number {
	return ps(pid, 'rss') / 1024;
}

/** CPU time of a process so far in seconds, to the hundredth on Linux and whole elsewhere. */
export function cpuSeconds(pid: number): number {
	const file = `/proc/${pid}/stat`;
	if (!existsSync(file)) return ps(pid, 'cputimes');
	// Fields 14 and 15 are user and system time in ticks. Field 2, in brackets, can contain spaces.
	const fields = readFileSync(file, 'utf8').split(') ')[1].split(' ');
	return (Number(fields[11]) + Number(fields[12])) / 100;
}

/** Reads a number from `ps`. */
function ps(pid: number, column: 'rss' | 'cputimes'): number {
	const { stdout } = spawnSync('ps', ['-o', `${column}=`, '-p', String(pid)], { encoding: 'utf8' });
	return Number(stdout);
}
