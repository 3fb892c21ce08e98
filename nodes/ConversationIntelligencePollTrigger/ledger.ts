import type { IDataObject, IRun, IPollFunctions } from 'n8n-workflow';
import { z } from 'zod';
import { filterSchema, type ConversationFilter } from '../shared/selection/filterRules';
import { passes } from '../shared/selection/filters';
import type { Slice } from '../shared/exportApi/client';
import { codedError, type ErrorTable } from '../shared/base/codedErrors';
import { toUtcTimestamp } from '../shared/base/time';

/** Why a poll fails, besides a failed request or a wrong setting. */
export const POLL_ERRORS = {
	position_damaged: [
		'The saved position of this trigger is damaged, or was saved by another version of this package',
		'Set Start From to Date, and choose a new Start Date before the last delivery. Nothing is lost: what was processed since then is delivered again.',
	],
	conversation_without_id: [
		'A conversation processed between {from} and {to} has no "conversationId"',
		'Polling stops here so that nothing is skipped. Report it to the service.',
	],
	clocks_differ: [
		"The service's clock is {difference} minutes {direction} this n8n's",
		'Correct the wrong clock. Until both agree, conversations can arrive late, but none is lost.',
		'retryable',
	],
} as const satisfies ErrorTable;

/** Times are in milliseconds since 1970. */
export interface Delivery {
	/** If its date is unreliable, the latest time that it can have been. */
	processedAt: number;
	/** What is `failed` or `lost` is delivered again; what is `lost` was running when n8n ended. */
	state: 'running' | 'ended' | 'failed' | 'lost';
	attempts: number;
	/** The last time, by this machine's clock. */
	deliveredAt: number;
}

/** The state after each end of an execution: by default, and with Retry Failed Executions. */
const STATE_AFTER = {
	succeeded: ['ended', 'ended'],
	failed: ['ended', 'failed'],
	/** How it ends is never reported. */
	waiting: ['ended', 'running'],
	lost: ['failed', 'failed'],
} as const;

type End = keyof typeof STATE_AFTER;

interface OpenExecution {
	deliveries: Delivery[];
	startedAt: number;
	retriesFailed: boolean;
}

export const WHEN_PUBLISHED = 'whenPublished';

const MINUTE_MS = 60_000;
/** After this time, an execution whose end n8n has not reported no longer holds up new conversations. */
const MAX_HOLD_MS = 24 * 60 * MINUTE_MS;
/** A `processedDate` may be rounded, so deliveries are kept a little longer than the dates require. */
const ROUNDING_MS = MINUTE_MS;
/** Maximum known conversations in one response of 50 rows, to leave room for new ones. */
const KNOWN_PER_PART = 40;
/** A conversation that the service no longer has is given up after so many attempts, about four hours. */
const MAX_ATTEMPTS_WITHOUT = 10;
/** Do not reorder: the saved position has the index of a state. */
const STATES = ['lost', 'ended', 'failed'] as const;

/** In milliseconds since 1970; two days later, the year still has four digits. */
const timeSchema = z.number().min(Date.parse('0001-01-01')).max(Date.parse('9999-12-01'));

/** What n8n saves with the workflow whenever items are emitted (docs/reference/compatibility.md). */
export const savedSchema = z.object({
	version: z.literal(1),
	node: z.string(),
	/** The setting that it started with, as typed. */
	start: z.string(),
	/** Where the next poll starts to read; everything older was read. */
	from: timeSchema,
	filters: z.array(z.object({ since: timeSchema, filter: filterSchema.strict() })).min(1),
	/** Number of deliveries so far. Of two positions, the position with the higher number is ahead. */
	count: z.number(),
	/** ID → when it was processed, its state, attempts, and when it was delivered. */
	seen: z.record(z.tuple([timeSchema, z.number().int().min(0).max(2), z.number().int().min(1), timeSchema])),
});

export type Saved = z.infer<typeof savedSchema>;

/** How far a trigger has come, and what it has delivered. When a person publishes, n8n restores what it saved last. */
export class Ledger {
	count = 0;
	/** Conversations that a later poll can list again or that are not delivered yet, by ID. */
	readonly deliveries = new Map<string, Delivery>();
	private open = new Set<OpenExecution>();
	private lastEnd = -Infinity;

	/** The parameters are as in {@link savedSchema}; the last filter is the one in force. */
	constructor(
		readonly start: string,
		public from: number,
		private filters: Saved['filters'],
	) {}

	/** Deliveries that were running when the position was saved are now lost, because their process has ended. */
	static unpack({ start, from, filters, count, seen }: Saved): Ledger {
		const ledger = Object.assign(new Ledger(start, from, filters), { count });
		for (const [id, [processedAt, state, attempts, deliveredAt]] of Object.entries(seen))
			ledger.deliveries.set(id, { processedAt, state: STATES[state], attempts, deliveredAt });
		return ledger;
	}

	pack(node: string): Saved {
		const { start, from, filters, count } = this;
		const seen: Saved['seen'] = {};
		for (const [id, { processedAt, state, attempts, deliveredAt }] of this.deliveries)
			seen[id] = [processedAt, STATES.indexOf(state === 'running' ? 'lost' : state), attempts, deliveredAt];
		return { version: 1, node, start, from, filters, count, seen };
	}

