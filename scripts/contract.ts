/**
 * `npm run test:contract [-- jest options]` runs the contract suite against new sandboxes, or against the
 * service at SERVICE_URL. A service without the sandbox's control API needs more settings: SERVICE_KEY,
 * SERVICE_TEAM_KEY, SERVICE_OTHER_KEY, SERVICE_UNMAPPED_KEY, SERVICE_EXPORT_URL (default: SERVICE_URL/data)
 * and SERVICE_CRM_URL (default: SERVICE_URL/crm). SERVICE_FROM and SERVICE_TO set a range of a few hundred
 * conversations. The suite creates appointments.
 */
import { spawnSync } from 'node:child_process';
import { request } from 'undici';

const { SERVICE_URL, ...env } = process.env;
const everything = { from: '2000-01-01T00:00:00Z', to: '2100-01-01T00:00:00Z' };

/** Reads a sandbox's `GET /control/state`; undefined for other services. */
async function stateOf(url: string): Promise<Record<string, unknown> | undefined> {
	const response = await request(`${url}/control/state`);
	const text = await response.body.text();
	return response.statusCode === 200 ? JSON.parse(text) : undefined;
}

async function main(): Promise<number> {
	const rooms = ['outside'];
	const service: Record<string, unknown> = {};
	if (SERVICE_URL) {
		const url = SERVICE_URL.replace(/\/+$/, '');
		const state = await stateOf(url).catch((error: unknown) => {
			throw new Error(`The service at SERVICE_URL ${url} does not respond (${String(error)}).`);
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
	const paths = rooms.map((room) => `test/service/${room}/`);
	const jest = ['jest', '--selectProjects', 'service', ...process.argv.slice(2)];
	if (SERVICE_URL) jest.push('--runInBand');
	const { status } = spawnSync('npx', [...jest, '--testPathPatterns', ...paths], {
		stdio: 'inherit',
		env: { ...process.env, ...(SERVICE_URL && { CONTRACT_SERVICE: JSON.stringify(service) }) },
	});
	return status ?? 1;
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
