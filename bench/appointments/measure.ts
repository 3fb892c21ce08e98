import { isDeepStrictEqual } from 'node:util';
import { progress } from '../../harness/n8n/fresh';
import type { Testbed } from '../../harness/testbed';
import type { FaultRequest, Sandbox } from '../../sandbox';
import { Random } from '../../sandbox/data/random';
import { measure, setLatency } from '../testbed';
import { type Step, withRows } from '../workflows';

/** A node that sends one appointment per item. */
export interface Contestant {
	name: string;
	node: Step;
}

/** The faults of a run. */
export interface Condition {
	name: string;
	/** Derived from the run's seed. */
	faults: (seed: number) => FaultRequest[];
}

/** One row in ten has the event ID of an earlier row. */
const SHARED = 10;
export const LATENCY_MS = 50;

/**
 * Generates rows in the format of the API from the seed, so that both nodes can send them unchanged. All rows differ,
 * so that the final state shows which row was stored last.
 *
 * @param prefix of the event IDs, so that runs do not share appointments
 */
function plan({ control }: Sandbox, prefix: string, seed: number, items: number) {
	const users = control.users().filter(({ isRemoved, isHidden }) => !isRemoved && !isHidden);
	const outcomes = control.outcomes().slice(0, 4);
	const random = new Random(seed);
	const ids: string[] = [];
	return Array.from({ length: items }, (_, index) => {
		const isShared = index > 0 && random.chance(1 / SHARED);
		ids.push(isShared ? random.pick(ids) : `${prefix} ${seed}/${index}`);
		const start = Date.UTC(2026, 0, 1) + index * 900_000;
		return {
			event_id: ids[index],
			user_email: random.pick(users).email,
			start_time: stamp(start),
			end_time: stamp(start + 3_600_000),
			title: `Appointment ${index}`,
			customer: { id: `c-${index}`, name: `Customer ${index}` },
			result: random.pick(outcomes),
			price: index + 0.5,
		};
	});
}

const stamp = (millis: number) => new Date(millis).toISOString().slice(0, 19).replace('T', ' ');

export type Result = Awaited<ReturnType<typeof measureTrial>>;

/**
 * Sends appointments with a node, which continues on errors, and compares those in the sandbox with what was sent.
 *
 * @returns the node's execution time, requests with status 200, items that ended with an error, the appointments that
 * should be stored at the end (fewer than items), and how many of them are missing, outdated or otherwise wrong
 */
export async function measureTrial(
	testbed: Testbed,
	{ name, node }: Contestant,
	condition: Condition,
	seed: number,
	count: number,
) {
	const { control, faults, requests } = testbed.sandbox;
	const rows = plan(testbed.sandbox, `${name}, ${condition.name}`, seed, count);
	setLatency(testbed.sandbox, LATENCY_MS);
	for (const fault of condition.faults(seed)) faults.add(fault);
	const workflow = withRows(name, rows, { ...node, onError: 'continueRegularOutput' });
	const { seconds, items } = await measure(testbed, workflow);
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
		seconds,
		accepted: requests.list().filter(({ status }) => status === 200).length,
		failedItems: items.filter(({ json, error }) => error ?? json.error).length,
		appointments: intended.length,
		wrong: wrong.length,
	};
	progress(`${name}, seed ${seed}, ${condition.name}: ${JSON.stringify(result)}`);
	return result;
}
