import { isDeepStrictEqual } from 'node:util';
import type { INode, INodeParameters } from 'n8n-workflow';
import { progress } from '../harness/n8n/fresh';
import type { Testbed } from '../harness/testbed';
import type { FaultRequest, Sandbox } from '../sandbox';
import { Random } from '../sandbox/data/random';
import { mean, median } from '../sandbox/statistics';
import { percent, ratio, seconds, table } from './figures';
import { measure, setLatency, withTestbed } from './measure';
import { httpRequest, ownNode, withRows } from './workflows';

const FULL = { items: 2000, faultyItems: 600, plannedItems: 300, calmRuns: 3, seeds: 20 };
const QUICK = { items: 500, faultyItems: 300, plannedItems: 100, calmRuns: 1, seeds: 2 };
const LATENCY_MS = 50;
/** One row in ten has the event ID of an earlier row. */
const SHARED = 10;
const USAGE_PLAN = { ratePerSecond: 10, burst: 20 };

/** A node that sends one appointment per item. */
type Contestant = [name: string, node: INode];

/** One request in so many gets one of these faults, all equally likely. */
interface Condition {
	name: string;
	oneIn: number;
	faults: FaultRequest[];
}

const CALM: Condition = { name: 'no fault', oneIn: 1, faults: [] };
const KINDS = ['tooManyRequests', 'serverError', 'connectionReset', 'lostResponse'] as const;
const FAULTY: Condition = { name: 'faults', oneIn: 50, faults: KINDS.map((kind) => ({ kind })) };
/** 429 without `Retry-After`, with 0, or (every fourth) with 1 second. */
const LIMITED = [[undefined], [0], [undefined, undefined, undefined, 1]].map((after): Condition => {
	const kind = 'tooManyRequests';
	const faults = after.map((retryAfterSeconds) => ({ kind, retryAfterSeconds }) as const);
	return { name: `429, Retry-After ${after.at(-1) ?? 'none'}`, oneIn: 20, faults };
});
const PLANNED: Condition = { name: 'usage plan', oneIn: 1, faults: [{ kind: 'usagePlan', ...USAGE_PLAN }] };

/** This package's node with its default options and automatic mapping. */
const OWN: Contestant = [
	'Conversation Intelligence Appointments',
	ownNode('conversationIntelligenceAppointments', 'crmAppointmentApi', {
		...{ resource: 'appointment', operation: 'upsert' },
		columns: { mappingMode: 'autoMapInputData', value: null, matchingColumns: [], schema: [] },
	}),
];

/** n8n's HTTP Request node with typical settings: it sends all items at once. */
function httpNode(crmUrl: string, more: INodeParameters = {}): Contestant {
	const parameters = {
		...{ method: 'POST', url: `${crmUrl}/custom/appointment` },
		...{ authentication: 'genericCredentialType', genericAuthType: 'httpHeaderAuth' },
		...{ sendBody: true, specifyBody: 'json', jsonBody: '={{ JSON.stringify($json) }}' },
		options: { response: { response: { responseFormat: 'text' } }, ...more },
	};
	return ['HTTP Request', httpRequest(parameters, 'httpHeaderAuth')];
}

/** n8n's HTTP Request node with careful settings: batches one second apart, as many retries as possible. */
function carefulHttpNode(crmUrl: string, batchSize: number): Contestant {
	const [name, node] = httpNode(crmUrl, { batching: { batch: { batchSize, batchInterval: 1000 } } });
	const retries = { retryOnFail: true, maxTries: 5, waitBetweenTries: 5000 };
	return [`${name} in batches of ${batchSize}`, { ...node, ...retries }];
}

/** Rows in the format of the API, so that both nodes can send them unchanged, all different, with event IDs of the run. */
function plan({ control }: Sandbox, prefix: string, seed: number, items: number) {
	const users = control.users().filter(({ isRemoved, isHidden }) => !isRemoved && !isHidden);
	const random = new Random(seed);
	const ids: string[] = [];
	const stamp = (millis: number) => new Date(millis).toISOString().slice(0, 19).replace('T', ' ');
	return Array.from({ length: items }, (_, index) => {
		const isShared = index > 0 && random.chance(1 / SHARED);
		ids.push(isShared ? random.pick(ids) : `${prefix} ${seed}/${index}`);
		const start = Date.UTC(2026, 0, 1) + index * 900_000;
		return {
			event_id: ids[index],
			user_email: random.pick(users).email,
			...{ start_time: stamp(start), end_time: stamp(start + 3_600_000), title: `Appointment ${index}` },
			customer: { id: `c-${index}`, name: `Customer ${index}` },
			...{ result: random.pick(control.outcomes().slice(0, 4)), price: index + 0.5 },
		};
	});
}

type Result = Awaited<ReturnType<typeof measureTrial>>;

