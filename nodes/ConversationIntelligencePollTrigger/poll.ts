import type { INodeExecutionData, IPollFunctions, IRun } from 'n8n-workflow';
import { codedError, type CodedError } from '../shared/base/codedError';
import { logLine, nodeErrorOf } from '../shared/base/nodeError';
import { memoryOf, MAX_REMEMBERED, withMembers, conversationItem } from '../shared/triggers/conversations';
import { POLL_ERRORS, Ledger, WHEN_PUBLISHED, openLedger, saveLedger } from './ledger';
import { ExportClient, type ListQuery, type ServiceClock } from '../shared/exportApi/client';
import { isSameFilter } from '../shared/selection/filters';
import { forgetRun } from '../shared/http/requestRun';
import { Collector } from './collect';
import { readSettings } from './panel';

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

/** Up to this difference, the service's clock is followed if it is ahead. A larger one is shown. */
const MAX_DIFFERENCE_MS = 10 * 60_000;
/** How often a poll looks for conversations dated in the future, besides after the service's clock has gone back. */
const LOOK_AHEAD_MS = 60 * 60_000;
/** How far beyond now a poll reads, because the service's clock may be ahead; never further than it looks back. */
const AHEAD_MS = 2 * 60_000;
/** The rest of the time for a poll is reserved for the running request. */
const SHARE_OF_BUDGET = 0.5;
/** Even with more time, deliver soon what was found. */
const LONGEST_POLL_MS = 60_000;
/** Conversations to name in a line of the log. */
const MAX_NAMED = 5;

/** What this process remembers of a trigger. */
interface Trigger {
	ledger?: Ledger;
	/** The poll that is running: n8n starts the next one even if the last is still waiting. */
	running?: Run;
	/** The failure that goes on: what kind it is, when it began, and when a person saw it last. */
	failure?: { kind: string; since: number; shownAt: number };
	clock: ServiceClock;
	/** When a person saw last that both clocks differ. */
	clockShownAt: number;
	/** When a poll looked last for conversations dated in the future. */
	lookedAheadAt: number;
}

interface Run {
	/** When the poll started, in milliseconds since 1970. */
	at: number;
	/** How long it may take, in milliseconds. */
	budget: number;
	/** Whether n8n starts. */
	isStart: boolean;
}

/**
 * Reads what is new or due again, emits it, and moves the position on.
 * @returns items that n8n has to emit, because it does not report the end of what a node emits
 * @throws what is wrong with the service or the settings; the position stays as it is
 */
