import type { INodeExecutionData, IPollFunctions, IRun } from 'n8n-workflow';
import { codedError, logLine, nodeErrorOf, type CodedError } from '../shared/base/codedErrors';
import { firstFew } from '../shared/base/text';
import { ExportClient, type ServiceClock } from '../shared/exportApi/client';
import { forgetRun } from '../shared/http/requestRun';
import { isSameFilter } from '../shared/selection/filters';
import {
	conversationItem,
	MAX_REMEMBERED_IDS,
	memoryOf,
	publicationError,
	withMembers,
} from '../shared/triggers/triggerConversations';
import { Collector } from './collect';
import { Ledger, openLedger, POLL_ERRORS, saveLedger, WHEN_PUBLISHED } from './ledger';
import { readSettings } from './pollParameters';

const MINUTE_MS = 60_000;
/** n8n 2.36 has no limit; later versions name this one for polls that their scheduler does not run. */
const DEFAULT_BUDGET_MS = 5 * MINUTE_MS;
/** A person who publishes waits for the first poll. */
const PUBLISHING_BUDGET_MS = 8_000;
/** The rest of the time for a poll is reserved for the running request. */
const SHARE_OF_BUDGET = 0.5;
/** Even with more time, deliver soon what was found. */
const LONGEST_POLL_MS = 60_000;
/** How often a failure that goes on is shown: n8n repeats the first poll of a publication four times within a minute. */
const SHOWN_AGAIN_MS = { start: 0, publishing: MINUTE_MS, scheduled: 60 * MINUTE_MS };
/** A larger difference of both clocks is shown. */
const MAX_DIFFERENCE_MS = 10 * MINUTE_MS;
/** How far beyond now each poll reads: a clock that is ahead dates conversations in the future. */
const AHEAD_MS = 2 * 24 * 60 * MINUTE_MS;

/** Why n8n polls: it starts, a person publishes, or it is time. */
type Occasion = keyof typeof SHOWN_AGAIN_MS;

interface Poll {
	at: number;
	budget: number;
	isStart: boolean;
	clock: ServiceClock;
}

/** Items that n8n has to emit, because it does not report the end of what a node emits. */
type Unfollowed = INodeExecutionData[][] | null;

/** What this process remembers of a trigger. */
interface Memory {
	ledger?: Ledger;
	/** The poll that is running: n8n starts the next one even if the last is still waiting. */
	running?: Poll;
	failure?: { kind: string; since: number; shownAt: number };
	/** When a person saw last that both clocks differ. */
	clockShownAt: number;
}

const pollMemory = memoryOf<Memory>(() => ({ clockShownAt: -Infinity }));

/** Contexts that have polled before: n8n keeps one as long as the workflow is published. */
const registered = new WeakSet<IPollFunctions>();

