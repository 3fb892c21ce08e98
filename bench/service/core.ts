import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';

/** Whether this machine can keep a process on one core. */
export const canPin = spawnSync('taskset', ['--version']).status === 0;

/** Keeps this process, the client, off the sandbox's core, which is core 0. */
export function pinClient(): void {
	if (canPin) spawnSync('taskset', ['-acp', '1', String(process.pid)]);
}

/** Resident memory of a process now, MB. */
export function residentMB(pid: number): number {
	return ps(pid, 'rss') / 1024;
}

/** CPU time that a process has used so far, in seconds: to the hundredth where the system tells, otherwise whole ones. */
export function cpuSeconds(pid: number): number {
	const file = `/proc/${pid}/stat`;
	if (!existsSync(file)) return ps(pid, 'cputimes');
	// User and system time, in ticks, are the 14th and 15th field; the 2nd, in brackets, may hold blanks.
	const fields = readFileSync(file, 'utf8').split(') ')[1].split(' ');
	return (Number(fields[11]) + Number(fields[12])) / 100;
}

/** One number that the system knows about a process. */
function ps(pid: number, column: 'rss' | 'cputimes'): number {
	const { stdout } = spawnSync('ps', ['-o', `${column}=`, '-p', String(pid)], { encoding: 'utf8' });
	return Number(stdout);
}
