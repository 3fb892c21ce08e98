import type { IPollFunctions } from 'n8n-workflow';
import { logLine } from '../shared/errors/log';
import { Collector } from './collect';
import { emit } from './emit';
import { isPassing } from './errors';
import { Ledger, type Delivery } from './ledger';
import { isWider, openPosition, packPosition, positionAt, withUsers, type Position } from './position';
import { readSettings } from './settings';
import { exportSource, serviceTime } from './source';

/** How far beyond now a poll reads, because the service's clock may be ahead; never further than it looks back. */
const AHEAD_MS = 2 * 60_000;
/** The rest of the time for a poll is reserved for the running request. */
const SHARE_OF_BUDGET = 0.5;
/** Even with more time, deliver soon what was found. */
const LONGEST_POLL_MS = 60_000;

/** What this process remembers of a trigger. */
export interface Trigger {
	ledger: Ledger;
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
	// Under the node's ID, so that renaming keeps it; not in n8n's durable cursors, because they drop what the first
	// poll saves when a workflow is published.
	const saved = context.getWorkflowStaticData('global');
	const name = `conversationIntelligencePollTrigger:${context.getNode().id}`;
	const settings = readSettings(context);
	const source = exportSource(context, performance.now() + budget, ({ date = 0 }) => {
		trigger.serviceAheadMs = Math.max(0, date - Date.now());
	});
	const save = (position: Position) => {
		saved[name] = packPosition(position);
	};
	const { filter } = source;
	const opened = openPosition(context, saved[name], filter);
	const startAt = (time: number) => (opened ? withUsers(opened, filter, time) : positionAt(time, filter));
	let position = startAt(at);
	if (!opened || isWider(filter, opened.users)) {
		if (run.isStart && !opened) {
			logLine(context, 'warn', 'has no saved position and delivers what is processed from now on');
		}
		// In case the service cannot be reached.
		if (run.isStart) save(position);
		const time = await serviceTime(source, at).catch((error: unknown) => {
			if (isPassing(error) && !isOvertaken()) save(position);
			throw error;
		});
		if (isOvertaken()) return;
		position = startAt(time);
		save(position);
	}
	if (!opened) return;

	if (trigger.ledger.start !== position.start) trigger.ledger = new Ledger(position.start);
	const { ledger } = trigger;
	ledger.endOverdue(at, settings.timeLimitMs, settings.deliveredWhen);
	const inFlight = ledger.inFlight(at);
	const room = settings.maxRows - inFlight;
	if (room <= 0) {
		logLine(
			context,
			'info',
			`delivers more once fewer than ${inFlight} conversations are in running executions`,
		);
		return;
	}
	ledger.load(position.deliveries);
	const due = ledger.due(at, room);
	const deadline = at + Math.min(budget, LONGEST_POLL_MS) * SHARE_OF_BUDGET;
	const limits = { overlapMs: settings.overlapMs, maxRows: room, isLate: () => Date.now() >= deadline };
	const to = Math.max(at + trigger.serviceAheadMs, position.from) + Math.min(AHEAD_MS, settings.overlapMs);
	const collector = new Collector(source, { from: position.from, to }, position.users, ledger, due, limits);
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
		found.map(({ id, processed }): [string, Delivery] => [
			id,
			ledger.deliver(id, processed, at, due.includes(id)),
		]),
	);
	const from = Math.max(position.from, collector.reached - settings.overlapMs);
	const needed = ledger.needed(from);
	save({ ...position, from, deliveries: needed });
	const { behind } = collector;
	if (behind > 0) logLine(context, 'info', `is behind by ${behind} conversation${behind === 1 ? '' : 's'}`);
	if (found.length === 0) return;
	// Only now, because n8n saves the position with the items; until then, publishing restores the previous one.
	ledger.keepOnly(needed);
	emit(context, { found, delivered, ledger, settings });
}
