import { parseArgs } from 'node:util';

import { HarnessProblem } from '../harness/problem';

export interface StartOptions {
	/** Runs the examples and ends, instead of running the editor. */
	once: boolean;
	/** Rebuilds a changed node and lets n8n reload it. */
	watch: boolean;
	/** The editor's port. 0 means any free one. */
	port: number;
	/** The local service's port. 0 means any free one. */
	sandboxPort: number;
	/** Number of conversations in the local service. */
	conversations: number;
	help: boolean;
}

export const USAGE = `npm start [-- options]        starts the local service and n8n with this package, and prints how to log in
npm start -- --once           runs the examples without an editor and prints what they did
npm run dev                   like npm start, but rebuilds and reloads changed nodes

  --port <number>             the editor's port (default 5678; with --once any free one)
  --sandbox-port <number>     the local service's port (default 8790; with --once any free one)
  --conversations <number>    number of conversations in the local service (default 2501)
  --help                      prints this text`;

/**
 * Reads the command line.
 *
 * @throws {HarnessProblem} that names the option that is unknown or not a number
 */
export function readOptions(args: string[]): StartOptions {
	try {
		const { values } = parseArgs({
			args,
			options: {
				once: { type: 'boolean', default: false },
				watch: { type: 'boolean', default: false },
				help: { type: 'boolean', short: 'h', default: false },
				port: { type: 'string' },
				'sandbox-port': { type: 'string' },
				conversations: { type: 'string', default: '2501' },
			},
		});
		return {
			once: values.once,
			watch: values.watch,
			help: values.help,
			port: numberFrom('--port', values.port ?? (values.once ? '0' : '5678'), 65_535),
			sandboxPort: numberFrom(
				'--sandbox-port',
				values['sandbox-port'] ?? (values.once ? '0' : '8790'),
				65_535,
			),
			conversations: numberFrom('--conversations', values.conversations, 1_000_000),
		};
	} catch (error) {
		throw new HarnessProblem(`${error instanceof Error ? error.message : String(error)}\n\n${USAGE}`);
	}
}

function numberFrom(option: string, text: string, max: number): number {
	const value = Number(text);
	if (/^\d+$/.test(text) && value <= max) return value;
	throw new Error(`${option} must be a whole number from 0 to ${max}, not "${text}".`);
}
