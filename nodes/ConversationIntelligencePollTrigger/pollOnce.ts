import type { IPollFunctions, IRun } from 'n8n-workflow';
import { logLine } from '../shared/errors/log';
import { ExportClient, type ListQuery, type ServiceClock } from '../shared/exportApi/client';
import { isSameFilter } from '../shared/exportApi/conversationFilter';
import { forgetRun } from '../shared/http';
import { MAX_REMEMBERED, withMembers } from '../shared/triggers/filters';
import { conversationItem } from '../shared/triggers/output';
import { Collector } from './collect';
import { isPassing } from './errors';
import { Ledger } from './ledger';
import { openLedger, saveLedger, WHEN_PUBLISHED } from './ledgerStore';
import { readSettings } from './properties';

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
	/** The poll that is running: n8n starts the next one even if the last is still waiting. */
	running?: Run;
	/** The failure that goes on: what kind it is, when it began, and when a person saw it last. */
	failure?: { kind: string; since: number; shownAt: number };
	clock: ServiceClock;
}

export interface Run {
	/** When the poll started, in milliseconds since 1970. */
	at: number;
	/** How long it may take, in milliseconds. */
	budget: number;
	/** Whether n8n starts. */
	isStart: boolean;
}

/**
 * Reads what is new or due again, emits it, and moves the position on.
 *
 * @throws what is wrong with the service or the settings; the position stays as it is
 */
export async function pollOnce(context: IPollFunctions, trigger: Trigger, run: Run): Promise<void> {
	const { at, budget } = run;
	/** Whether a later poll has started, so that this one must not save anything. */
	const isOvertaken = () => trigger.running !== run;
	const settings = readSettings(context);
	const requestDeadline = performance.now() + budget;
	// A changed credential must reach the context of a published workflow.
	forgetRun(context);
	const client = new ExportClient(context, requestDeadline, trigger.clock);
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
		if (isOvertaken()) return;
		if (failure === undefined || run.isStart || isPassing(failure)) {
			const now = at + trigger.clock.aheadMs;
			opened?.applyFilter(filter, now);
			trigger.ledger = opened ?? new Ledger(WHEN_PUBLISHED, now, [{ since: now, filter }]);
			saveLedger(context, trigger.ledger);
		}
		if (failure !== undefined) throw failure;
	}
	if (!opened || isOvertaken()) return;

	const ledger = (trigger.ledger = opened);
	ledger.endOverdue(at, settings.timeLimitMs);
	const inFlight = ledger.inFlight(at);
	const room = settings.maxRows - inFlight;
	if (room <= 0) {
		const line = `delivers more once fewer than ${inFlight} conversations are in running executions`;
		return logLine(context, 'info', line);
	}
	const due = ledger.due(at, room);
	const deadline = at + Math.min(budget, LONGEST_POLL_MS) * SHARE_OF_BUDGET;
	const to = Math.max(at + trigger.clock.aheadMs, ledger.from) + Math.min(AHEAD_MS, settings.lookBackMs);
	const range = { from: ledger.from, to };
	const wanted = { ...settings, range, due, maxRows: room, isLate: () => Date.now() >= deadline };
	const collector = new Collector(client, ledger, wanted);
	const found = await collector.collect();
	if (isOvertaken()) return;

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
	ledger.advance(collector.reached - settings.lookBackMs, settings.isNewOnly ? MAX_REMEMBERED : 0);
	saveLedger(context, ledger);
	const again = delivered.filter(({ delivery }) => delivery.attempts > 1).map(({ id }) => id);
	if (again.length > 0) {
		logLine(context, 'info', `delivers ${again.length} again: ${again.slice(0, MAX_NAMED).join(', ')}`);
	}
	const isOne = settings.startExecutionFor === 'poll' && delivered.length > 0;
	for (const items of isOne ? [delivered] : delivered.map((item) => [item])) {
		const done = context.helpers.createDeferredPromise<IRun | undefined>();
		context.__emit([items.map(({ json }) => ({ json }))], undefined, done);
		const deliveries = items.map(({ delivery }) => delivery);
		void ledger.follow(deliveries, done.promise, settings.retriesFailed);
	}
}
