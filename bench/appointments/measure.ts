import { progress } from '../../harness/n8n/fresh';
import { measure, setLatency, type Testbed } from '../testbed';
import { withRows } from '../workflows';
import type { Condition } from './conditions';
import type { Contestant } from './contestants';
import { intended, plan, wrongOnes } from './plan';

export interface Trial {
	contestant: Contestant;
	condition: Condition;
	seed: number;
	items: number;
	latencyMs: number;
}

export interface Result {
	/** The node's execution time. */
	seconds: number;
	requests: number;
	/** Requests with status 200. */
	accepted: number;
	/** Items that ended with an error. */
	failedItems: number;
	/** Appointments that should be stored at the end (fewer than items), and how many of them are missing or wrong. */
	appointments: number;
	wrong: number;
}

/** Runs a trial in n8n, which continues on errors, and compares the appointments in the sandbox with the plan. */
export async function measureTrial(testbed: Testbed, trial: Trial): Promise<Result> {
	const { contestant, condition, seed, items, latencyMs } = trial;
	const { control, faults, requests, usagePlans } = testbed.sandbox;
	const users = control.users().filter(({ isRemoved, isHidden }) => !isRemoved && !isHidden);
	const rows = plan({
		prefix: `${contestant.name}, ${condition.name}`,
		seed,
		items,
		users: users.map(({ email }) => email),
		outcomes: control.outcomes().slice(0, 4),
	});
	setLatency(testbed.sandbox, latencyMs);
	for (const fault of condition.faults(seed)) faults.add(fault);
	usagePlans.set(condition.usagePlan);
	const node = { ...contestant.node, onError: 'continueRegularOutput' as const };
	const measurement = await measure(testbed, withRows(contestant.name, rows, node));
	faults.clear();
	usagePlans.set(undefined);
	const { seconds, items: output } = await measurement.result();
	const result = {
		seconds,
		requests: measurement.requests,
		accepted: requests.list().filter(({ status }) => status === 200).length,
		failedItems: output.filter(({ json, error }) => error ?? json.error).length,
		appointments: intended(rows).size,
		wrong: wrongOnes(rows, control.appointments()),
	};
	progress(`${contestant.name}, seed ${seed}, ${condition.name}: ${JSON.stringify(result)}`);
	return result;
}
