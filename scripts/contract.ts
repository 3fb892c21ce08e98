/**
 * `npm run test:contract [-- jest options]`: the contract suite against sandboxes of its own, or against the
 * service at SERVICE_URL. A service without the sandbox's control address is given by its keys instead:
 * SERVICE_KEY, SERVICE_TEAM_KEY, SERVICE_OTHER_KEY, SERVICE_UNMAPPED_KEY, and if they differ from
 * `SERVICE_URL/data` and `SERVICE_URL/crm`, SERVICE_EXPORT_URL and SERVICE_CRM_URL. SERVICE_FROM and
 * SERVICE_TO name a range of a few hundred conversations. The suite writes appointments of its own.
 */
import { spawnSync } from 'node:child_process';
import { dirname, join } from 'node:path';
import { request } from 'undici';
import { sections } from './conformance/rules';
import { scan } from './conformance/scan';

const { SERVICE_URL, ...env } = process.env;
const everything = { from: '2000-01-01T00:00:00Z', to: '2100-01-01T00:00:00Z' };

/** What `GET /control/state` of a sandbox says, or undefined when there is no such address. */
async function stateOf(url: string): Promise<Record<string, unknown> | undefined> {
	const answer = await request(`${url}/control/state`);
	const text = await answer.body.text();
	return answer.statusCode === 200 ? JSON.parse(text) : undefined;
}

async function main(): Promise<number> {
	const rooms = ['outside'];
	const service: Record<string, unknown> = {};
	if (SERVICE_URL) {
		const url = SERVICE_URL.replace(/\/+$/, '');
		const state = await stateOf(url).catch((error: unknown) => {
			throw new Error(`Nothing answers at SERVICE_URL ${url} (${String(error)}).`);
		});
		Object.assign(service, {
			exportUrl: env.SERVICE_EXPORT_URL ?? state?.exportUrl ?? `${url}/data`,
			crmUrl: env.SERVICE_CRM_URL ?? state?.crmUrl ?? `${url}/crm`,
			controlUrl: `${url}/control`,
			range: {
				fromDate: env.SERVICE_FROM ?? everything.from,
				toDate: env.SERVICE_TO ?? everything.to,
			},
			keys: state?.keys ?? {
				organization: env.SERVICE_KEY,
				team: env.SERVICE_TEAM_KEY,
				otherOrganization: env.SERVICE_OTHER_KEY,
				unmapped: env.SERVICE_UNMAPPED_KEY,
			},
		});
		if (state) rooms.push('control');
	} else {
		rooms.push('control', 'options');
	}
	const paths = rooms.map((room) => `test/contract/${room}/`);
	const jest = join(dirname(require.resolve('jest/package.json')), 'bin', 'jest.js');
	const { status } = spawnSync(
		process.execPath,
		[
			jest,
			'--selectProjects',
			'contract',
			...process.argv.slice(2),
			...(SERVICE_URL ? ['--runInBand'] : []),
			'--testPathPatterns',
			...paths,
		],
		{
			stdio: 'inherit',
			env: { ...process.env, ...(SERVICE_URL && { CONTRACT_SERVICE: JSON.stringify(service) }) },
		},
	);
	summarize(paths);
	return status ?? 1;
}

/** Says how many rules this run held, and which need more control over the service than there is. */
function summarize(paths: string[]): void {
	const tests = scan('test/contract');
	const covered = (chosen: typeof tests) => new Set(chosen.flatMap((test) => test.rules));
	const here = covered(tests.filter(({ file }) => paths.some((path) => file.startsWith(path))));
	const missing = [...covered(tests)].filter((rule) => !here.has(rule)).sort();
	const total = sections.flatMap((section) => section.rules).length;
	console.log(`\nRules of the documents: ${total}; held by this run's tests: ${here.size}.`);
	if (missing.length > 0) {
		console.log(`${missing.length} need a sandbox's control address or options and were not run here:`);
		console.log(missing.join(' '));
	}
}

main().then(
	(status) => {
		process.exitCode = status;
	},
	(error: unknown) => {
		console.error(error instanceof Error ? error.message : error);
		process.exitCode = 1;
	},
);
