import { withTestbed } from '../testbed';
import { calm, faulty, limited, planned, usagePlan, type Condition } from './conditions';
import { carefulHttpRequestNode, httpRequestNode, ownNode, type Contestant } from './contestants';
import { measureTrial, type Result } from './measure';
import { section, type Line } from './section';

const FULL = { items: 2000, faultyItems: 600, plannedItems: 300, latencyMs: 50, calmRuns: 3, seeds: 20 };
const QUICK = { ...FULL, items: 500, faultyItems: 300, plannedItems: 100, calmRuns: 1, seeds: 2 };

/** Compares this package's node with the HTTP Request node in a real n8n, with and without faults. */
export async function compareAppointments(quick: boolean): Promise<string> {
	const size = quick ? QUICK : FULL;
	const { items, faultyItems, plannedItems, latencyMs, calmRuns, seeds } = size;
	return await withTestbed({ conversations: 10, awaitingUpload: 0, errored: 0 }, async (testbed) => {
		const { keys, crmUrl } = testbed.sandbox;
		await testbed.n8n.client.saveCredential('httpHeaderAuth', {
			name: 'x-api-key',
			value: keys.organization,
		});
		const trials = async (contestant: Contestant, condition: Condition, count: number, runs: number) => {
			const results: Result[] = [];
			for (let seed = 1; seed <= runs; seed++) {
				results.push(await measureTrial(testbed, { contestant, condition, seed, items: count, latencyMs }));
			}
			return results;
		};
		const plain = httpRequestNode(crmUrl);
		// 50 is the node's default batch size; a user who knows the plan sets the size that it allows.
		const careful = carefulHttpRequestNode(crmUrl, 50);
		const carefulOfPlan = carefulHttpRequestNode(crmUrl, usagePlan.ratePerSecond);

		// The first run of each node warms up n8n and does not count.
		for (const contestant of [ownNode, plain])
			await trials(contestant, { ...calm, name: 'warm-up' }, items, 1);
		const lines: Line[] = [];
		for (const [contestant, runs, faultyRuns, forPlan] of [
			[ownNode, calmRuns, seeds, ownNode],
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
	});
}
