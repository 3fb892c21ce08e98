/**
 * `npm run test:contract [-- jest options]` runs the contract suite against new sandboxes, or against the
 * service at SERVICE_URL. A service without the sandbox's control API needs more settings: SERVICE_KEY,
 * SERVICE_TEAM_KEY, SERVICE_OTHER_KEY, SERVICE_UNMAPPED_KEY, SERVICE_EXPORT_URL (default: SERVICE_URL/data)
 * and SERVICE_CRM_URL (default: SERVICE_URL/crm). SERVICE_FROM and SERVICE_TO set a range of a few hundred
 * conversations. The suite creates appointments.
 */
import { spawnSync } from 'node:child_process';

const { env } = process;
const url = env.SERVICE_URL?.replace(/\/+$/, '');

/** A sandbox's `GET /control/state`; undefined for other services. */
async function readState() {
	const response = await fetch(`${url}/control/state`);
	return response.status === 200 ? await response.json() : undefined;
}

const foreignKeys = {
	organization: env.SERVICE_KEY,
	team: env.SERVICE_TEAM_KEY,
	otherOrganization: env.SERVICE_OTHER_KEY,
	unmapped: env.SERVICE_UNMAPPED_KEY,
};
const range = {
	fromDate: env.SERVICE_FROM ?? '2000-01-01T00:00:00Z',
	toDate: env.SERVICE_TO ?? '2100-01-01T00:00:00Z',
};

try {
	const state = url && (await readState());
	const service = {
		exportUrl: env.SERVICE_EXPORT_URL ?? state?.exportUrl ?? `${url}/data`,
		crmUrl: env.SERVICE_CRM_URL ?? state?.crmUrl ?? `${url}/crm`,
		controlUrl: `${url}/control`,
		range,
		keys: state?.keys ?? foreignKeys,
	};
	const rooms = ['outside', ...(state || !url ? ['control'] : []), ...(url ? [] : ['options'])];
	const jest = ['jest', '--selectProjects', 'service', ...process.argv.slice(2)];
	// One room after another: tests of `control` change what those of `outside` expect of a shared service.
	for (const room of rooms) {
		const paths = ['--testPathPatterns', `test/service/${room}/`];
		const { status } = spawnSync('npx', [...jest, ...(url ? ['--runInBand'] : []), ...paths], {
			stdio: 'inherit',
			env: { ...env, ...(url && { CONTRACT_SERVICE: JSON.stringify(service) }) },
		});
		process.exitCode ||= status ?? 1;
	}
} catch (error) {
	console.error(`The service at SERVICE_URL ${url} does not respond (${error}).`);
	process.exitCode = 1;
}
