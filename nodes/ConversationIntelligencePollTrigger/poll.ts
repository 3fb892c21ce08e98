import type { IPollFunctions } from 'n8n-workflow';
import { codedError, logLine, nodeErrorOf, type CodedError } from '../shared/base/codedErrors';
import { memoryOf, publicationError } from '../shared/triggers/triggerConversations';
import { POLL_ERRORS } from './ledger';
import { isPassing, PollRun, type Progress, type Unfollowed } from './pollRun';

const MINUTE_MS = 60_000;
/** The time that n8n after 2.36 gives a poll that its scheduler does not run; older versions give no time. */
const DEFAULT_BUDGET_MS = 5 * MINUTE_MS;
const PUBLISHING_BUDGET_MS = 8_000;
/** How often a failure that goes on is shown: when publishing, n8n repeats the first poll four times within a minute. */
const SHOWN_AGAIN_MS = { start: 0, publishing: MINUTE_MS, scheduled: 60 * MINUTE_MS };
const MAX_DIFFERENCE_MS = 10 * MINUTE_MS;

/** Why n8n polls: it starts, a person publishes, or it is time. */
type Occasion = keyof typeof SHOWN_AGAIN_MS;

interface Memory extends Progress {
	failure?: { kind: string; since: number; shownAt: number };
	clockShownAt: number;
}

const pollMemory = memoryOf<Memory>(() => ({ unsaid: new Map(), clockShownAt: -Infinity }));

/** Contexts that have polled before: n8n keeps one as long as the workflow is published. */
const registered = new WeakSet<IPollFunctions>();

/**
 * Polls once, unless the last poll still runs. The first poll at a start of n8n is not awaited, because n8n drops a
 * trigger that fails or takes long there.
 * @throws what is wrong, when it begins and once an hour; when a person publishes, only what a person must fix
 */
export async function pollConversations(context: IPollFunctions): Promise<Unfollowed> {
	const memory = pollMemory(context);
	const at = Date.now();
	const n8nBudget = context.getPollBudgetMs?.() ?? DEFAULT_BUDGET_MS;
	const occasion = occasionOf(context, n8nBudget);
	const waitedMs = at - (memory.running?.at ?? -Infinity);
	// A poll that should have ended long ago must not hold up the others.
	if (waitedMs < n8nBudget + MINUTE_MS) {
		logLine(context, 'warn', `is waiting for the service for ${Math.round(waitedMs / 1000)} seconds`);
		return null;
	}
	const budgetMs = occasion === 'publishing' ? PUBLISHING_BUDGET_MS : n8nBudget;
	const poll = new PollRun(context, memory, at, budgetMs, occasion === 'start');
	memory.running = poll;
	const work = poll
		.run()
		.then((unfollowed) => {
			showRecovery(context, memory, at);
			showClocks(context, memory, poll);
			return unfollowed;
		})
		.finally(() => {
			if (memory.running === poll) memory.running = undefined;
		});
	if (occasion !== 'start')
		return await work.catch((error: Error) => showFailure(context, memory, occasion, at, error));
	void work.catch(({ message }: Error) =>
		logLine(context, 'error', `could not poll at the start of n8n and tries again: ${message}`),
	);
	return null;
}

/** n8n's scheduler uses a new context for each poll, and gives it less time. */
function occasionOf(context: IPollFunctions, n8nBudget: number): Occasion {
	const isFirst = !registered.has(context);
	registered.add(context);
	if (!isFirst) return 'scheduled';
	if (['init', 'leadershipChange'].includes(context.getActivationMode())) return 'start';
	return n8nBudget >= DEFAULT_BUDGET_MS ? 'publishing' : 'scheduled';
}

/** Shows a failure if it is due, and throws it if n8n is to stop. */
function showFailure(context: IPollFunctions, memory: Memory, occasion: Occasion, at: number, error: Error) {
	const isShown = isDue(memory, error, at, SHOWN_AGAIN_MS[occasion]);
	if (occasion === 'scheduled') {
		if (isShown) throw error;
		return null;
	}
	// n8n itself shows it only after four polls.
	const failure = isPassing(error) ? error : publicationError(context.getNode(), error);
	if (isShown) context.__emitError(nodeErrorOf(context.getNode(), failure));
	if (isPassing(error)) return null;
	throw failure;
}

/** Whether a failure begins, or goes on and was not shown for so long. */
function isDue(memory: Memory, error: Error, at: number, againMs: number): boolean {
	// An outage has many errors.
	const kind = isPassing(error) ? 'passing' : ((error as Partial<CodedError>).details?.code ?? error.message);
	const { failure } = memory;
	if (failure?.kind === kind && at - failure.shownAt < againMs) return false;
	memory.failure = { kind, since: failure?.since ?? at, shownAt: at };
	return true;
}

function showRecovery(context: IPollFunctions, memory: Memory, at: number): void {
	if (!memory.failure) return;
	const minutes = Math.round((at - memory.failure.since) / MINUTE_MS);
	logLine(context, 'info', `polls again after failing for ${minutes} minutes`);
	memory.failure = undefined;
}

/** Shows once an hour that both clocks differ, because one of them is wrong. */
function showClocks(context: IPollFunctions, memory: Memory, { at, clock: { aheadMs = 0 } }: PollRun): void {
	if (Math.abs(aheadMs) <= MAX_DIFFERENCE_MS || at - memory.clockShownAt < SHOWN_AGAIN_MS.scheduled) return;
	memory.clockShownAt = at;
	const difference = Math.round(Math.abs(aheadMs) / MINUTE_MS);
	const direction = aheadMs > 0 ? 'ahead of' : 'behind';
	const error = codedError(POLL_ERRORS, 'clocks_differ', { difference, direction });
	logLine(context, 'warn', `sees a wrong clock: ${error.message}`);
	context.__emitError(nodeErrorOf(context.getNode(), error));
}
