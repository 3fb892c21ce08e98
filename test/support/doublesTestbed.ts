import { saveDoubleCredentials } from '../../harness/examples/credentials';
import { startDoubles, type Doubles } from '../../harness/examples/doubles';
import { errorOf, type Execution } from '../../harness/n8n/execution';
import { startTestbed, type Testbed } from '../../harness/testbed';
import { importExample } from '../../harness/workflows';
import { N8N_START_LIMIT_MS } from './n8n';

const DAY_MS = 86_400_000;
type Change = Parameters<typeof importExample>[2];

/** A testbed with doubles of the outside services that the examples use. */
export interface DoublesTestbed extends Testbed {
	doubles: Doubles;
	/** Imports an example as a user would, see {@link importExample}. */
	importExample(slug: string, change?: Change): Promise<string>;
	/** Imports an example and publishes it until the end of the test. */
	publish(slug: string, change?: Change): Promise<string>;
	/** Runs an example, imported first if it is given by its slug, once from one of its triggers, and expects no error. */
	run(example: string, trigger: string): Promise<Execution>;
	/** Asks the service itself, without n8n, e.g. for the path `/export/conversations`. */
	ask<Response>(path: string, body?: object): Promise<Response>;
}

export function useDoublesTestbed(
	service: Parameters<typeof startTestbed>[0] = {
		...endingNow(90),
		...{ conversations: 0, awaitingUpload: 0, errored: 0 },
		webhookRetryDelaysMs: [],
	},
	environment: Record<string, string> = {},
): DoublesTestbed {
	const testbed = {} as DoublesTestbed;
	const published: string[] = [];
	beforeAll(async () => {
		testbed.doubles = await startDoubles();
		const env = { ...testbed.doubles.n8nEnvironment, ...environment };
		Object.assign(testbed, await startTestbed(service, { env }));
		await saveDoubleCredentials(testbed.n8n.client, testbed.doubles);
	}, N8N_START_LIMIT_MS);
	afterEach(async () => {
		for (const workflowId of published.splice(0)) await testbed.n8n.client.unpublish(workflowId);
	});
	afterAll(async () => {
		await testbed.doubles?.close();
		await testbed.stop?.();
	}, 60_000);
	testbed.importExample = async (slug, change) => await importExample(testbed.n8n.client, slug, change);
	testbed.publish = async (slug, change) => {
		published.push(await testbed.n8n.client.publish(await testbed.importExample(slug, change)));
		return published.at(-1)!;
	};
	testbed.run = async (example, trigger) => {
		// n8n's IDs have no hyphen.
		const workflowId = example.includes('-') ? await testbed.importExample(example) : example;
		const execution = await testbed.n8n.client.run(workflowId, { trigger });
		expect(errorOf(execution)).toBeUndefined();
		return execution;
	};
	testbed.ask = async (path, body) => {
		const { exportUrl, keys } = testbed.sandbox;
		const response = await fetch(`${exportUrl}${path}`, {
			method: body ? 'POST' : 'GET',
			headers: { authorization: keys.organization, 'content-type': 'application/json' },
			body: body && JSON.stringify(body),
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
