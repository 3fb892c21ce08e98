import type { IDataObject, INodeExecutionData, IPollFunctions, IRun } from 'n8n-workflow';
import { logLine, type CodedError } from '../shared/base/codedErrors';
import { firstFew } from '../shared/base/text';
import { ExportClient, type ServiceClock } from '../shared/exportApi/client';
import type { RequestError } from '../shared/http/requestErrors';
import { forgetRun } from '../shared/http/requestRun';
import { isSameFilter, type ConversationFilter } from '../shared/selection/filterRules';
import {
	conversationItem,
	judgeTranscript,
	MAX_REMEMBERED_IDS,
	withMembers,
} from '../shared/triggers/triggerConversations';
import { Collector, type Found } from './collect';
import { Ledger, openLedger, saveLedger, WHEN_PUBLISHED, type Delivery } from './ledger';
import { readSettings, type Settings } from './pollParameters';

const SHARE_OF_BUDGET = 0.5;
const LONGEST_POLL_MS = 60_000;
/** How long a poll that is late still searches a transcript. */
const MIN_SEARCH_MS = 10_000;
/** How far beyond now each poll reads, because a clock can be ahead. */
const AHEAD_MS = 2 * 24 * 60 * 60_000;

/** What this process remembers of a trigger from poll to poll. */
export interface Progress {
	ledger?: Ledger;
	/** ID → when it was processed, of conversations in which Words Said were not said. */
	unsaid: Map<string, number>;
	/** n8n starts the next poll even if the last one is still waiting. */
	running?: PollRun;
}

/** Items that n8n has to emit, because it does not report the end of their execution; usually none. */
export type Unfollowed = INodeExecutionData[][] | null;

interface Delivered {
	id: string;
	delivery: Delivery;
	json: IDataObject;
}

/** One poll: opens the position, collects what is new or due again, records it, and emits it. */
export class PollRun {
	readonly clock: ServiceClock = {};

	/** @param at the time of the poll, in milliseconds since 1970 */
	constructor(
		private readonly context: IPollFunctions,
		private readonly progress: Progress,
		readonly at: number,
		private readonly budgetMs: number,
		private readonly isStart: boolean,
	) {}

	/** A failure leaves the position as it is. @throws CodedError for a setting, RequestError for a request */
	async run(): Promise<Unfollowed> {
		const { context, clock } = this;
		const settings = readSettings(context);
		const requestDeadline = performance.now() + this.budgetMs;
		// A changed credential must reach the context of a published workflow.
		forgetRun(context);
		const client = new ExportClient(context, requestDeadline, clock);
		const filter = await withMembers(context, settings, requestDeadline);
		const ledger = await this.open(client, filter, settings);
		if (!ledger) return null;
		const collector = this.collector(client, ledger, settings);
		if (!collector) return null;
		const found = await collector.collect();
		if (this.isOvertaken()) return null;
		const delivered = this.record(ledger, collector, found, settings);
		return this.emitAll(ledger, delivered, settings);
	}

	/** Whether a later poll has started, so that this one must save nothing. */
	private isOvertaken(): boolean {
		return this.progress.running !== this;
	}

	/** The time of the poll by both clocks, the earlier first. */
	private times(): number[] {
		return [this.at, this.at + (this.clock.aheadMs ?? 0)].sort((a, b) => a - b);
	}

	/** Opens the position; undefined if this poll cannot deliver anything yet. */
	private async open(client: ExportClient, filter: ConversationFilter, { startFrom }: Settings) {
		const { context, progress, isStart } = this;
		const opened = openLedger(context, progress.ledger, { filter, startFrom });
		if (!opened && isStart)
			logLine(context, 'warn', 'has no saved position and delivers what is processed from now on');
		if (!opened || !isSameFilter(opened.filter, filter)) await this.applyFilter(client, opened, filter);
		// If only n8n can emit the items, the next poll delivers them, because n8n does not await this one.
		if (!opened || this.isOvertaken() || (isStart && !isFollowing(context))) return undefined;
		return (progress.ledger = opened);
	}

