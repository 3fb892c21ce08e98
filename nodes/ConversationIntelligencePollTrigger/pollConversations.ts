import type { INodeExecutionData, IPollFunctions } from 'n8n-workflow';
import { codedError, type CodedError } from '../shared/errors/codedError';
import { logLine, nodeErrorOf } from '../shared/errors/nodeError';
import { memoryOf } from '../shared/triggers/conversations';
import { isPassing, POLL_ERRORS } from './errors';
import { MAX_DIFFERENCE_MS, pollOnce, type Trigger } from './pollOnce';

const MINUTE_MS = 60_000;
/** n8n 2.36 has no limit; later versions name this one for polls that their scheduler does not run. */
const DEFAULT_BUDGET_MS = 5 * MINUTE_MS;
/** A person who publishes waits for the first poll. */
const PUBLISHING_BUDGET_MS = 8_000;
/** How often a failure that goes on is shown: n8n repeats the first poll of a publication four times within a minute. */
const SHOWN_AGAIN_MS = { start: 0, publishing: MINUTE_MS, scheduled: 60 * MINUTE_MS };

/** Why n8n polls: it starts, a person publishes, or it is time. */
type Occasion = keyof typeof SHOWN_AGAIN_MS;

const memory = memoryOf<Trigger>(() => ({
	clock: { aheadMs: 0, maxAheadMs: 0 },
	clockShownAt: -Infinity,
	lookedAheadAt: -Infinity,
}));

/** Contexts that have polled before: n8n keeps one as long as the workflow is published. */
const registered = new WeakSet<IPollFunctions>();

/**
 * One poll: delivers what was processed since the last one, and again what was not delivered completely. n8n's first
 * poll at its start is not awaited, because n8n drops a trigger that fails or takes long there.
 * @returns null: n8n reports the end of an execution only if the node emits the items itself; the items if it cannot
 * @throws what is wrong, when it begins and once an hour; when a person publishes, only what a person must mend
 */
export async function pollConversations(context: IPollFunctions): Promise<INodeExecutionData[][] | null> {
	const trigger = memory(context);
	const at = Date.now();
	const n8nBudget = context.getPollBudgetMs?.() ?? DEFAULT_BUDGET_MS;
	const occasion = occasionOf(context, n8nBudget);
	const { running } = trigger;
	// A poll that should have ended long ago must not hold up the others.
	if (running && at - running.at < n8nBudget + MINUTE_MS) {
		const seconds = Math.round((at - running.at) / 1000);
		logLine(context, 'warn', `is waiting for the service for ${seconds} seconds`);
		return null;
	}
	const budget = occasion === 'publishing' ? PUBLISHING_BUDGET_MS : n8nBudget;
	const run = (trigger.running = { at, budget, isStart: occasion === 'start' });
	const work = pollOnce(context, trigger, run)
		.then((unfollowed) => {
			endFailure(context, trigger, at);
			showClocks(context, trigger, at);
			return unfollowed;
		})
		.finally(() => {
			if (trigger.running === run) trigger.running = undefined;
		});
	if (occasion === 'start') {
		void work.catch(({ message }: Error) =>
			logLine(context, 'error', `could not poll at the start of n8n and tries again: ${message}`),
		);
		return null;
	}
	const unfollowed = await work.catch(async (error: Error) => {
		const isShown = isDue(trigger, error, at, SHOWN_AGAIN_MS[occasion]);
		if (occasion === 'scheduled') return await (isShown ? Promise.reject(error) : undefined);
		// n8n shows the failure of a publication only after its repeats; an execution shows it now.
		if (isShown) context.__emitError(nodeErrorOf(context.getNode(), error));
		return await (isPassing(error) ? undefined : Promise.reject(error));
	});
	return unfollowed ? [unfollowed] : null;
}

/** n8n's scheduler uses a new context for each poll, and gives it less time. */
function occasionOf(context: IPollFunctions, n8nBudget: number): Occasion {
	const isFirst = !registered.has(context);
	registered.add(context);
	if (!isFirst) return 'scheduled';
	if (['init', 'leadershipChange'].includes(context.getActivationMode())) return 'start';
	return n8nBudget >= DEFAULT_BUDGET_MS ? 'publishing' : 'scheduled';
}

/** Whether to show a failure: one that begins, or that goes on and was not shown for so long. */
function isDue(trigger: Trigger, error: Error, at: number, againMs: number): boolean {
	// An outage shows in many ways.
	const kind = isPassing(error) ? 'passing' : ((error as Partial<CodedError>).details?.code ?? error.message);
	const { failure } = trigger;
	if (failure?.kind === kind && at - failure.shownAt < againMs) return false;
	trigger.failure = { kind, since: failure?.since ?? at, shownAt: at };
	return true;
}

/** Shows once an hour that both clocks differ, because one of them is wrong. */
function showClocks(context: IPollFunctions, trigger: Trigger, at: number): void {
	const { aheadMs } = trigger.clock;
	if (Math.abs(aheadMs) <= MAX_DIFFERENCE_MS || at - trigger.clockShownAt < SHOWN_AGAIN_MS.scheduled) return;
	trigger.clockShownAt = at;
	const difference = Math.round(Math.abs(aheadMs) / MINUTE_MS);
	const direction = aheadMs > 0 ? 'ahead of' : 'behind';
	const error = codedError(POLL_ERRORS, 'clocks_differ', { difference, direction });
	logLine(context, 'warn', `waits until both clocks agree: ${error.message}`);
	context.__emitError(nodeErrorOf(context.getNode(), error));
}

function endFailure(context: IPollFunctions, trigger: Trigger, at: number): void {
	if (!trigger.failure) return;
	const minutes = Math.round((at - trigger.failure.since) / MINUTE_MS);
	logLine(context, 'info', `polls again after failing for ${minutes} minutes`);
	trigger.failure = undefined;
}
