import type { INodeParameters } from 'n8n-workflow';
import { DEFAULT_CONCURRENCY } from '../../nodes/ConversationIntelligenceAppointments/panel';
import type { FaultRequest } from '../../sandbox';
import { mean, median } from '../../sandbox/statistics';
import { percent, ratio, seconds, table } from '../markdown';
import { withTestbed } from '../testbed';
import { httpRequest, ownNode } from '../workflows';
import { LATENCY_MS, measureTrial, type Condition, type Contestant, type Result } from './measure';

const FULL = { items: 2000, faultyItems: 600, plannedItems: 300, calmRuns: 3, seeds: 20 };
const QUICK = { items: 500, faultyItems: 300, plannedItems: 100, calmRuns: 1, seeds: 2 };

const PATH = '/crm';
/** One request in fifty gets one of four faults, all equally likely. */
const ONE_FAULT_IN = 50;
const ONE_429_IN = 20;

/** One request in so many gets one of these faults. */
const oneIn = (requests: number, faults: FaultRequest[]) => (seed: number) =>
	faults.map((fault, index) => ({
		...fault,
		path: PATH,
		probability: 1 / requests / faults.length,
		seed: seed * faults.length + index,
	}));

const CALM: Condition = { name: 'no fault', faults: () => [] };

const FAULTY: Condition = {
	name: 'faults',
	faults: oneIn(ONE_FAULT_IN, [
		{ kind: 'tooManyRequests' },
		{ kind: 'serverError' },
		{ kind: 'connectionReset' },
		{ kind: 'lostResponse' },
	]),
};

const random429 = (name: string, ...retryAfter: Array<number | undefined>): Condition => ({
	name: `429, ${name} Retry-After`,
	faults: oneIn(
		ONE_429_IN,
		retryAfter.map((retryAfterSeconds) => ({ kind: 'tooManyRequests', retryAfterSeconds })),
	),
});

/** A random request in twenty gets 429: without `Retry-After`, with 0, or (every fourth) with 1 second. */
const LIMITED = [
	random429('no', undefined),
	random429('zero', 0),
	random429('some', undefined, undefined, undefined, 1),
];

const USAGE_PLAN = { ratePerSecond: 10, burst: 20 };
const PLANNED: Condition = {
	name: 'usage plan',
	faults: () => [{ kind: 'usagePlan', path: PATH, ...USAGE_PLAN }],
};

/** This package's node with its default options and automatic mapping. */
const OWN: Contestant = {
	name: 'Conversation Intelligence Appointments',
	node: ownNode('conversationIntelligenceAppointments', 'crmAppointmentApi', {
		resource: 'appointment',
		operation: 'upsert',
		columns: { mappingMode: 'autoMapInputData', value: null, matchingColumns: [], schema: [] },
	}),
};

/** n8n's HTTP Request node with typical settings: it sends all items at once. */
function httpNode(crmUrl: string, more: INodeParameters = {}): Contestant {
	const parameters = {
		method: 'POST',
		url: `${crmUrl}/custom/appointment`,
		authentication: 'genericCredentialType',
		genericAuthType: 'httpHeaderAuth',
		sendBody: true,
		specifyBody: 'json',
		jsonBody: '={{ JSON.stringify($json) }}',
		options: { response: { response: { responseFormat: 'text' } }, ...more },
	};
	return { name: 'HTTP Request', node: httpRequest(parameters, 'httpHeaderAuth') };
}

/** n8n's HTTP Request node with careful settings: batches one second apart, as many retries as possible. */
function carefulHttpNode(crmUrl: string, batchSize: number): Contestant {
	const { node } = httpNode(crmUrl, { batching: { batch: { batchSize, batchInterval: 1000 } } });
	return {
		name: `HTTP Request in batches of ${batchSize}`,
		node: { ...node, retryOnFail: true, maxTries: 5, waitBetweenTries: 5000 },
	};
}

/** All results of one node. */
interface Line {
	name: string;
	calm: Result[];
	faulty: Result[];
	/** Without faults, with as many items as `limited`. */
	calmFew: Result[];
	/** For each condition of {@link LIMITED}. */
	limited: Result[][];
	planned: Result[];
}