/**
 * One poll: delivers what was processed since the last one, and again what was not delivered completely. n8n's first
 * poll at its start is not awaited, because n8n drops a trigger that fails or takes long there.
 * @returns null: n8n reports the end of an execution only if the node emits the items itself; the items if it cannot
 * @throws what is wrong, when it begins and once an hour; when a person publishes, only what a person must mend
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
	const isStart = occasion === 'start';
	const budget = occasion === 'publishing' ? PUBLISHING_BUDGET_MS : n8nBudget;
	const poll: Poll = { at, budget, isStart, clock: {} };
	memory.running = poll;
	const work = pollOnce(context, memory, poll)
		.then((unfollowed) => {
			const { failure } = memory;
			const minutes = failure && Math.round((at - failure.since) / MINUTE_MS);
			if (failure) logLine(context, 'info', `polls again after failing for ${minutes} minutes`);
			memory.failure = undefined;
			showClocks(context, memory, poll);
			return unfollowed;
		})
		.finally(() => {
			if (memory.running === poll) memory.running = undefined;
		});
	if (isStart) {
		void work.catch(({ message }: Error) =>
			logLine(context, 'error', `could not poll at the start of n8n and tries again: ${message}`),
		);
		return null;
	}
	return await work.catch((error: Error) => {
		const isShown = isDue(memory, error, at, SHOWN_AGAIN_MS[occasion]);
		if (occasion === 'scheduled' && isShown) throw error;
		if (occasion === 'scheduled') return null;
		// n8n shows the failure of a publication only after its repeats; an execution shows it now.
		const failure = isPassing(error) ? error : publicationError(context.getNode(), error);
		if (isShown) context.__emitError(nodeErrorOf(context.getNode(), failure));
		if (isPassing(error)) return null;
		throw failure;
	});
}

/** Whether a failure passes without anybody's help, e.g. a service that is down. */
function isPassing(error: unknown): boolean {
	return (error as Partial<CodedError>).details?.retryable === true;
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
function isDue(memory: Memory, error: Error, at: number, againMs: number): boolean {
	// An outage shows in many ways.
	const kind = isPassing(error) ? 'passing' : ((error as Partial<CodedError>).details?.code ?? error.message);
	const { failure } = memory;
	if (failure?.kind === kind && at - failure.shownAt < againMs) return false;
	memory.failure = { kind, since: failure?.since ?? at, shownAt: at };
	return true;
}

/** Shows once an hour that both clocks differ, because one of them is wrong. */
function showClocks(context: IPollFunctions, memory: Memory, { at, clock }: Poll): void {
	const { aheadMs = 0 } = clock;
	if (Math.abs(aheadMs) <= MAX_DIFFERENCE_MS || at - memory.clockShownAt < SHOWN_AGAIN_MS.scheduled) return;
	memory.clockShownAt = at;
	const difference = Math.round(Math.abs(aheadMs) / MINUTE_MS);
	const direction = aheadMs > 0 ? 'ahead of' : 'behind';
	const error = codedError(POLL_ERRORS, 'clocks_differ', { difference, direction });
	logLine(context, 'warn', `sees a wrong clock: ${error.message}`);
	context.__emitError(nodeErrorOf(context.getNode(), error));
}

/** Reads what is new or due again, emits it, and moves the position on, which stays as it is after a failure. */
async function pollOnce(context: IPollFunctions, memory: Memory, poll: Poll): Promise<Unfollowed> {
	const { at, budget, isStart, clock } = poll;
	/** Whether a later poll has started, so that this one must not save anything. */
	const isOvertaken = () => memory.running !== poll;
	const settings = readSettings(context);
	const { startFrom, lookBackMs, maxRows, isNewOnly } = settings;
	const requestDeadline = performance.now() + budget;
	// A changed credential must reach the context of a published workflow.
	forgetRun(context);
	const client = new ExportClient(context, requestDeadline, clock);
	const filter = await withMembers(context, settings, requestDeadline);
	const opened = openLedger(context, memory.ledger, { filter, startFrom });
	if (!opened && isStart)
		logLine(context, 'warn', 'has no saved position and delivers what is processed from now on');
	if (!opened || !isSameFilter(opened.filter, filter)) {
		// The cheapest request, for the service's time.
		const lastSecond = { from: at - 1000, to: at, page: 1, limit: 1 };
		const asked = client.page({ arrays: ['conversations'], dateType: 'processedDate' }, lastSecond);
		const failure = await asked.then(() => undefined).catch((error: Error) => error);
		if (isOvertaken()) return null;
		if (failure === undefined || isStart || isPassing(failure)) {
			const [since] = bothClocks(poll);
			opened?.applyFilter({ since, filter });
			memory.ledger = opened ?? new Ledger(WHEN_PUBLISHED, since, [{ since, filter }]);
			saveLedger(context, memory.ledger);
		}
		if (failure !== undefined) throw failure;
	}
	// What only n8n can emit is left to the next poll, which is awaited.
	if (!opened || isOvertaken() || (isStart && !isFollowing(context))) return null;

	const ledger = (memory.ledger = opened);
	ledger.endOverdue(at, settings.timeLimitMs);
	const inFlight = ledger.inFlight(at);
	if (inFlight >= maxRows) {
		const line = `delivers more once fewer than ${inFlight} conversations are in running executions`;
		logLine(context, 'info', line);
		return null;
	}
	const due = ledger.due(at, maxRows - inFlight);
	const deadline = at + Math.min(budget, LONGEST_POLL_MS) * SHARE_OF_BUDGET;
	const range = { from: ledger.from, to: Math.max(at, ledger.from) + AHEAD_MS };
	const isLate = () => Date.now() >= deadline;
	const asked = { lookBackMs, isNewOnly, at, range, due, maxRows: maxRows - inFlight, isLate };
	const collector = new Collector(client, ledger, asked);
	const found = await collector.collect();
	if (isOvertaken()) return null;
	const [earlier, later] = bothClocks(poll);
	for (const warning of collector.warnings) logLine(context, 'warn', warning);
	for (const [id, refusal] of collector.refused) {
		if (refusal === undefined) {
			ledger.deliveries.delete(id);
			continue;
		}
		const isGone = refusal.details.code === 'conversation_not_found';
		const why = isGone ? 'the service returns 404' : refusal.message;
		const outcome = ledger.withdraw(id, at, isGone) ? 'gives it up' : 'tries again later';
		logLine(context, 'warn', `cannot deliver conversation ${id} again: ${why}; ${outcome}`);
	}
	const delivered = found.map(({ id, processed, conversation }) => {
		const delivery = ledger.deliver(id, processed, at, due.includes(id));
		const origin = { source: 'poll', deliveryAttempt: delivery.attempts } as const;
		return { id, delivery, json: conversationItem(conversation, settings.output, origin) };
	});
	// No further than either clock says, because it may be wrong.
	const reached = Math.min(collector.reached, earlier);
	// Without a response, only this machine's clock is known, which may be the wrong one.
	if (clock.aheadMs !== undefined) ledger.moveBack(later, earlier - lookBackMs);
	// What another main process does not know yet is forgotten only when n8n saves that.
	const remembered = delivered.length === 0 ? Infinity : isNewOnly ? MAX_REMEMBERED_IDS : 0;
	ledger.advance(reached - lookBackMs, remembered);
	saveLedger(context, ledger);
	const again = delivered.filter(({ delivery }) => delivery.attempts > 1).map(({ id }) => id);
	if (again.length > 0) logLine(context, 'info', `delivers ${again.length} again: ${firstFew(again)}`);
	const isOne = settings.startExecutionFor === 'poll' && delivered.length > 0;
	let unfollowed: INodeExecutionData[] = [];
	for (const items of isOne ? [delivered] : delivered.map((item) => [item])) {
		const data = items.map(({ json }) => ({ json }));
		const end = emit(context, data);
		if (!end) unfollowed = unfollowed.concat(data);
		const deliveries = items.map(({ delivery }) => delivery);
		const done = end ?? Promise.resolve({ status: 'success' } as IRun);
		void ledger.follow(deliveries, done, settings.retriesFailed);
	}
	if (unfollowed.length === 0) return null;
	logLine(context, 'warn', 'does not follow deliveries to their end, because this n8n does not report it');
	return [unfollowed];
}

/** The time of a poll by both clocks, the earlier one first. */
const bothClocks = ({ at, clock: { aheadMs = 0 } }: Poll): number[] =>
	[at, at + aheadMs].sort((a, b) => a - b);

/** Whether n8n reports the end of what is emitted: its own triggers use it, but it is not documented for polls. */
const isFollowing = ({ __emit, helpers }: IPollFunctions): boolean =>
	[__emit, helpers.createDeferredPromise].every((one) => typeof one === 'function') && __emit.length > 2;

/** Starts an execution. @returns its end; undefined if this n8n does not report it, or does not start it */
function emit(context: IPollFunctions, items: INodeExecutionData[]): Promise<IRun | undefined> | undefined {
	if (!isFollowing(context)) return undefined;
	try {
		const done = context.helpers.createDeferredPromise<IRun | undefined>();
		context.__emit([items], undefined, done);
		return done.promise;
	} catch {
		return undefined;
	}
}
