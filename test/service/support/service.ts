import { startSandbox, type SandboxOptions } from '../../../sandbox';

/** The service under test. */
export interface Service {
	/** `{base_url}` of D1. */
	exportUrl: string;
	/** `{crm_base_url}` of D2. */
	crmUrl: string;
	/** The sandbox's control API. Only tests in control/ and options/ use it. */
	controlUrl: string;
	/** A range with data. */
	range: { fromDate: string; toDate: string };
	keys: { organization: string; team: string; otherOrganization: string; unmapped: string };
}

/** The service at SERVICE_URL as JSON, set by scripts/contract.mjs. */
const foreign = process.env.CONTRACT_SERVICE;
const everything = { fromDate: '2000-01-01T00:00:00Z', toDate: '2100-01-01T00:00:00Z' };

/**
 * Returns the service for a test file: the one at SERVICE_URL or a new sandbox. Its properties are set before
 * the first test runs.
 *
 * @param options of the sandbox; tests that depend on them belong in options/
 */
export function useService(options: Partial<SandboxOptions> = {}): Service {
	const service = { range: everything } as Service;
	let close: (() => Promise<void>) | undefined;
	beforeAll(async () => {
		if (foreign) {
			Object.assign(service, JSON.parse(foreign));
			return;
		}
		const sandbox = await startSandbox(options);
		const { exportUrl, crmUrl, keys } = sandbox;
		Object.assign(service, { exportUrl, crmUrl, keys, controlUrl: `${sandbox.url}/control` });
		close = () => sandbox.close();
	});
	afterAll(async () => await close?.());
	return service;
}