	get filter(): ConversationFilter {
		return this.filters.at(-1)!.filter;
	}

	/** Applies a filter from a moment on, so that a wider one delivers nothing from before. */
	applyFilter(next: Saved['filters'][number]): void {
		this.filters = [...this.filters, next];
	}

	/** Copies from the ledger of this process which deliveries of the saved position have ended or are running. */
	learn(known: Ledger): void {
		this.open = known.open;
		for (const [id, delivery] of known.deliveries) {
			const saved = this.deliveries.get(id);
			const { state } = delivery;
			if (saved?.processedAt !== delivery.processedAt || saved.state === 'ended') continue;
			if (state === 'ended' || state === 'running')
				this.deliveries.set(id, Object.assign(delivery, saved, { state }));
		}
	}

	/** If a wrong clock set times after `now`, sets them back to `to`, except a Start Date that is still to come. */
	moveBack(now: number, to: number): void {
		const late = this.filters.filter(({ since }) => since > now);
		const isToCome = this.start !== WHEN_PUBLISHED && this.from > now && this.from === this.filters[0].since;
		if (isToCome || (this.from <= now && late.length === 0)) return;
		this.from = Math.min(this.from, to);
		for (const change of late) change.since = to;
	}

	/** Whether a conversation passes the current filter and the filter that was set when it was processed. */
	passesFilters(conversation: IDataObject, processedAt: number): boolean {
		const filters = this.filtersAt(processedAt);
		return filters.length > 0 && filters.every((filter) => passes(filter, conversation));
	}

	/** The filter of when a conversation was processed, and that of now; none before the start. */
	filtersAt(processedAt: number): ConversationFilter[] {
		const then = this.filterAt(processedAt);
		return then ? [...new Set([then, this.filter])] : [];
	}

	private filterAt(time: number): ConversationFilter | undefined {
		return this.filters.findLast(({ since }) => since <= time)?.filter;
	}

	/** Cuts a range into parts that fit one response, with their users (undefined for all). Omits parts without users. */
	partsOf({ from, to }: Slice): Array<Slice & { users?: string[] }> {
		const known = Array.from(this.deliveries.values(), ({ processedAt }) => processedAt);
		const full = known.sort((a, b) => a - b).filter((_, n) => n % KNOWN_PER_PART === KNOWN_PER_PART - 1);
		const changes = this.filters.map(({ since }) => since);
		const inner = [...changes, ...full].filter((time) => time > from && time < to);
		const bounds = [...new Set([from, ...inner, to])].sort((a, b) => a - b);
		const now = this.filter.users;
		const parts = bounds.slice(1).map((end, n) => {
			const then = this.filterAt(bounds[n])?.users;
			const users = now && then ? now.filter((user) => then.includes(user)) : (now ?? then);
			return { from: bounds[n], to: end, users };
		});
		return parts.filter(({ users }) => users?.length !== 0);
	}

	/** IDs to deliver again now, oldest first. Repeatedly lost ones come in smaller groups: one of them may crash n8n. */
	due(now: number, max: number): string[] {
		const due = [...this.deliveries].filter(([, { state, attempts, deliveredAt }]) => {
			// None, then a minute, doubled up to an hour.
			const pauseMs = attempts < 2 ? 0 : Math.min(60, 2 ** (attempts - 2)) * MINUTE_MS;
			const hasPaused = deliveredAt > now || now - deliveredAt >= pauseMs;
			return hasPaused && (state === 'failed' || state === 'lost');
		});
		due.sort(([, a], [, b]) => a.processedAt - b.processedAt);
		const parts = new Map<number, number>();
		const fitting = due.filter(([, { state, attempts }]) => {
			const left = parts.get(attempts) ?? Math.max(1, Math.ceil(max / 4 ** (attempts - 1)));
			if (state === 'lost') parts.set(attempts, left - 1);
			return state === 'failed' || left > 0;
		});
		return fitting.map(([id]) => id);
	}

	inFlight(now: number): number {
		const open = [...this.open].filter(({ startedAt }) => now - startedAt < MAX_HOLD_MS);
		return open.reduce((sum, { deliveries }) => sum + deliveries.length, 0);
	}

	/** Records a delivery; only what was due has attempts before. */
	deliver(id: string, processedAt: number, at: number, isDue: boolean): Delivery {
		const attempts = isDue ? this.deliveries.get(id)!.attempts + 1 : 1;
		const delivery: Delivery = { processedAt, state: 'running', attempts, deliveredAt: at };
		this.deliveries.set(id, delivery);
		this.count++;
		return delivery;
	}

	async follow(deliveries: Delivery[], done: Promise<IRun | undefined>, retriesFailed: boolean) {
		const execution = { deliveries, startedAt: Date.now(), retriesFailed };
		this.open.add(execution);
		this.end(execution, await done.then(endOf, endOfRejected));
	}

