import { existsSync } from 'node:fs';
import { join } from 'node:path';

import { PlaygroundProblem, silent, type Report } from '../problem';
import { installHost } from './install';
import { hostFolder, manifest } from './location';
import { withLock } from './lock';

/** The first Node that n8n 2.41 starts on. */
const N8N_NEEDS_NODE = 24;

/** An installed n8n. */
export interface Host {
	/** Holds `node_modules`. */
	folder: string;
	version: string;
	/** The Node that n8n runs on: this machine's own, or the one installed beside n8n where that is too old. */
	node: string;
	/** n8n's command, a script to run with {@link Host.node}. */
	n8n: string;
}

/**
 * Finds the installed n8n, or installs it first.
 *
 * @param options.report - told about each step of an installation; nothing when n8n is there
 * @param options.signal - stops an installation
 * @throws {PlaygroundProblem} when Node, the network, the disk or a compiler is missing
 */
export async function ensureHost(options: { report?: Report; signal?: AbortSignal } = {}): Promise<Host> {
	const { report = silent, signal } = options;
	const folder = hostFolder();
	if (!existsSync(folder)) {
		const installUnlessThere = async () => {
			if (!existsSync(folder)) await installHost(folder, report, signal);
		};
		const waitingFor = 'Another run is installing n8n; waiting for it';
		await withLock(folder, installUnlessThere, { report, waitingFor, signal });
	}
	return {
		folder,
		version: manifest.dependencies.n8n,
		node: findNode(folder),
		n8n: join(folder, 'node_modules', 'n8n', 'bin', 'n8n'),
	};
}

function findNode(folder: string): string {
	if (Number(process.versions.node.split('.')[0]) >= N8N_NEEDS_NODE) return process.execPath;
	const broughtAlong = join(
		folder,
		'node_modules',
		`node-${process.platform}-${process.arch}`,
		'bin',
		'node',
	);
	if (existsSync(broughtAlong)) return broughtAlong;
	throw new PlaygroundProblem(
		`n8n ${manifest.dependencies.n8n} needs Node ${N8N_NEEDS_NODE} or newer, this is Node ${process.versions.node}, ` +
			`and none comes along for ${process.platform} on ${process.arch}. Install Node ${N8N_NEEDS_NODE} and run the command again.`,
	);
}
