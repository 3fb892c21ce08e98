import type { IDataObject, IPollFunctions, IRun } from 'n8n-workflow';
import { conversationItem } from '../shared/exportApi/conversation';
import { refusedValue } from '../shared/node/parameters';
import { pollOnce } from './collect';
import { Deliveries } from './deliveries';
import { openPosition } from './position';
import { exportSource } from './source';

const MINUTE_MS = 60_000;
/** The rest of n8n's time for a poll is reserved for the running request. */
const SHARE_OF_BUDGET = 0.5;
/** For an n8n version without a limit, older than its scheduler. */
const DEFAULT_BUDGET_MS = 5 * MINUTE_MS;
/** Even with more time, deliver soon what was found. */
const LONGEST_POLL_MS = MINUTE_MS;

/** Start times of running polls: n8n starts the next one even if the last is still waiting. */
const inFlight = new Map<string, number>();

/** What this process has delivered, by trigger. */
const deliveriesOf = new Map<string, Deliveries>();

/** Contexts that have polled before: n8n keeps one as long as the workflow is published. */
const registered = new WeakSet<IPollFunctions>();

/**
 * One poll: delivers what was processed since the last one, and what n8n lost before its execution ended.
 *
 * @returns always null: n8n reports the end of an execution only if the node emits the items itself
 * @throws what is wrong with the service or the settings; the position stays as it is
 */
export async function pollConversations(context: IPollFunctions): Promise<null> {
	const isStartUp =
		!registered.has(context) && ['init', 'leadershipChange'].includes(context.getActivationMode());
	registered.add(context);
	const key = `${context.getWorkflow().id}:${context.getNode().id}`;
	const at = Date.now();
	const budget = context.getPollBudgetMs?.() ?? DEFAULT_BUDGET_MS;
	// A poll that should have ended long ago must not hold up the others.
	if (at - (inFlight.get(key) ?? -Infinity) < budget + MINUTE_MS) return null;
	inFlight.set(key, at);
	const polling = poll(context, key, at, budget, isStartUp).finally(() => {
		if (inFlight.get(key) === at) inFlight.delete(key);
	});
	await polling.catch((error: Error) => {
		if (!isStartUp) return Promise.reject(error);
		// n8n drops a trigger whose first poll fails, and while n8n starts nobody publishes it again.
		const { id, name } = context.getNode();
		context.logger.error(`"${name}" could not poll at the start of n8n and tries again: ${error.message}`, {
			nodeId: id,
		});
	});
	return null;
}

async function poll(context: IPollFunctions, key: string, at: number, budget: number, isStartUp: boolean) {
	// Under the node's ID, so that renaming keeps it; not in n8n's durable cursors, because they drop what the first
	// poll saves when a workflow is published.
	const saved = context.getWorkflowStaticData('global');
	const name = `conversationIntelligencePollTrigger:${context.getNode().id}`;
	const before = openPosition(context, saved[name], at);
	// When Published means this moment, even if this first poll fails.
	if (isStartUp) saved[name] = before;
	let deliveries = deliveriesOf.get(key);
	if (deliveries?.start !== before.start) deliveries = new Deliveries(before.start);
	deliveriesOf.set(key, deliveries);

	const deadline = at + Math.min(budget, LONGEST_POLL_MS) * SHARE_OF_BUDGET;
	const limits = { ...readOptions(context), isLate: () => Date.now() >= deadline };
	const source = exportSource(context, at + budget);
	const { found, delivered, position } = await pollOnce(source, before, deliveries, at, limits);
	saved[name] = position;
	if (found.length === 0) return;
	// Set only now, because n8n saves the position with the items; until then, publishing restores the previous one.
	deliveries.keepOnly(position.seen);
	const items = found.map(({ conversation }) => ({ json: conversationItem(conversation, at, null) }));
	const done = context.helpers.createDeferredPromise<IRun | undefined>();
	context.__emit([items], undefined, done);
	void deliveries.follow(delivered, done.promise);
}

/** @throws UserError for an option that is not a positive number */
function readOptions(context: IPollFunctions) {
	const options = context.getNodeParameter('options', {}) as IDataObject;
	return {
		overlapMs: Math.round(positive(options.overlapMinutes ?? 10, 'Overlap') * MINUTE_MS),
		maxRows: Math.ceil(positive(options.maxConversations ?? 500, 'Max Conversations per Poll')),
	};
}

function positive(value: unknown, label: string): number {
	if (typeof value === 'number' && value > 0) return value;
	throw refusedValue({ label, value, advice: 'Use a number above 0.' });
}
