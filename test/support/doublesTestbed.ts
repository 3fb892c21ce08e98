import { saveDoubleCredentials } from '../../harness/examples/credentials';
import { startDoubles, type Doubles } from '../../harness/examples/doubles';
import type { Execution } from '../../harness/n8n/execution';
import { startTestbed, type Testbed } from '../../harness/testbed';
import { importExample } from '../../harness/workflows';
import { N8N_START_LIMIT_MS } from './n8n';

const DAY_MS = 86_400_000;

/** A testbed with doubles of the outside services that the examples use. */
export interface DoublesTestbed extends Testbed {
	doubles: Doubles;
	/** Imports an example as a user would, see {@link importExample}. */
	importExample(slug: string, change?: Parameters<typeof importExample>[2]): Promise<string>;
	/** Imports an example and runs it once from one of its triggers. */
	run(slug: string, trigger: string): Promise<Execution>;
	/** Asks the service itself, without n8n, e.g. for the path `/export/conversations`. */
	ask<Response>(path: string, body: object): Promise<Response>;
}

export function useDoublesTestbed(
	service: Parameters<typeof startTestbed>[0] = {
		...endingNow(90),
		conversations: 1800,
		webhookRetryDelaysMs: [],
	},
	environment: Record<string, string> = {},
): DoublesTestbed {
	const testbed = {} as DoublesTestbed;
	beforeAll(async () => {
		testbed.doubles = await startDoubles();
		const env = { ...testbed.doubles.n8nEnvironment, ...environment };
		Object.assign(testbed, await startTestbed(service, { env }));
		await saveDoubleCredentials(testbed.n8n.client, testbed.doubles);
	}, N8N_START_LIMIT_MS);
	afterAll(async () => {
		await testbed.doubles?.close();
		await testbed.stop?.();
	}, 60_000);
	testbed.importExample = async (slug, change) => await importExample(testbed.n8n.client, slug, change);
	testbed.run = async (slug, trigger) =>
		await testbed.n8n.client.run(await testbed.importExample(slug), { trigger });
	testbed.ask = async (path, body) => {
		const { exportUrl, keys } = testbed.sandbox;
		const response = await fetch(`${exportUrl}${path}`, {
			method: 'POST',
			headers: { authorization: keys.organization, 'content-type': 'application/json' },
			body: JSON.stringify(body),
		});
		return JSON.parse(await response.text());
	};
	return testbed;
}

/** The range of a service's data, for its last days. */
export const endingNow = (days: number) => ({
	from: new Date(Date.now() - days * DAY_MS).toISOString(),
	to: 'now' as const,
});
