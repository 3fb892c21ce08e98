import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { request } from 'undici';

/** A sandbox in a process of its own, on one core where the machine can pin processes. */
export interface SandboxProcess {
	exportUrl: string;
	crmUrl: string;
	key: string;
	/** Whether it runs on a core of its own. */
	isPinned: boolean;
	/** Resident memory of the process now, MB. */
	memory(): number;
	/** CPU time that the process has used so far, seconds. */
	cpu(): number;
	stop(): Promise<void>;
}

const root = join(__dirname, '..', '..');
const canPin = spawnSync('taskset', ['--version']).status === 0;

/** Keeps this process, the client, off the sandbox's core. */
export function pinClient(): void {
	if (canPin) spawnSync('taskset', ['-acp', '1', String(process.pid)]);
}

/** @param options of the sandbox's command line, without the dashes */
export async function startSandboxProcess(options: Record<string, string | number>): Promise<SandboxProcess> {
	const flags = Object.entries({ port: 0, mediaPort: 0, ...options }).flatMap(([name, value]) => [
		`--${name}`,
		String(value),
	]);
	const command = [process.execPath, '--import', 'tsx', join(root, 'sandbox', 'cli.ts'), ...flags];
	const [file, ...args] = canPin ? ['taskset', '-c', '0', ...command] : command;
	const child = spawn(file, args, { cwd: root, stdio: ['ignore', 'pipe', 'inherit'] });
	const url = await addressOf(child);
	const answer = await request(`${url}/control/state`);
	const state = (await answer.body.json()) as {
		exportUrl: string;
		crmUrl: string;
		keys: { organization: string };
	};
	return {
		exportUrl: state.exportUrl,
		crmUrl: state.crmUrl,
		key: state.keys.organization,
		isPinned: canPin,
		memory: () => ps(child, 'rss') / 1024,
		cpu: () => cpuSeconds(child),
		stop: async () => {
			child.kill();
			await once(child, 'exit');
		},
	};
}

/** Reads what the sandbox prints until its address is there. */
async function addressOf(child: ChildProcess): Promise<string> {
	let printed = '';
	for await (const chunk of child.stdout ?? []) {
		printed += String(chunk);
		const found = /(http:\/\/\S+)\/control\/state/.exec(printed)?.[1];
		if (found) {
			child.stdout?.resume();
			return found;
		}
	}
	throw new Error('The sandbox ended before it printed its address.');
}

/** To the hundredth of a second where the system tells, otherwise in whole seconds. */
function cpuSeconds(child: ChildProcess): number {
	const file = `/proc/${child.pid}/stat`;
	if (!existsSync(file)) return ps(child, 'cputimes');
	// User and system time, in ticks, are the 14th and 15th field; the 2nd, in brackets, may hold blanks.
	const fields = readFileSync(file, 'utf8').split(') ')[1].split(' ');
	return (Number(fields[11]) + Number(fields[12])) / 100;
}

/** One number that the system knows about a process. */
function ps(child: ChildProcess, column: 'rss' | 'cputimes'): number {
	const { stdout } = spawnSync('ps', ['-o', `${column}=`, '-p', String(child.pid)], { encoding: 'utf8' });
	return Number(stdout);
}