	/** Records that a conversation could not be fetched. @returns whether it is given up, because it is gone */
	withdraw(id: string, at: number, isGone: boolean): boolean {
		const { processedAt, attempts } = this.deliveries.get(id)!;
		const isGivenUp = isGone && attempts >= MAX_ATTEMPTS_WITHOUT;
		const state = isGivenUp ? 'ended' : 'failed';
		this.deliveries.set(id, { processedAt, state, attempts: attempts + 1, deliveredAt: at });
		return isGivenUp;
	}

	/** Moves on, and forgets what no later poll can list, except the latest `remembered`. */
	advance(from: number, remembered: number): void {
		this.from = Math.max(this.from, from);
		const old = [...this.deliveries].filter(
			([, { state, processedAt }]) => state === 'ended' && processedAt < this.from - ROUNDING_MS,
		);
		for (const [id] of old.slice(0, Math.max(0, old.length - remembered))) this.deliveries.delete(id);
		const first = this.filters.findLastIndex(({ since }) => since <= this.from);
		this.filters = this.filters.slice(Math.max(0, first));
	}

	/** Ends executions whose time limit has passed since they started or, in a queue, since the last end; 0 or less is none. */
	endOverdue(now: number, limitMs: number): void {
		const { lastEnd } = this;
		for (const execution of this.open) {
			const isOverdue = now - Math.max(execution.startedAt, lastEnd) > limitMs + MINUTE_MS;
			if (limitMs > 0 && isOverdue) this.end(execution, 'failed');
		}
	}

	private end(execution: OpenExecution, end: End): void {
		this.open.delete(execution);
		this.lastEnd = Date.now();
		const state = STATE_AFTER[end][execution.retriesFailed ? 1 : 0];
		for (const delivery of execution.deliveries) delivery.state = state;
	}
}

/** Failed before its first node means lost: n8n reports a dead worker like that. */
function endOf(run: IRun | undefined): End {
	if (run === undefined || run.status === 'crashed') return 'lost';
	if (run.status === 'success') return 'succeeded';
	if (run.status === 'waiting') return 'waiting';
	const { lastNodeExecuted, runData } = run.data.resultData;
	const hasStarted = lastNodeExecuted !== undefined || Object.keys(runData).length > 0;
	return run.status === 'error' && !hasStarted ? 'lost' : 'failed';
}

/** Without one of these reasons, the execution was not stored, queued or finished. */
function endOfRejected(error: unknown): End {
	const { reason } = error as { reason?: unknown };
	return reason === 'manual' || reason === 'timeout' ? 'failed' : 'lost';
}

const PREFIX = 'conversationIntelligencePollTrigger:';
const slotOf = (context: IPollFunctions) => `${PREFIX}${context.getNode().id}`;

/** Not n8n's durable cursors, because they drop what the first poll saves when a workflow is published. */
const dataOf = (context: IPollFunctions) => context.getWorkflowStaticData('global');

export function saveLedger(context: IPollFunctions, ledger: Ledger): void {
	dataOf(context)[slotOf(context)] = ledger.pack(context.getNode().name);
}

/**
 * The ledger to go on with, or a new one for a Start Date; undefined for When Published if nothing is saved.
 * @throws CodedError when Start Date is not a date, or when the ledger is damaged: starting over could skip conversations
 */
export function openLedger(
	context: IPollFunctions,
	known: Ledger | undefined,
	{ filter, startFrom }: { filter: ConversationFilter; startFrom: string },
) {
	const data = dataOf(context);
	adopt(context, data);
	const saved = data[slotOf(context)];
	const { data: intact } = savedSchema.safeParse(saved);
	// As typed, because another time zone of the workflow must not start over.
	const { startDate } = context.getNode().parameters;
	const start = startFrom === 'date' ? String(startDate) : undefined;
	// When Published continues from any saved position.
	const fits = (from: unknown) => start === undefined || from === start;
	const ledgers = [known, intact && Ledger.unpack(intact)].filter((one) => one && fits(one.start));
	// Another main process may have saved the position that is ahead.
	const [ahead] = ledgers.sort((one, other) => other!.count - one!.count);
	if (known && ahead !== known) ahead?.learn(known);
	if (ahead) return ahead;
	if (saved !== undefined && !intact && fits((saved as Partial<Saved> | null)?.start)) {
		// n8n's scheduler then waits long, because polling again does not help.
		throw codedError(POLL_ERRORS, 'position_damaged', {}, { failure: { cause: 'configuration-invalid' } });
	}
	if (start === undefined) return undefined;
	const date = context.getNodeParameter('startDate');
	const since = Date.parse(toUtcTimestamp(date, context.getTimezone(), 'Start Date'));
	return new Ledger(start, since, [{ since, filter }]);
}

/** A pasted or imported node takes over the latest position of a node with its name, or of one gone or unconnected. */
function adopt(context: IPollFunctions, data: IDataObject): void {
	if (slotOf(context) in data) return;
	const gone = Object.keys(data).findLast((key) => {
		const node = key.startsWith(PREFIX) ? (data[key] as Partial<Saved> | null)?.node : undefined;
		return node === context.getNode().name || (node && context.getChildNodes(node).length === 0);
	});
	if (gone === undefined) return;
	data[slotOf(context)] = data[gone];
	delete data[gone];
}
