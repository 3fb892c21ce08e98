import { startSandbox, type SandboxOptions } from '../../../sandbox';

/** What the suite knows of the service under test. */
export interface Service {
	/** `{base_url}` of D1. */
	exportUrl: string;
	/** `{crm_base_url}` of D2. */
	crmUrl: string;
	/** Where the control address is, `${controlUrl}/state`; only tests in control/ and options/ use it. */
	controlUrl: string;
	/** A range that holds data. */
	range: { fromDate: string; toDate: string };
	keys: { organization: string; team: string; otherOrganization: string; unmapped: string };
}

/** Set by scripts/contract.ts when the suite is pointed at SERVICE_URL: a Service as JSON. */
const foreign = process.env.CONTRACT_SERVICE;
const everything = { fromDate: '2000-01-01T00:00:00Z', toDate: '2100-01-01T00:00:00Z' };

/**
 * The service that the tests of one file talk to: the one at SERVICE_URL, or a sandbox of their own.
 * Its properties can be read once the tests run.
 *
 * @param options of the own sandbox; a file that cannot do without them belongs into options/
 */
export function useService(options: Partial<SandboxOptions> = {}): Service {
	const service: Service = {
		exportUrl: '',
		crmUrl: '',
		controlUrl: '',
		range: everything,
		keys: { organization: '', team: '', otherOrganization: '', unmapped: '' },
	};
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
