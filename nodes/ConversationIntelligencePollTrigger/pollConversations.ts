import type { IPollFunctions, IRun } from 'n8n-workflow';
import { forgetCredentials } from '../shared/transport';
import { conversationItem } from '../shared/conversation';
import { Deliveries } from './deliveries';
import { pollOnce } from './collect';
import { openPosition, readOptions } from './settings';
import { exportSource } from './source';

const MINUTE_MS = 60_000;
/** The rest of n8n's time for a poll is kept for the request that is under way. */
const SHARE_OF_BUDGET = 0.5;
/** An n8n before the scheduled pollers sets no limit. */
const DEFAULT_BUDGET_MS = 5 * MINUTE_MS;
/** However much time there is, what was found should be delivered before long. */
const LONGEST_POLL_MS = MINUTE_MS;

/** Polls under way. n8n starts one whenever its time has come, also while an earlier one still waits for the service. */
const underWay = new Map<string, number>();

/** What this process has delivered, by trigger. */
const deliveriesOf = new Map<string, Deliveries>();

/** Contexts that have polled before: n8n keeps one as long as the workflow is published. */
const registered = new WeakSet<IPollFunctions>();

/**
 * One poll: delivers what was processed since the last one, and what n8n lost before its execution ended.
 *
 * @returns null always: n8n reports the end of an execution only where the node emits the items itself
 * @throws what is wrong with the service or the settings; the position stays as it is
 */
export async function pollConversations(context: IPollFunctions): Promise<null> {
	const isStartUp = !registered.has(context) && /^(init|leadershipChange)$/.test(context.getActivationMode());
	registered.add(context);
	const key = `${context.getWorkflow().id}:${context.getNode().id}`;
	const at = Date.now();
	const budget = context.getPollBudgetMs?.() ?? DEFAULT_BUDGET_MS;
	// One that should have ended long ago must not hold up the others.
	if (at - (underWay.get(key) ?? -Infinity) < budget + MINUTE_MS) return null;
	underWay.set(key, at);
	const polling = poll(context, key, at, budget, isStartUp).finally(() => {
		if (underWay.get(key) === at) underWay.delete(key);
	});
	await polling.catch((error: Error) => {
		if (!isStartUp) return Promise.reject(error);
		// n8n gives a trigger up whose first poll fails, and at its start nobody is there to publish it again.
		const { id, name } = context.getNode();
		context.logger.error(`"${name}" could not poll at the start of n8n and tries again: ${error.message}`, {
			nodeId: id,
		});
	});
	return null;
}

async function poll(context: IPollFunctions, key: string, at: number, budget: number, isStartUp: boolean) {
	// A changed credential must reach the context of a published workflow.
	forgetCredentials(context);
	// Kept under the node's ID: neither another name nor n8n's durable cursors, which drop what the poll at publication
	// saves, lose it there.
	const saved = context.getWorkflowStaticData('global');
	const name = `conversationIntelligencePollTrigger:${context.getNode().id}`;
	const before = openPosition(context, saved[name], at);
	// At n8n's start it counts from now on, whatever comes of this poll.
	if (isStartUp) saved[name] = before;
	let deliveries = deliveriesOf.get(key);
	if (deliveries?.start !== before.start) deliveries = new Deliveries(before.start);
	deliveriesOf.set(key, deliveries);

	const deadline = at + Math.min(budget, LONGEST_POLL_MS) * SHARE_OF_BUDGET;
	const limits = { ...readOptions(context), isLate: () => Date.now() >= deadline };
	const source = exportSource(context, at + budget);
	const { found, delivered, position } = await pollOnce(source, before, deliveries, at, limits);
	saved[name] = position;
	deliveries.keepOnly(position.seen);
	if (found.length === 0) return;
	const items = found.map(({ conversation }) => ({ json: conversationItem(conversation, at, null) }));
	const done = context.helpers.createDeferredPromise<IRun | undefined>();
	context.__emit([items], undefined, done);
	void deliveries.follow(delivered, done.promise);
}
