import type { IPollFunctions } from 'n8n-workflow';
import { logLine } from '../shared/errors/log';
import { Collector } from './collect';
import { emit } from './emit';
import { Deliveries, dueAgain } from './deliveries';
import { advance, openPosition, packPosition, positionAt, type Delivery, type Position } from './position';
import { readSettings } from './settings';
import { exportSource, serviceTime } from './source';

/** How far beyond now a poll reads, because the service's clock may be ahead; never further than it looks back. */
const AHEAD_MS = 2 * 60_000;
/** The rest of the time for a poll is reserved for the running request. */
const SHARE_OF_BUDGET = 0.5;
/** Even with more time, deliver soon what was found. */
const LONGEST_POLL_MS = 60_000;
/** A conversation that the service no longer has is given up after so many attempts, more than two hours. */
const MAX_ATTEMPTS_WITHOUT = 10;

/** What this process remembers of a trigger. */
export interface Trigger {
	deliveries: Deliveries;
	/** When the poll that is running started: n8n starts the next one even if the last is still waiting. */
	polling?: { since: number };
	/** When the first poll failed while a person published. */
	refusedAt: number;
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
	/** Whether the service has listed anything. */
	hasResponse: boolean;
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
		run.hasResponse = true;
		trigger.serviceAheadMs = Math.max(0, date - Date.now());
	});
	const save = (position: Position) => void (saved[name] = packPosition(position));
	const position = openPosition(context, saved[name]);
	if (position === undefined) {
		if (run.isStart) {
			logLine(context, 'warn', 'has no saved position and delivers what is processed from now on');
			// In case the service cannot be reached.
			save(positionAt(at));
		}
		const from = await serviceTime(source, at);
		if (!isOvertaken()) save(positionAt(from));
		return;
	}

	if (trigger.deliveries.start !== position.start) trigger.deliveries = new Deliveries(position.start);
	const { deliveries } = trigger;
	deliveries.endOverdue(at, settings.timeLimitMs, settings.deliveredWhen);
	const inFlight = deliveries.inFlight(at);
	const room = settings.maxRows - inFlight;
	if (room <= 0) {
		logLine(
			context,
			'info',
			`delivers more once fewer than ${inFlight} conversations are in running executions`,
		);
		return;
	}
	const { all, lost } = deliveries.merge(position.deliveries);
	const due = dueAgain(all, lost, at, room);
	const deadline = at + Math.min(budget, LONGEST_POLL_MS) * SHARE_OF_BUDGET;
	const limits = { overlapMs: settings.overlapMs, maxRows: room, isLate: () => Date.now() >= deadline };
	const to = Math.max(at + trigger.serviceAheadMs, position.from) + Math.min(AHEAD_MS, settings.overlapMs);
	const collector = new Collector(source, { from: position.from, to }, all, due, limits);
	const found = await collector.collect();
	if (isOvertaken()) return;

	for (const id of collector.unwanted) {
		all.delete(id);
		deliveries.forget(id);
	}
	for (const [id, refusal] of collector.refused) {
		const delivery = withdraw(context, all.get(id)!, { id, refusal, at });
		all.set(id, delivery);
		deliveries.fail(id, delivery);
	}
	const delivered = new Map(
		found.map(({ id, processed }): [string, Delivery] => {
			const attempts = due.includes(id) ? all.get(id)!.attempts + 1 : 1;
			return [id, { processedAt: processed, state: 'running', attempts, deliveredAt: at }];
		}),
	);
	for (const [id, delivery] of delivered) all.set(id, delivery);
	const next = advance(position, collector.reached - settings.overlapMs, all);
	save(next);
	const { behind } = collector;
	if (behind > 0) logLine(context, 'info', `is behind by ${behind} conversation${behind === 1 ? '' : 's'}`);
	if (found.length === 0) return;
	// Only now, because n8n saves the position with the items; until then, publishing restores the previous one.
	deliveries.keepOnly(next.deliveries);
	emit(context, { found, delivered, deliveries, settings, at });
}

/**
 * Tries a conversation that the service does not return again later, and gives one that it no longer has up in the end.
 *
 * @param refusal why the service does not return it; undefined for a 404
 */
function withdraw(
	context: IPollFunctions,
	{ processedAt, attempts }: Delivery,
	{ id, refusal, at }: { id: string; refusal?: string; at: number },
): Delivery {
	const isGivenUp = refusal === undefined && attempts >= MAX_ATTEMPTS_WITHOUT;
	const why = refusal ?? 'the service returns 404';
	const outcome = isGivenUp ? 'gives it up' : 'tries again later';
	logLine(context, 'warn', `cannot deliver conversation ${id} again: ${why}; ${outcome}`);
	return { processedAt, state: isGivenUp ? 'ended' : 'failed', attempts: attempts + 1, deliveredAt: at };
}
