import type { IPollFunctions, IRun } from 'n8n-workflow';
import { logLine } from '../shared/errors/log';
import { ExportClient } from '../shared/exportApi/client';
import { forgetRun } from '../shared/http';
import { MAX_REMEMBERED, withMembers } from '../shared/triggers/filters';
import { conversationItem } from '../shared/triggers/output';
import { Collector, type Found } from './collect';
import { isPassing } from './errors';
import { Ledger, type Delivery } from './ledger';
import { LedgerStore, WHEN_PUBLISHED } from './ledgerStore';
import { readSettings, type Settings } from './properties';

/** How far beyond now a poll reads, because the service's clock may be ahead; never further than it looks back. */
const AHEAD_MS = 2 * 60_000;
/** The rest of the time for a poll is reserved for the running request. */
const SHARE_OF_BUDGET = 0.5;
/** Even with more time, deliver soon what was found. */
const LONGEST_POLL_MS = 60_000;
/** Conversations to name in a line of the log. */
const MAX_NAMED = 5;

/** What this process remembers of a trigger. */
export interface Trigger {
	ledger?: Ledger;
	/** When the poll that is running started: n8n starts the next one even if the last is still waiting. */
	polling?: { since: number };
	/** The failure that goes on: what kind it is, when it began, and when a person saw it last. */
	failure?: { kind: string; since: number; shownAt: number };
	/** How far the service's clock was ahead of this machine's when it last responded, in milliseconds. */
	serviceAheadMs: number;
}

export interface Run {
	/** When the poll started, in milliseconds since 1970. */
	at: number;
	/** How long it may take, in milliseconds. */
	budget: number;
	/** Whether n8n starts. */
	isStart: boolean;
	/** Whether a later poll has started, so that this one must not save anything. */
	isOvertaken: () => boolean;
}

/**
 * Reads what is new or due again, emits it, and moves the position on.
 *
 * @throws what is wrong with the service or the settings; the position stays as it is
 */
export async function pollOnce(context: IPollFunctions, trigger: Trigger, run: Run): Promise<void> {
	const { at, budget, isOvertaken } = run;
	const settings = readSettings(context);
	const store = new LedgerStore(context);
	const opened = store.open(trigger.ledger);
	const requestDeadline = performance.now() + budget;
	// A changed credential must reach the context of a published workflow.
	forgetRun(context);
	const client = new ExportClient(context, requestDeadline);
	const page: ExportClient['page'] = async (list, query) => {
		const response = await client.page(list, query);
		trigger.serviceAheadMs = Math.max(0, (response.date ?? 0) - Date.now());
		return response;
	};
	const filter = await withMembers(context, settings, requestDeadline);
	if (opened && !opened.hasFilter()) opened.applyFilter(filter, opened.from);
	const ledger = opened ?? new Ledger(WHEN_PUBLISHED, at);
	if (!opened && run.isStart) {
		logLine(context, 'warn', 'has no saved position and delivers what is processed from now on');
	}
	if (!ledger.hasFilter(filter)) {
		const begin = (time: number) => {
			if (isOvertaken()) return;
			if (!opened) ledger.from = time;
			ledger.applyFilter(filter, time);
			trigger.ledger = ledger;
			store.save(ledger);
		};
		const time = await serviceTime(page, at).catch((error: unknown) => {
			if (run.isStart || isPassing(error)) begin(at);
			throw error;
		});
		begin(time);
	}
	if (!opened || isOvertaken()) return;

	trigger.ledger = ledger;
	ledger.endOverdue(at, settings.timeLimitMs, settings.deliveredWhen);
	const inFlight = ledger.inFlight(at);
	const room = settings.maxRows - inFlight;
	if (room <= 0) {
		const line = `delivers more once fewer than ${inFlight} conversations are in running executions`;
		return logLine(context, 'info', line);
	}
	const due = ledger.due(at, room);
	const deadline = at + Math.min(budget, LONGEST_POLL_MS) * SHARE_OF_BUDGET;
	const warn = (line: string) => logLine(context, 'warn', line);
	const limits = { ...settings, maxRows: room, isLate: () => Date.now() >= deadline, warn };
	const to = Math.max(at + trigger.serviceAheadMs, ledger.from) + Math.min(AHEAD_MS, settings.overlapMs);
	const reader = { page, findConversation: async (id: string) => await client.findConversation(id) };
	const collector = new Collector(reader, { from: ledger.from, to }, ledger, due, limits);
	const found = await collector.collect();
	if (isOvertaken()) return;

	for (const id of collector.unwanted) ledger.forget(id);
	for (const [id, refusal] of collector.refused) {
		const isGivenUp = ledger.withdraw(id, at, refusal === undefined);
		const why = refusal ?? 'the service returns 404';
		const outcome = isGivenUp ? 'gives it up' : 'tries again later';
		logLine(context, 'warn', `cannot deliver conversation ${id} again: ${why}; ${outcome}`);
	}
	const delivered = new Map(
		found.map(({ id, processed }) => [id, ledger.deliver(id, processed, at, due.includes(id))]),
	);
	ledger.advance(collector.reached - settings.overlapMs, settings.isNewOnly ? MAX_REMEMBERED : 0);
	store.save(ledger);
	const { behind } = collector;
	if (behind > 0) logLine(context, 'info', `is behind by ${behind} conversation${behind === 1 ? '' : 's'}`);
	logAttempts(context, delivered);
	if (found.length > 0) emit(context, found, { delivered, ledger, settings });
}

/** How exact a `Date` header is. */
const SECOND_MS = 1000;

/**
 * The service's time, so that a wrong clock of this machine does not move the start.
 *
 * @param now of this machine, in milliseconds since 1970; used where it agrees with the service, because it is more exact
 * @throws what the request throws
 */
async function serviceTime(page: ExportClient['page'], now: number): Promise<number> {
	const lastSecond = { from: now - SECOND_MS, to: now, page: 1, limit: 1 };
	const { at, date = at } = await page({ arrays: ['conversations'], dateType: 'processedDate' }, lastSecond);
	return Math.min(Math.max(now, date), date + SECOND_MS);
}

/** Starts one execution with all conversations, or one for each, and follows them. */
function emit(
	context: IPollFunctions,
	found: Found[],
	parts: { delivered: Map<string, Delivery>; ledger: Ledger; settings: Settings },
): void {
	const { delivered, ledger, settings } = parts;
	const executions = settings.executionFor === 'poll' ? [found] : found.map((one) => [one]);
	for (const conversations of executions) {
		const deliveries = conversations.map(({ id }) => delivered.get(id)!);
		const items = conversations.map(({ conversation }, n) => {
			const origin = { source: 'poll', deliveryAttempt: deliveries[n].attempts } as const;
			return { json: conversationItem(conversation, settings.output, origin) };
		});
		const done = context.helpers.createDeferredPromise<IRun | undefined>();
		context.__emit([items], undefined, done);
		void ledger.follow(deliveries, done.promise, settings.deliveredWhen);
	}
}

function logAttempts(context: IPollFunctions, delivered: Map<string, Delivery>): void {
	const again = new Map<number, string[]>();
	for (const [id, { attempts }] of delivered) {
		if (attempts > 1) again.set(attempts, [...(again.get(attempts) ?? []), id]);
	}
	for (const [attempt, ids] of again) {
		const more = ids.length > MAX_NAMED ? ` and ${ids.length - MAX_NAMED} more` : '';
		const named = ids.slice(0, MAX_NAMED).join(', ');
		logLine(context, 'info', `delivers again (attempt ${attempt}): ${named}${more}`);
	}
}
