import type {
	IDataObject,
	ILoadOptionsFunctions,
	INodeListSearchItems,
	INodeListSearchResult,
} from 'n8n-workflow';
import { mapOrdered } from '../../shared/concurrency/mapOrdered';
import { conversationsRequest } from '../../shared/exportApi/endpoints';
import { LIST_LIMIT_MS, serviceRequest } from '../../shared/http';
import { utc } from '../getMany/presets';

const DAYS = 30;
const PAGES_AT_ONCE = 6;

/** A search reads at most 10,000 conversations, so that it answers while a person waits. */
const MAX_PAGES = 200;

/** A search ends after this many matches. */
const MAX_MATCHES = 50;

/**
 * Lists the conversations of the last 30 days, page by page as the list is scrolled. A filter looks for its words in
 * the date, title, rep and ID of all of them (D1 § POST /export/conversations has no search).
 *
 * @param paginationToken page and end of the range, e.g. `2@1772354000000`
 */
export async function searchConversations(
	this: ILoadOptionsFunctions,
	filter?: string,
	paginationToken?: string,
): Promise<INodeListSearchResult> {
	const [page = 1, until = Date.now()] = (paginationToken ?? '').split('@').filter(Boolean).map(Number);
	const words = (filter ?? '').toLowerCase().split(/\s/).filter(Boolean);
	const first = await fetchPage(this, until, page);
	if (words.length > 0) return { results: await search(this, until, first, words) };
	const isLast = first.rows.length === 0 || page >= first.pages;
	return { results: first.rows, paginationToken: isLast ? undefined : `${page + 1}@${until}` };
}

async function search(
	context: ILoadOptionsFunctions,
	until: number,
	first: Page,
	words: string[],
): Promise<INodeListSearchItems[]> {
	const matching = ({ rows }: Page) =>
		rows.filter(({ name, value }) => words.every((word) => `${name} ${value}`.toLowerCase().includes(word)));
	const results = matching(first);
	const others = Array.from({ length: Math.min(first.pages, MAX_PAGES) - 1 }, (_, index) => index + 2);
	const pages = mapOrdered(others, PAGES_AT_ONCE, async (page) => await fetchPage(context, until, page));
	for await (const page of pages) {
		results.push(...matching(page));
		if (results.length >= MAX_MATCHES) break;
	}
	return results;
}

async function fetchPage(context: ILoadOptionsFunctions, until: number, page: number) {
	const body = { fromDate: utc(until - DAYS * 86_400_000), toDate: utc(until), page };
	const response = await serviceRequest(context, {
		...conversationsRequest(body),
		deadline: performance.now() + LIST_LIMIT_MS,
	});
	const { conversations, totalPages } = response.json();
	const rows = Array.isArray(conversations) ? (conversations as IDataObject[]) : [];
	return { rows: rows.map(resultOf), pages: Number(totalPages) || 1 };
}

type Page = Awaited<ReturnType<typeof fetchPage>>;

function resultOf({ conversationId, title, date, user, serviceUrl }: IDataObject): INodeListSearchItems {
	const rep = (user as IDataObject | undefined)?.name;
	const parts = [String(date).slice(0, 16).replace('T', ' '), title, rep].filter(Boolean);
	return {
		name: parts.join(' – '),
		value: String(conversationId),
		...(typeof serviceUrl === 'string' ? { url: serviceUrl } : {}),
	};
}