	/** Applies a filter, or starts to deliver, from now on. First sends a request to learn the service's time. */
	private async applyFilter(client: ExportClient, opened: Ledger | undefined, filter: ConversationFilter) {
		const { at, context, progress, isStart } = this;
		const lastSecond = { from: at - 1000, to: at, page: 1, limit: 1 };
		const asked = client.page({ arrays: ['conversations'], dateType: 'processedDate' }, lastSecond);
		const failure = await asked.then(() => undefined).catch((error: Error) => error);
		if (this.isOvertaken()) return;
		if (failure === undefined || isStart || isPassing(failure)) {
			const [since] = this.times();
			opened?.applyFilter({ since, filter });
			progress.unsaid.clear();
			progress.ledger = opened ?? new Ledger(WHEN_PUBLISHED, since, [{ since, filter }]);
			saveLedger(context, progress.ledger);
		}
		if (failure !== undefined) throw failure;
	}

	/** Undefined while too many conversations are in running executions. */
	private collector(client: ExportClient, ledger: Ledger, settings: Settings): Collector | undefined {
		const { at, budgetMs } = this;
		ledger.endOverdue(at, settings.timeLimitMs);
		const inFlight = ledger.inFlight(at);
		const maxRows = settings.maxRows - inFlight;
		if (maxRows <= 0) {
			const line = `delivers more once fewer than ${inFlight} conversations are in running executions`;
			logLine(this.context, 'info', line);
			return undefined;
		}
		const deadline = at + Math.min(budgetMs, LONGEST_POLL_MS) * SHARE_OF_BUDGET;
		return new Collector(client, ledger, {
			...settings,
			at,
			range: { from: ledger.from, to: Math.max(at, ledger.from) + AHEAD_MS },
			due: ledger.due(at, maxRows),
			maxRows,
			isLate: () => Date.now() >= deadline,
			judge: async (conversation, filter) => {
				const left = AbortSignal.timeout(Math.max(MIN_SEARCH_MS, deadline - Date.now()));
				return await judgeTranscript(this.context, conversation, filter, left);
			},
			unsaid: this.progress.unsaid,
		});
	}

	private record(ledger: Ledger, collector: Collector, found: Found[], settings: Settings): Delivered[] {
		const { context, at, clock } = this;
		const { lookBackMs, isNewOnly } = settings;
		for (const warning of collector.warnings) logLine(context, 'warn', warning);
		for (const [id, refusal] of collector.undelivered) this.recordRefused(ledger, id, refusal);
		const delivered = found.map(({ id, processed, conversation, verdict }) => {
			const delivery = ledger.deliver(id, processed, at, collector.wanted.due.includes(id));
			const origin = { source: 'poll', deliveryAttempt: delivery.attempts } as const;
			return { id, delivery, json: conversationItem(conversation, settings, origin, verdict) };
		});
		const [earlier, later] = this.times();
		// Without a response, only this machine's clock is known, which may be the wrong one.
		if (clock.aheadMs !== undefined) ledger.moveBack(later, earlier - lookBackMs);
		// n8n saves the position only with a delivery. Until then, another main process may need the old IDs.
		const remembered = delivered.length === 0 ? Infinity : isNewOnly ? MAX_REMEMBERED_IDS : 0;
		ledger.advance(Math.min(collector.reached, earlier) - lookBackMs, remembered);
		for (const [id, time] of this.progress.unsaid) if (time < ledger.from) this.progress.unsaid.delete(id);
		saveLedger(context, ledger);
		return delivered;
	}

	private recordRefused(ledger: Ledger, id: string, refusal?: RequestError): void {
		if (refusal === undefined) return void ledger.deliveries.delete(id);
		const isGone = refusal.details.code === 'conversation_not_found';
		const why = isGone ? 'the service returns 404' : refusal.message;
		const outcome = ledger.withdraw(id, this.at, isGone) ? 'gives it up' : 'tries again later';
		logLine(this.context, 'warn', `cannot deliver conversation ${id} again: ${why}; ${outcome}`);
	}

	private emitAll(ledger: Ledger, delivered: Delivered[], settings: Settings): Unfollowed {
		const { context } = this;
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
}

/** Whether a failure passes by itself, e.g. a service that is down. */
export function isPassing(error: unknown): boolean {
	return (error as Partial<CodedError>).details?.retryable === true;
}

/** Whether n8n reports the end of what is emitted, which it does not document for polls. */
const isFollowing = ({ __emit, helpers }: IPollFunctions): boolean =>
	[__emit, helpers.createDeferredPromise].every((one) => typeof one === 'function') && __emit.length > 2;

/** Starts an execution. @returns its end, or undefined if this n8n does not report it */
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
