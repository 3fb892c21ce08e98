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

const NUMBERS = {
	port: { max: 65_535, name: '--port' },
	sandboxPort: { max: 65_535, name: '--sandbox-port' },
	conversations: { max: 1_000_000_000, name: '--conversations' },
};

/**
 * Reads the command line.
 *
 * @throws {HarnessProblem} that names the option that is unknown or not a number
 */
export function readOptions(args: string[]): StartOptions {
	const { once = false, watch = false, help = false, ...numbers } = parse(args);
	const number = (key: keyof typeof NUMBERS, text: string | undefined, preset: number) => {
		if (text === undefined) return preset;
		const { max, name } = NUMBERS[key];
		const value = Number(text);
		if (!/^\d+$/.test(text) || value > max) {
			throw new HarnessProblem(`${name} must be a whole number from 0 to ${max}, not "${text}".`);
		}
		return value;
	};
	return {
		once,
		watch,
		help,
		port: number('port', numbers.port, once ? 0 : 5678),
		sandboxPort: number('sandboxPort', numbers['sandbox-port'], once ? 0 : 8790),
		conversations: number('conversations', numbers.conversations, 2501),
	};
}

function parse(args: string[]) {
	try {
		return parseArgs({
			args,
			options: {
				once: { type: 'boolean' },
				watch: { type: 'boolean' },
				help: { type: 'boolean', short: 'h' },
				port: { type: 'string' },
				'sandbox-port': { type: 'string' },
				conversations: { type: 'string' },
			},
		}).values;
	} catch (error) {
		throw new HarnessProblem(`${error instanceof Error ? error.message : String(error)}\n\n${USAGE}`);
	}
}