/** Sends appointments with a node, which continues on errors, and compares those in the sandbox with what was sent. */
async function measureTrial(
	testbed: Testbed,
	[name, node]: Contestant,
	condition: Condition,
	seed: number,
	items: number,
) {
	const { control, faults, requests } = testbed.sandbox;
	const rows = plan(testbed.sandbox, `${name}, ${condition.name}`, seed, items);
	setLatency(testbed.sandbox, LATENCY_MS);
	const { length } = condition.faults;
	for (const [index, fault] of condition.faults.entries()) {
		const drawn = { probability: 1 / condition.oneIn / length, seed: seed * length + index };
		faults.add({ ...fault, path: '/crm', ...drawn });
	}
	const workflow = withRows(name, rows, { ...node, onError: 'continueRegularOutput' });
	const measured = await measure(testbed, workflow);
	faults.clear();
	const stored = new Map(control.appointments().map((each) => [each.event_id, each]));
	// The last row of each event ID.
	const intended = [...new Map(rows.map((row) => [row.event_id, row])).values()];
	const wrong = intended.filter(({ user_email: email, ...row }) => {
		const found: Record<string, unknown> = { ...stored.get(row.event_id) };
		const isRight = Object.entries(row).every(([field, value]) => isDeepStrictEqual(found[field], value));
		return !isRight || String(found.attendees) !== email;
	});
	const result = {
		seconds: measured.seconds,
		accepted: requests.list().filter(({ status }) => status === 200).length,
		failed: measured.items.filter(({ json, error }) => error ?? json.error).length / items,
		appointments: intended.length,
		/** Missing, outdated or otherwise wrong ones. */
		wrong: wrong.length,
	};
	progress(`${name}, seed ${seed}, ${condition.name}: ${JSON.stringify(result)}`);
	return result;
}

const timeOf = (results: Result[]) => median(results.map((result) => result.seconds));
const failed = (results: Result[]) => percent(mean(results.map((result) => result.failed)));
/** Accepted requests ÷ requests that the plan allowed in the same time. */
const planUse = ({ accepted, seconds: time }: Result) =>
	percent(accepted / (USAGE_PLAN.burst + USAGE_PLAN.ratePerSecond * time));

/** Compares this package's node with the HTTP Request node in a real n8n, with and without faults. */
export async function compareAppointments(quick: boolean): Promise<string[]> {
	const { items, faultyItems, plannedItems, calmRuns, seeds } = quick ? QUICK : FULL;
	return await withTestbed({ conversations: 10, awaitingUpload: 0, errored: 0 }, async (testbed) => {
		const { keys, crmUrl } = testbed.sandbox;
		const credential = { name: 'x-api-key', value: keys.organization };
		await testbed.n8n.client.saveCredential('httpHeaderAuth', credential);
		const trials = async (contestant: Contestant, condition: Condition, rows: number, runs: number) => {
			const results: Result[] = [];
			for (let seed = 1; seed <= runs; seed++)
				results.push(await measureTrial(testbed, contestant, condition, seed, rows));
			return results;
		};
		const plain = httpNode(crmUrl);
		// The first run of each node warms up n8n and does not count.
		for (const contestant of [OWN, plain]) await trials(contestant, { ...CALM, name: 'warm-up' }, items, 1);
		const [calmLines, limitedLines]: string[][][] = [[], []];
		const calmTimes: number[] = [];
		for (const [contestant, runs, faultyRuns, forPlan] of [
			[OWN, calmRuns, seeds, OWN],
			[plain, calmRuns, seeds, plain],
			// 50 is the node's default batch size; a user who knows the plan sets the size that it allows.
			[carefulHttpNode(crmUrl, 50), 1, 2, carefulHttpNode(crmUrl, USAGE_PLAN.ratePerSecond)],
		] as const) {
			const [name] = contestant;
			const limited: Result[][] = [];
			for (const condition of LIMITED) limited.push(await trials(contestant, condition, faultyItems, runs));
			calmTimes.push(timeOf(await trials(contestant, CALM, items, runs)));
			const faulty = await trials(contestant, FAULTY, faultyItems, faultyRuns);
			const few = { ...CALM, name: 'no fault, few' };
			const calmFew = timeOf(await trials(contestant, few, faultyItems, runs));
			const [planned] = await trials(forPlan, PLANNED, plannedItems, 1);
			const wrong = mean(faulty.map((each) => each.wrong)) / mean(faulty.map((each) => each.appointments));
			const correct = faulty.filter((each) => each.wrong + each.failed === 0).length;
			calmLines.push([name, failed(faulty), percent(wrong), `${correct} of ${faulty.length}`]);
			const slower = limited.map(
				(each) => `${ratio(timeOf(each) / calmFew)} (${seconds(timeOf(each))}), ${failed(each)} failed`,
			);
			limitedLines.push([name, ...slower, planUse(planned), failed([planned])]);
		}
		const times = calmTimes.map((time) => [seconds(time), ratio(time / calmTimes[1])]);
		const calm = calmLines.map(([name, ...more], at) => [name, ...times[at], ...more]);
		const faults = 'Items failed, faults | Appointments wrong | Correct runs';
		const refused = '429 without Retry-After | with 0 | sometimes with 1 s';
		return [
			table(`Node | Time, no fault | ÷ HTTP Request | ${faults}`, calm),
			table(`Node | ${refused} | Plan used | Items refused by the plan`, limitedLines),
		];
	});
}
