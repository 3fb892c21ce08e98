import type { INodeParameters } from 'n8n-workflow';
import { startDoubles, type Doubles } from '../../harness/examples/doubles';
import { saveDoubleCredentials } from '../../harness/examples/credentials';
import type { Execution } from '../../harness/n8n/execution';
import { importExample } from '../../harness/workflows';
import { startTestbed, type Testbed } from './testbed';

const DAY_MS = 86_400_000;

/** A testbed with the doubles that the examples write to. */
export interface ExamplesTestbed extends Testbed {
	doubles: Doubles;
	/**
	 * Imports an example as a user would.
	 *
	 * @param change replacement parameters by the name of a node, which is activated
	 * @returns the workflow's ID
	 */
	importExample(slug: string, change?: Record<string, INodeParameters>): Promise<string>;
	/** Imports an example and runs it once from one of its triggers. */
	run(slug: string, trigger: string): Promise<Execution>;
	/** Asks the service itself, without n8n, e.g. for the path `/export/conversations`. */
	ask<Response>(path: string, body: object): Promise<Response>;
}

/** Starts n8n, the doubles and a local service whose data ends yesterday, with about 20 conversations a day. */
export async function startExamplesTestbed(): Promise<ExamplesTestbed> {
	const from = new Date(Date.now() - 90 * DAY_MS).toISOString();
	const doubles = await startDoubles();
	const testbed = await startTestbed(
		{ from, to: 'now', conversations: 1800, webhookRetryDelaysMs: [] },
		{ env: doubles.n8nEnvironment },
	);
	const { sandbox, n8n } = testbed;
	await saveDoubleCredentials(n8n.client, doubles);
	const importSlug: ExamplesTestbed['importExample'] = async (slug, change) =>
		await importExample(n8n.client, slug, change);
	return {
		...testbed,
		doubles,
		importExample: importSlug,
		run: async (slug, trigger) => await n8n.client.run(await importSlug(slug), { trigger }),
		ask: async (path, body) => {
			const response = await fetch(`${sandbox.exportUrl}${path}`, {
				method: 'POST',
				headers: { authorization: sandbox.keys.organization, 'content-type': 'application/json' },
				body: JSON.stringify(body),
			});
			return JSON.parse(await response.text());
		},
		stop: async () => {
			await doubles.close();
			await testbed.stop();
		},
	};
}
