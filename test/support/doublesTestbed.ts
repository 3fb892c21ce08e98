import { saveDoubleCredentials } from '../../harness/examples/credentials';
import { startDoubles, type Doubles } from '../../harness/examples/doubles';
import type { Execution } from '../../harness/n8n/execution';
import { importExample } from '../../harness/workflows';
import { startTestbed, type Testbed } from './testbed';

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

/**
 * Starts n8n, the doubles and a local service.
 *
 * @param service options of the service; by default, its data ends yesterday, with about 20 conversations a day
 */
export async function startDoublesTestbed(
	service: Parameters<typeof startTestbed>[0] = {
		...endingNow(90),
		conversations: 1800,
		webhookRetryDelaysMs: [],
	},
): Promise<DoublesTestbed> {
	const doubles = await startDoubles();
	const testbed = await startTestbed(service, { env: doubles.n8nEnvironment });
	const { sandbox, n8n } = testbed;
	await saveDoubleCredentials(n8n.client, doubles);
	const importSlug: DoublesTestbed['importExample'] = async (slug, change) =>
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

/** The range of a service's data, for its last days. */
export const endingNow = (days: number) => ({
	from: new Date(Date.now() - days * DAY_MS).toISOString(),
	to: 'now' as const,
});
