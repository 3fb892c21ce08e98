import type { IPollFunctions } from 'n8n-workflow';
import { logLine } from '../shared/errors/log';
import { nodeErrorOf } from '../shared/errors/nodeError';
import { Deliveries } from './deliveries';
import { pollOnce, type Run, type Trigger } from './pollOnce';

const MINUTE_MS = 60_000;
/** n8n 2.31 has no limit; later versions name this one for polls that their scheduler does not run. */
const DEFAULT_BUDGET_MS = 5 * MINUTE_MS;
/** A person who publishes waits for the first poll. */
const PUBLISHING_BUDGET_MS = 8_000;
/** n8n repeats a failed first poll four times, within this time; a person has seen the failure by then. */
const REPEAT_MS = MINUTE_MS;
const REPEAT_BUDGET_MS = 1_000;
/** A service that has responded and then takes longer than a person waits is only slow: the next poll has more time. */
const SLACK = 0.9;

const triggers = new Map<string, Trigger>();

/** Contexts that have polled before: n8n keeps one as long as the workflow is published. */
const registered = new WeakSet<IPollFunctions>();

/**
 * One poll: delivers what was processed since the last one, and again what was not delivered completely. n8n's first
 * poll at its start is not awaited, because n8n drops a trigger that fails or takes long there.
 *
 * @returns always null: n8n reports the end of an execution only if the node emits the items itself
 * @throws what is wrong with the service or the settings; the position stays as it is
 */
export async function pollConversations(context: IPollFunctions): Promise<null> {
	const trigger = triggerOf(context);
	const at = Date.now();
	const n8nBudget = context.getPollBudgetMs?.() ?? DEFAULT_BUDGET_MS;
	const isFirst = !registered.has(context);
	registered.add(context);
	const isStart = isFirst && ['init', 'leadershipChange'].includes(context.getActivationMode());
	// n8n's scheduler uses a new context for each poll, and gives it less time.
	const isPublishing = isFirst && !isStart && n8nBudget >= DEFAULT_BUDGET_MS;
	const isRepeat = isPublishing && at - trigger.refusedAt < REPEAT_MS;
	const budget = isRepeat ? REPEAT_BUDGET_MS : isPublishing ? PUBLISHING_BUDGET_MS : n8nBudget;

	const { polling } = trigger;
	// A poll that should have ended long ago must not hold up the others.
	if (polling && at - polling.since < n8nBudget + MINUTE_MS) {
		const seconds = Math.round((at - polling.since) / 1000);
		logLine(context, 'warn', `is waiting for the service for ${seconds} seconds`);
		return null;
	}
	const own = (trigger.polling = { since: at });
	const isOvertaken = () => trigger.polling !== own;
	const run: Run = { at, budget, isStart, hasResponse: false, isOvertaken };
	const deadline = performance.now() + SLACK * budget;
	const work = pollOnce(context, trigger, run).finally(() => {
		if (!isOvertaken()) trigger.polling = undefined;
	});
	if (isStart) {
		void work.catch(({ message }: Error) =>
			logLine(context, 'error', `could not poll at the start of n8n and tries again: ${message}`),
		);
		return null;
	}
	await work.catch((error: Error) => {
		if (isPublishing && run.hasResponse && performance.now() >= deadline) {
			const seconds = Math.round(budget / 1000);
			logLine(context, 'warn', `could not finish its first poll within ${seconds} seconds and tries again`);
			return;
		}
		// n8n shows the failure only after its repeats; an execution shows it now.
		if (isPublishing && !isRepeat) context.__emitError(nodeErrorOf(context.getNode(), error));
		if (isPublishing) trigger.refusedAt = at;
		return Promise.reject(error);
	});
	return null;
}

function triggerOf(context: IPollFunctions): Trigger {
	const key = `${context.getWorkflow().id}:${context.getNode().id}`;
	const unknown = { deliveries: new Deliveries(''), refusedAt: -Infinity, serviceAheadMs: 0 };
	const trigger = triggers.get(key) ?? unknown;
	triggers.set(key, trigger);
	return trigger;
}
