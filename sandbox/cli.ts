import { parseArgs } from 'node:util';
import { startSandbox } from './';
import { defaultOptions, type SandboxOptions } from './options';
import { messageOf } from './problem';

const usage = `Usage: npm run sandbox -- [--port 8790] [--conversations 100000] …
Options and their defaults (port 0 means any free port):
${Object.entries(defaultOptions)
	.map(([name, value]) => `  --${name} ${value ?? '<none>'}`)
	.join('\n')}`;

/** Parses the command line. @throws Error for an unknown option. */
export function optionsFrom(args: string[]): Partial<SandboxOptions> | 'help' {
	const known = Object.fromEntries(Object.keys(defaultOptions).map((name) => [name, { type: 'string' }]));
	const { values } = parseArgs({ args, options: { help: { type: 'boolean', short: 'h' }, ...known } });
	if (values.help) return 'help';
	const defaults = new Map<string, unknown>(Object.entries(defaultOptions));
	const number = (text: string) => Number(text.replaceAll('_', ''));
	const given = Object.entries(values).map(([name, value]) => {
		if (Array.isArray(defaults.get(name))) return [name, String(value).split(',').map(number)];
		return [name, typeof defaults.get(name) === 'number' ? number(String(value)) : value];
	});
	return { port: 8790, ...Object.fromEntries(given) };
}

async function main(): Promise<void> {
	const options = optionsFrom(process.argv.slice(2));
	if (options === 'help') return console.log(usage);
	const sandbox = await startSandbox(options);
	const { keys } = sandbox;
	console.log(`The local service is running. Press Ctrl-C to stop it.

  Data Export API (Base URL)          ${sandbox.exportUrl}
  CRM Appointment API (Base URL)      ${sandbox.crmUrl}
  Web page and control API            ${sandbox.url}/  ${sandbox.url}/control/state

  Webhook signing secret              ${sandbox.options.signingSecret}
  Organization key                    ${keys.organization}
  Key for one team and its subteams   ${keys.team}
  Key of another organization         ${keys.otherOrganization}
  Key without an organization         ${keys.unmapped}
`);
	const stop = () => void sandbox.close().then(() => process.exit(0));
	process.once('SIGINT', stop);
	process.once('SIGTERM', stop);
}

if (require.main === module) {
	main().catch((error: unknown) => {
		console.error(messageOf(error));
		process.exit(1);
	});
}
