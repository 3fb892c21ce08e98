import { existsSync } from 'node:fs';
import { join } from 'node:path';

import { HarnessProblem, silent, type Report } from '../problem';
import { installHost } from './install';
import { hostFolder, manifest } from './location';
import { withLock } from './lock';

/** The oldest major version of Node that n8n 2.41 supports. */
const N8N_NEEDS_NODE = 24;

/** An installed n8n. */
export interface Host {
	/** Contains `node_modules`. */
	folder: string;
	version: string;
	/** The Node that runs n8n: this process's, or the one installed with n8n if that is too old. */
	node: string;
	/** n8n's script, to run with {@link Host.node}. */
	n8n: string;
}

/**
 * Returns the installed n8n, after installing it if needed.
 *
 * @param options.report - receives the progress of an installation
 * @param options.signal - cancels an installation
 * @throws {HarnessProblem} when Node is too old or the installation fails
 */
export async function ensureHost(options: { report?: Report; signal?: AbortSignal } = {}): Promise<Host> {
	const { report = silent, signal } = options;
	const folder = hostFolder();
	if (!existsSync(folder)) {
		const installIfMissing = async () => {
			if (!existsSync(folder)) await installHost(folder, report, signal);
		};
		const waitingFor = 'Waiting for another run to install n8n';
		await withLock(folder, installIfMissing, { report, waitingFor, signal });
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
	const bundled = join(folder, 'node_modules', `node-${process.platform}-${process.arch}`, 'bin', 'node');
	if (existsSync(bundled)) return bundled;
	throw new HarnessProblem(
		`n8n ${manifest.dependencies.n8n} needs Node ${N8N_NEEDS_NODE} or newer; this is Node ${process.versions.node}, ` +
			`and this repository brings none for ${process.platform} on ${process.arch}. Install Node ${N8N_NEEDS_NODE} and run the command again.`,
	);
}
