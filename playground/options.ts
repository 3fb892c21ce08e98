import { parseArgs } from 'node:util';
import { HarnessProblem } from '../harness/problem';

export const USAGE = `npm start [-- options]        starts the local service and n8n with this package, and prints how to log in
npm start -- --once           runs the examples without an editor and prints what they did
npm run dev                   like npm start, but rebuilds and reloads changed nodes

  --port <number>             the editor's port (default 5678; with --once any free one)
  --sandbox-port <number>     the local service's port (default 8790; with --once any free one)
  --conversations <number>    number of conversations in the local service (default 2501)
  --help                      prints this text`;

export type StartOptions = ReturnType<typeof readOptions>;

/** Reads the command line. @throws {HarnessProblem} that names the option that is unknown or not a number */
export function readOptions(args: string[]) {
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
		const { once, watch, help } = values;
		const numberOf = (option: 'port' | 'sandbox-port' | 'conversations', fallback: string, max: number) => {
			const text = values[option] ?? fallback;
			if (/^\d+$/.test(text) && Number(text) <= max) return Number(text);
			throw new Error(`--${option} must be a whole number from 0 to ${max}, not "${text}".`);
		};
		const port = numberOf('port', once ? '0' : '5678', 65_535);
		const sandboxPort = numberOf('sandbox-port', once ? '0' : '8790', 65_535);
		return { once, watch, help, port, sandboxPort, conversations: numberOf('conversations', '', 1_000_000) };
	} catch (error) {
		throw new HarnessProblem(`${error instanceof Error ? error.message : String(error)}\n\n${USAGE}`);
	}
}
