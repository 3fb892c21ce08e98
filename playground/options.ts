import { parseArgs } from 'node:util';
import { HarnessProblem } from '../harness/problem';

export const USAGE = `npm start [-- options]        starts the local service and n8n with this package, and prints how to log in
npm start -- --once           runs the examples without an editor and prints what they did
npm run dev                   like npm start, but rebuilds and reloads changed nodes

  --port <number>             the editor's port (default 5678; with --once any free one)
  --sandbox-port <number>     the local service's port (default 8790; with --once any free one)
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
			},
		});
		const { once, watch, help } = values;
		const portOf = (option: 'port' | 'sandbox-port', byDefault: string) => {
			const text = values[option] ?? (once ? '0' : byDefault);
			if (/^\d+$/.test(text) && Number(text) <= 65_535) return Number(text);
			throw new Error(`--${option} must be a whole number from 0 to 65535, not "${text}".`);
		};
		return { once, watch, help, port: portOf('port', '5678'), sandboxPort: portOf('sandbox-port', '8790') };
	} catch (error) {
		throw new HarnessProblem(`${error instanceof Error ? error.message : String(error)}\n\n${USAGE}`);
	}
}
