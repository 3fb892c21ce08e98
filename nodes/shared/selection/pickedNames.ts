import type { IDataObject, ILoadOptionsFunctions, INodeListSearchResult } from 'n8n-workflow';
import { isObject } from '../base/text';
import { ExportClient, MAX_PAGE_ROWS } from '../exportApi/client';
import { entriesNamed } from '../exportApi/rows';
import { pickable, PICKER_LIMIT_MS } from '../node/item';
import { hasWords, readTexts } from './entered';
import { nameKey } from './names';

// Everything here also throws what the {@link ExportClient} does.

const RECENT_DAYS = 90;
/** Which pages are read besides the first: spread, because names come and go. */
const PAGES_AT = [1 / 3, 2 / 3, 1];

/** Up to 200 conversations of the last 90 days, by at most four requests, within ten seconds. */
async function recentConversations(context: ILoadOptionsFunctions): Promise<IDataObject[]> {
	const client = new ExportClient(context, performance.now() + PICKER_LIMIT_MS);
	const to = Date.now();
	const range = { from: to - RECENT_DAYS * 24 * 60 * 60_000, to, limit: MAX_PAGE_ROWS };
	const read = async (page: number) =>
		(await client.page({ arrays: ['conversations'] }, { ...range, page })).read();
	const first = await read(1);
	const others = new Set(PAGES_AT.map((share) => Math.ceil(first.pages * share)).filter((page) => page > 1));
	// Some names are better than an error about the rest.
	const pages = await Promise.allSettled([first, ...[...others].map(read)]);
	const rows = pages.flatMap((page) => (page.status === 'fulfilled' ? page.value.lists[0].rows : []));
	return rows.filter(isObject);
}

/** The names in a field of rows that have the words of a search, each once, for a list in the editor. */
function namesToPick(rows: IDataObject[], field: string, search = ''): INodeListSearchResult {
	const texts = rows.map((row) => row[field]).filter((name) => typeof name === 'string');
	const names = new Map(texts.map((name) => [nameKey(name), name.trim()]));
	names.delete('');
	const found = [...names.values()].filter((name) => hasWords(search, [name]));
	const sorted = found.sort((a, b) => a.localeCompare(b)).map((name) => ({ name, value: name }));
	const results = pickable(sorted, 'a name').map((one) => ({ ...one, value: asEntered(String(one.value)) }));
	return { results };
}

/** The simplest text that is read as this one name, because several are entered with commas between them. */
function asEntered(name: string): string {
	const quotes = `"${name.replaceAll('"', '""')}"`;
	const isRead = (text: string) => JSON.stringify(readTexts(text, '')) === JSON.stringify([name]);
	return [name, quotes].find(isRead) ?? JSON.stringify([name]);
}

/** The lists of names that filters offer, by the method that loads each, with the words that a person searches for. */
export const nameSearches = {
	async checklistNames(this: ILoadOptionsFunctions, search?: string) {
		const entries = (await recentConversations(this)).flatMap((row) => entriesNamed(row, 'checklists'));
		return namesToPick(entries, 'checklistName', search);
	},
	async outcomeNames(this: ILoadOptionsFunctions, search?: string) {
		return namesToPick(await recentConversations(this), 'outcome', search);
	},
	async roleNames(this: ILoadOptionsFunctions, search?: string) {
		const users = await new ExportClient(this, performance.now() + PICKER_LIMIT_MS).users();
		return namesToPick(users.filter(isObject), 'role', search);
	},
	async trackerNames(this: ILoadOptionsFunctions, search?: string) {
		const entries = (await recentConversations(this)).flatMap((row) => entriesNamed(row, 'trackers'));
		return namesToPick(entries, 'trackerName', search);
	},
};
