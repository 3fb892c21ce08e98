import { parseArgs } from 'node:util';
import { saveSandboxCredentials } from '../../harness/credentials';
import { startSandbox } from '../../sandbox';
import { startTestN8n } from '../../harness/n8n/fresh';
import { calm, faulty, limited, planned, usagePlan, type Condition } from './conditions';
import { carefulHttpRequestNode, httpRequestNode, ownNode, type Contestant } from './contestants';
import { measure, type Result } from './measure';
import { section, type Line } from './section';

const FULL = { items: 2000, faultyItems: 600, plannedItems: 300, latencyMs: 50, calmRuns: 3, seeds: 20 };
const QUICK = { ...FULL, items: 500, faultyItems: 300, plannedItems: 100, calmRuns: 1, seeds: 2 };

/** Compares this package's node with the HTTP Request node in a real n8n, with and without faults. */
export const benchmark = {
	async run(args: string[]): Promise<string> {
		const options = { quick: { type: 'boolean' }, concurrency: { type: 'string' } } as const;
		const { values } = parseArgs({ args, options });
		const size = values.quick ? QUICK : FULL;
		const sandbox = await startSandbox({ conversations: 10, awaitingUpload: 0, errored: 0 });
		const n8n = await startTestN8n();
		try {
			await saveSandboxCredentials(n8n.client, sandbox);
			const { organization } = sandbox.keys;
			await n8n.client.saveCredential('httpHeaderAuth', { name: 'x-api-key', value: organization });
			const { latencyMs } = size;
			const trials = async (contestant: Contestant, condition: Condition, items: number, runs: number) => {
				const results: Result[] = [];
				for (let seed = 1; seed <= runs; seed++) {
					results.push(await measure(n8n.client, sandbox, { contestant, condition, seed, items, latencyMs }));
				}
				return results;
			};
			const own = ownNode(values.concurrency === undefined ? undefined : Number(values.concurrency));
			const plain = httpRequestNode(sandbox.crmUrl);
			// 50 is the node's default batch size; a user who knows the plan sets the size that it allows.
			const careful = carefulHttpRequestNode(sandbox.crmUrl, 50);
			const carefulOfPlan = carefulHttpRequestNode(sandbox.crmUrl, usagePlan.ratePerSecond);

			const { items, faultyItems, plannedItems, calmRuns, seeds } = size;
			// The first run of each node warms up n8n and does not count.
			for (const contestant of [own, plain]) await trials(contestant, { ...calm, name: 'warm-up' }, items, 1);
			const lines: Line[] = [];
			for (const [contestant, runs, faultyRuns, forPlan] of [
				[own, calmRuns, seeds, own],
				[plain, calmRuns, seeds, plain],
				[careful, 1, 2, carefulOfPlan],
			] as const) {
				const randomly429: Result[][] = [];
				for (const condition of limited) {
					randomly429.push(await trials(contestant, condition, faultyItems, runs));
				}
				lines.push({
					name: contestant.name,
					calm: await trials(contestant, calm, items, runs),
					faulty: await trials(contestant, faulty, faultyItems, faultyRuns),
					// The baseline of `limited`: the same number of items without faults.
					calmFew: await trials(contestant, { ...calm, name: 'no fault, few' }, faultyItems, runs),
					limited: randomly429,
					planned: await trials(forPlan, planned, plannedItems, 1),
				});
			}
			return section(size, lines);
		} finally {
			await n8n.stop();
			await sandbox.close();
		}
	},
};