/** Compares this package's node with the HTTP Request node in a real n8n, with and without faults. */
export async function compareAppointments(quick: boolean): Promise<string> {
	const size = quick ? QUICK : FULL;
	const { items, faultyItems, plannedItems, calmRuns, seeds } = size;
	return await withTestbed({ conversations: 10, awaitingUpload: 0, errored: 0 }, async (testbed) => {
		const { keys, crmUrl } = testbed.sandbox;
		const key = { name: 'x-api-key', value: keys.organization };
		await testbed.n8n.client.saveCredential('httpHeaderAuth', key);
		const trials = async (contestant: Contestant, condition: Condition, count: number, runs: number) => {
			const results: Result[] = [];
			for (let seed = 1; seed <= runs; seed++)
				results.push(await measureTrial(testbed, contestant, condition, seed, count));
			return results;
		};
		const plain = httpNode(crmUrl);
		// 50 is the node's default batch size; a user who knows the plan sets the size that it allows.
		const careful = carefulHttpNode(crmUrl, 50);
		const carefulOfPlan = carefulHttpNode(crmUrl, USAGE_PLAN.ratePerSecond);

		// The first run of each node warms up n8n and does not count.
		for (const contestant of [OWN, plain]) await trials(contestant, { ...CALM, name: 'warm-up' }, items, 1);
		const lines: Line[] = [];
		for (const [contestant, runs, faultyRuns, forPlan] of [
			[OWN, calmRuns, seeds, OWN],
			[plain, calmRuns, seeds, plain],
			[careful, 1, 2, carefulOfPlan],
		] as const) {
			const limited: Result[][] = [];
			for (const condition of LIMITED) limited.push(await trials(contestant, condition, faultyItems, runs));
			lines.push({
				name: contestant.name,
				calm: await trials(contestant, CALM, items, runs),
				faulty: await trials(contestant, FAULTY, faultyItems, faultyRuns),
				calmFew: await trials(contestant, { ...CALM, name: 'no fault, few' }, faultyItems, runs),
				limited,
				planned: await trials(forPlan, PLANNED, plannedItems, 1),
			});
		}
		return section(size, lines);
	});
}

const timeOf = (results: Result[]) => median(results.map((result) => result.seconds));

/** The section of docs/reference/benchmarks.md. */
function section({ items, faultyItems, plannedItems, seeds }: typeof FULL, lines: Line[]): string {
	const [, plain] = lines;
	const { ratePerSecond, burst } = USAGE_PLAN;
	const failed = (results: Result[], of: number) =>
		percent(mean(results.map(({ failedItems }) => failedItems)) / of);
	/** Accepted requests ÷ requests that the plan allowed in the same time. */
	const planUse = (results: Result[]) =>
		percent(mean(results.map((result) => result.accepted / (burst + ratePerSecond * result.seconds))));
	return `## Conversation Intelligence Appointments: create or update

\`npm run bench -- appointments\`: upserts in one real n8n, against the local service with ${LATENCY_MS} ms a request. One row in ten
has the event ID of an earlier row, and the last row of each event ID must be the one stored. All nodes continue on
errors. Conversation Intelligence Appointments runs with its default of ${DEFAULT_CONCURRENCY} parallel requests. HTTP Request sends all items at once; with
careful settings, it sends one batch a second with Retry On Fail (5 tries, 5 s apart), which n8n applies to the whole node.

Without faults: ${items} items, medians of the node's execution time. With faults: ${faultyItems} items in seeded runs (${seeds} for the first
two nodes); one request in ${ONE_FAULT_IN} gets a 429, a 500, a connection reset, or a successful write whose response is lost.

${table(
	'Node | Time, no fault | ÷ HTTP Request | Items failed, faults | Appointments wrong | Correct runs',
	lines.map(({ name, calm, faulty }) => [
		name,
		seconds(timeOf(calm)),
		ratio(timeOf(calm) / timeOf(plain.calm)),
		failed(faulty, faultyItems),
		percent(mean(faulty.map(({ wrong }) => wrong)) / mean(faulty.map(({ appointments }) => appointments))),
		`${faulty.filter(({ wrong, failedItems }) => wrong + failedItems === 0).length} of ${faulty.length}`,
	]),
)}

One random 429 in ${ONE_429_IN}: the time ÷ the same node's time without faults, this time, and the items that failed
permanently; medians for the first two nodes. Usage plan: ${plannedItems} items at ${ratePerSecond} a second with a burst of ${burst}, and the share of the plan that was used.

${table(
	'Node | 429 without Retry-After | with 0 | sometimes with 1 s | Plan used | Items refused by the plan',
	lines.map(({ name, calmFew, limited, planned }) => [
		name,
		...limited.map((results) => {
			const took = timeOf(results);
			return `${ratio(took / timeOf(calmFew))} (${seconds(took)}), ${failed(results, faultyItems)} failed`;
		}),
		planUse(planned),
		failed(planned, plannedItems),
	]),
)}
`;
}
