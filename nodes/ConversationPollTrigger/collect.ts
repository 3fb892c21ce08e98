import { OperationalError, type IDataObject } from 'n8n-workflow';
import { PAGE_LIMIT } from '../shared/contract';
import { walkPages, type Page } from '../shared/export/walkPages';

/** Fetches one page of the conversations processed in a range; times are milliseconds since 1970, both inclusive. */
export type FetchPage = (
	range: { from: number; to: number },
	page: number,
	limit: number,
) => Promise<Page<IDataObject>>;

export interface CollectOptions {
	/** Start and end of the range. */
	since: number;
	until: number;
	/** Where the checkpoint stands before. */
	from: number;
	isHanded(conversationId: string): boolean;
	/** Most conversations to hand over at once. */
	maxRows: number;
	/** No further part is begun after this time, and parts are cut to fit. */
	deadline: number;
	/** Pages under way at once. */
	concurrency: number;
	/** Is told when the service's total and its list differ although nothing moves. */
	warn?: (message: string) => void;
	now?: () => number;
}

/** New conversations, oldest first, and the time up to which the range was looked through. */
export interface Collected {
	rows: Array<{ id: string; processed: number; conversation: IDataObject }>;
	/** The latest processed conversation, or the end of the last part when parts are left. */
	checkpoint: number;
	/** Up to here everything was read. */
	until: number;
}

/** How often a part is read anew when conversations came or went under the reader. */
const READS = 4;

/**
 * Looks through a range in parts, each read in full before it counts. The document does not show how the service
 * orders conversations, so a part is a stretch of time, never "the first so many rows".
 *
 * @throws what `fetchPage` throws, and OperationalError when the list does not come to rest: the poll fails, and the
 * next one takes it up
 */
export async function collect(fetchPage: FetchPage, options: CollectOptions): Promise<Collected> {
	const { until, isHanded, maxRows, deadline, now = Date.now } = options;
	const fresh = new Map<string, Collected['rows'][number]>();
	let latest = options.from;
	for (let from = options.since; ; ) {
		const room = maxRows - fresh.size;
		const asked = now();
		let to = until;
		let first = await fetchPage({ from, to }, 1, PAGE_LIMIT.max);
		// What is left of the time decides how many pages of this service's speed still fit.
		const rounds = Math.floor((deadline - now()) / Math.max(1, now() - asked));
		const fitting = Math.max(1, rounds) * options.concurrency * PAGE_LIMIT.max;
		const allowed = Math.max(1, Math.min(room, fitting));
		while (first.total > allowed && to - from > 1) {
			to = from + Math.max(1, Math.floor((to - from) * Math.min(0.5, allowed / first.total)));
			first = await fetchPage({ from, to }, 1, PAGE_LIMIT.max);
		}
		// A stretch that cannot be cut any more is taken whole, but not on top of others.
		if (first.total > allowed && fresh.size > 0) return finish(fresh, Math.max(options.from, from), from);

		for (const conversation of await readAll(fetchPage, { from, to }, first, options)) {
			const id = String(conversation.conversationId);
			const processed = Date.parse(String(conversation.processedDate));
			latest = Math.max(latest, Number.isNaN(processed) ? latest : processed);
			if (!isHanded(id))
				fresh.set(id, { id, processed: Number.isNaN(processed) ? to : processed, conversation });
		}
		if (to >= until) return finish(fresh, latest, until);
		from = to;
		// Out of time is no reason to stop before there is anything to show for it.
		const isLate = now() >= deadline && from > options.from;
		if (fresh.size >= maxRows || isLate) return finish(fresh, Math.max(options.from, from), from);
	}
}

/**
 * All conversations of a range; read anew while what came does not agree with the service's own total. Two readings
 * that agree with each other are believed too, when their pages leave no gap: nothing moves, and the total is wrong.
 */
async function readAll(
	fetchPage: FetchPage,
	range: { from: number; to: number },
	first: Page<IDataObject>,
	{ concurrency, warn }: CollectOptions,
): Promise<IDataObject[]> {
	let known: Page<IDataObject> | undefined = first;
	let before = '';
	for (let read = 1; read <= READS; read++) {
		const rows = new Map<unknown, IDataObject>();
		const pages: unknown[][] = [];
		let total = 0;
		const walk = walkPages(
			async (page, limit) => {
				const taken = page === 1 ? known : undefined;
				known = undefined;
				return taken ?? (await fetchPage(range, page, limit));
			},
			{ concurrency },
		);
		for await (const page of walk) {
			total = page.total;
			pages.push(page.rows.map(({ conversationId }) => conversationId));
			for (const row of page.rows) rows.set(row.conversationId, row);
		}
		if (rows.size === total) return [...rows.values()];
		const reading = JSON.stringify([total, pages]);
		if (reading === before && hasNoGap(pages)) {
			warn?.(
				`The service counts ${total} conversations and lists ${rows.size}. Those listed are handed over.`,
			);
			return [...rows.values()];
		}
		before = reading;
	}
	throw new OperationalError(
		'The list of conversations kept changing while it was read. The next poll reads it again; nothing was skipped.',
	);
}

/** Whether all pages but the last are full and none repeats what stands on another one. */
function hasNoGap(pages: unknown[][]): boolean {
	const distinct = pages.map((ids) => new Set(ids));
	const all = new Set(pages.flat());
	const isDisjoint = distinct.reduce((sum, { size }) => sum + size, 0) === all.size;
	return isDisjoint && pages.slice(0, -1).every(({ length }) => length === PAGE_LIMIT.max);
}

function finish(fresh: Map<string, Collected['rows'][number]>, checkpoint: number, until: number): Collected {
	return { rows: [...fresh.values()].sort((a, b) => a.processed - b.processed), checkpoint, until };
}