async function pollOnce(
	context: IPollFunctions,
	trigger: Trigger,
	run: Run,
): Promise<INodeExecutionData[] | undefined> {
	const { at, budget } = run;
	const { clock } = trigger;
	/** Whether a later poll has started, so that this one must not save anything. */
	const isOvertaken = () => trigger.running !== run;
	const settings = readSettings(context);
	const requestDeadline = performance.now() + budget;
	// A changed credential must reach the context of a published workflow.
	forgetRun(context);
	const client = new ExportClient(context, requestDeadline, clock);
	const filter = await withMembers(context, settings, requestDeadline);
	const opened = openLedger(context, trigger.ledger, filter);
	if (!opened && run.isStart) {
		logLine(context, 'warn', 'has no saved position and delivers what is processed from now on');
	}
	if (!opened || !isSameFilter(opened.filter, filter)) {
		// The cheapest request, for the service's time.
		const lastSecond = { from: at - 1000, to: at, page: 1, limit: 1 };
		const list: ListQuery = { arrays: ['conversations'], dateType: 'processedDate' };
		const asked = await client.page(list, lastSecond).catch((error: Error) => error);
		const failure = asked instanceof Error ? asked : undefined;
		if (isOvertaken()) return undefined;
		if (failure === undefined || run.isStart || isPassing(failure)) {
			const aheadMs = followed(clock);
			const since = at + aheadMs;
			const next = { since, filter, ...(aheadMs > 0 && { aheadMs }) };
			opened?.applyFilter(next);
			trigger.ledger = opened ?? new Ledger(WHEN_PUBLISHED, Math.min(at, since), [next]);
			saveLedger(context, trigger.ledger);
		}
		if (failure !== undefined) throw failure;
	}
	if (!opened || isOvertaken()) return undefined;
	// What only n8n can emit is left to the next poll, which is awaited.
	if (run.isStart && !isFollowing(context)) return undefined;

	const ledger = (trigger.ledger = opened);
	ledger.endOverdue(at, settings.timeLimitMs);
	const inFlight = ledger.inFlight(at);
	const room = settings.maxRows - inFlight;
	if (room <= 0) {
		const line = `delivers more once fewer than ${inFlight} conversations are in running executions`;
		logLine(context, 'info', line);
		return undefined;
	}
	const due = ledger.due(at, room);
	const deadline = at + Math.min(budget, LONGEST_POLL_MS) * SHARE_OF_BUDGET;
	const latest = Math.max(at, at + followed(clock), ledger.from);
	const range = { from: ledger.from, to: latest + Math.min(AHEAD_MS, settings.lookBackMs) };
	const looksAhead = () => {
		const hasGoneBack = clock.maxAheadMs > Math.max(0, clock.aheadMs) + AHEAD_MS;
		const isDue = hasGoneBack || at - trigger.lookedAheadAt >= LOOK_AHEAD_MS;
		return isDue && clock.aheadMs <= MAX_DIFFERENCE_MS && ledger.countAfter(range.to) < MAX_REMEMBERED;
	};
	const isLate = () => Date.now() >= deadline;
	const wanted = { ...settings, range, due, maxRows: room, isLate, looksAhead };
	const collector = new Collector(client, ledger, wanted);
	const found = await collector.collect();
	if (isOvertaken()) return undefined;
	const [earlier, later] = [at, at + clock.aheadMs].sort((a, b) => a - b);
	const isMoved = [ledger.followBack(clock.aheadMs), ledger.pullBack(later, earlier - settings.lookBackMs)];
	// What was read was chosen by what was wrong.
	if (isMoved.includes(true)) return await pollOnce(context, trigger, run);
	if (collector.hasLookedAhead) {
		trigger.lookedAheadAt = at;
		clock.maxAheadMs = clock.aheadMs;
	}

	for (const warning of collector.warnings) logLine(context, 'warn', warning);
	for (const [id, refusal] of collector.refused) {
		if (refusal === undefined) {
			ledger.forget(id);
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
	// What another main process does not know yet is forgotten only when n8n saves that.
	const remembered = delivered.length === 0 ? Infinity : settings.isNewOnly ? MAX_REMEMBERED : 0;
	ledger.advance(reached - settings.lookBackMs, remembered, earlier);
	saveLedger(context, ledger);
	const again = delivered.filter(({ delivery }) => delivery.attempts > 1).map(({ id }) => id);
	if (again.length > 0) {
		logLine(context, 'info', `delivers ${again.length} again: ${again.slice(0, MAX_NAMED).join(', ')}`);
	}
	const isOne = settings.startExecutionFor === 'poll' && delivered.length > 0;
	const unfollowed: INodeExecutionData[][] = [];
	for (const items of isOne ? [delivered] : delivered.map((item) => [item])) {
		const data = items.map(({ json }) => ({ json }));
		const end = emit(context, data);
		if (!end) unfollowed.push(data);
		const deliveries = items.map(({ delivery }) => delivery);
		const done = end ?? Promise.resolve({ status: 'success' } as IRun);
		void ledger.follow(deliveries, done, settings.retriesFailed);
	}
	if (unfollowed.length === 0) return undefined;
	logLine(context, 'warn', 'does not follow deliveries to their end, because this n8n does not report it');
	return unfollowed.flat();
}

/** How far ahead of this machine's clock the service's counts, in milliseconds: what is far ahead may be wrong. */
const followed = ({ aheadMs }: ServiceClock): number => (aheadMs > MAX_DIFFERENCE_MS ? 0 : aheadMs);

/** Whether n8n reports the end of what is emitted: its own triggers use it, but it is not documented for polls. */
function isFollowing({ __emit, helpers }: IPollFunctions): boolean {
	return (
		[__emit, helpers.createDeferredPromise].every((one) => typeof one === 'function') && __emit.length > 2
	);
}

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
