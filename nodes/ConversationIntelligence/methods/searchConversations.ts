import { DateTime } from 'luxon';
import type {
	IDataObject,
	ILoadOptionsFunctions,
	INodeListSearchItems,
	INodeListSearchResult,
} from 'n8n-workflow';
import { LIST_LIMIT_MS } from '../../shared/http';
import {
	dateOf,
	exportPages,
	idReader,
	OrderedReader,
	processedAt,
	type FetchPage,
	type Part,
	type Slice,
} from '../../shared/reading';
import { asRow } from '../getMany/fields';

const DAYS = 30;
const CONCURRENCY = 6;

/** Conversations that a person gets at once. */
const PAGE_ROWS = 50;

/** A search reads some 10,000 conversations at most, so that it responds while a person waits. */
const SEARCH_ROWS = { first: 500, max: 10_000 };

/** A search ends after this many matches. */
const MAX_MATCHES = 50;

/**
 * Lists the conversations of the last 30 days, newest first, a part at a time as the list is scrolled. A filter looks for
 * its words in the date, title, rep and ID of all of them (D1 § POST /export/conversations has no search).
 *
 * @param paginationToken the range that is left, in milliseconds since 1970, e.g. `1769760000000-1772354000000`
 */
export async function searchConversations(
	this: ILoadOptionsFunctions,
	filter?: string,
	paginationToken?: string,
): Promise<INodeListSearchResult> {
	const now = Date.now();
	const [from = now - DAYS * 86_400_000, to = now] = (paginationToken ?? '')
		.split('-')
		.filter(Boolean)
		.map(Number);
	const words = (filter ?? '').toLowerCase().split(/\s/).filter(Boolean);
	const zone = this.getTimezone();
	if (words.length > 0) {
		return { results: await search(partsOf(this, { from, to }, SEARCH_ROWS.first), words, zone) };
	}
	const { rows = [], rest } = (await partsOf(this, { from, to }, PAGE_ROWS).next()).value ?? {};
	// A row at the very end of what was left has been listed before.
	const isNew = (row: unknown) => paginationToken === undefined || !(dateOf(row, 'date') >= to);
	return {
		results: rows.filter(isNew).map((row: unknown) => resultOf(row, zone)),
		paginationToken: rest && `${rest.from}-${rest.to}`,
	};
}

async function search(parts: AsyncGenerator<Part<unknown>>, words: string[], zone: string) {
	const results: INodeListSearchItems[] = [];
	let read = 0;
	for await (const { rows } of parts) {
		const all = rows.map((row) => resultOf(row, zone));
		const isMatch = ({ name, value }: INodeListSearchItems) =>
			words.every((word) => `${name} ${value}`.toLowerCase().includes(word));
		results.push(...all.filter(isMatch));
		read += rows.length;
		if (results.length >= MAX_MATCHES || read >= SEARCH_ROWS.max) break;
	}
	return results;
}

/** @param wanted conversations of the first part */
function partsOf(context: ILoadOptionsFunctions, range: Slice, wanted: number) {
	const arrays: ['conversations'] = ['conversations'];
	const fetchPage: FetchPage<unknown> = async (query) =>
		await exportPages(context, { arrays, deadline: performance.now() + LIST_LIMIT_MS })(query);
	const reading = {
		range,
		fetchPage,
		idOf: idReader(arrays),
		dateOf: (row: unknown) => dateOf(row, 'date'),
		appearedAt: processedAt,
		concurrency: () => CONCURRENCY,
	};
	return new OrderedReader(reading, 'newestFirst', wanted).parts();
}

function resultOf(row: unknown, zone: string): INodeListSearchItems {
	const { conversationId, title, user, serviceUrl } = asRow(row);
	const rep = (user as IDataObject | null | undefined)?.name;
	const date = DateTime.fromMillis(dateOf(row, 'date'), { zone });
	const parts = [date.isValid ? date.toFormat('yyyy-MM-dd HH:mm') : '', title, rep].filter(Boolean);
	return {
		name: parts.join(' – '),
		value: String(conversationId),
		...(typeof serviceUrl === 'string' ? { url: serviceUrl } : {}),
	};
}
