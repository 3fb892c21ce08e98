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
	const { until, isHanded, maxRows, deadline, concurrency, now = Date.now } = options;
	const fresh = new Map<string, Collected['rows'][number]>();
	let latest = options.from;
	for (let from = options.since; ; ) {
		const room = maxRows - fresh.size;
		const asked = now();
		let to = until;
		let first = await fetchPage({ from, to }, 1, PAGE_LIMIT.max);
		// What is left of the time decides how many pages of this service's speed still fit.
		const rounds = Math.floor((deadline - now()) / Math.max(1, now() - asked));
		const fitting = Math.max(1, rounds) * concurrency * PAGE_LIMIT.max;
		const allowed = Math.max(1, Math.min(room, fitting));
		while (first.total > allowed && to - from > 1) {
			to = from + Math.max(1, Math.floor((to - from) * Math.min(0.5, allowed / first.total)));
			first = await fetchPage({ from, to }, 1, PAGE_LIMIT.max);
		}
		// A stretch that cannot be cut any more is taken whole, but not on top of others.
		if (first.total > allowed && fresh.size > 0) return finish(fresh, Math.max(options.from, from), from);

		for (const conversation of await readAll(fetchPage, { from, to }, concurrency, first)) {
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
 * that do agree with each other count too: then nothing moves, and the total counts otherwise.
 */
async function readAll(
	fetchPage: FetchPage,
	range: { from: number; to: number },
	concurrency: number,
	first: Page<IDataObject>,
): Promise<IDataObject[]> {
	let known: Page<IDataObject> | undefined = first;
	let before = '';
	for (let read = 1; read <= READS; read++) {
		const rows = new Map<unknown, IDataObject>();
		let total = 0;
		const pages = walkPages(
			async (page, limit) => {
				const taken = page === 1 ? known : undefined;
				known = undefined;
				return taken ?? (await fetchPage(range, page, limit));
			},
			{ concurrency },
		);
		for await (const page of pages) {
			total = page.total;
			for (const row of page.rows) rows.set(row.conversationId, row);
		}
		const reading = JSON.stringify([total, [...rows.keys()].sort()]);
		if (rows.size === total || reading === before) return [...rows.values()];
		before = reading;
	}
	throw new OperationalError(
		'The list of conversations kept changing while it was read. The next poll reads it again; nothing was skipped.',
	);
}

function finish(fresh: Map<string, Collected['rows'][number]>, checkpoint: number, until: number): Collected {
	return { rows: [...fresh.values()].sort((a, b) => a.processed - b.processed), checkpoint, until };
}
