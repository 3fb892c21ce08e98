import type { IDataObject, ILoadOptionsFunctions, INodeListSearchResult } from 'n8n-workflow';
import { isObject, normalized } from '../base/text';
import { ExportClient, MAX_PAGE_ROWS } from '../exportApi/client';
import { entriesNamed, type EntryName } from '../exportApi/rows';
import { pickable, PICKER_LIMIT_MS } from '../node/item';
import { hasWords, readTexts } from './entered';

/** Keys that were made, because a list has few names and many rows. */
const keys = new Map<string, string>();
const MAX_KEYS = 10_000;

/** Makes the same key of names that people take for the same: case, kinds of spaces and what is invisible do not matter. */
export function nameKey(name: string): string {
	const key = keys.get(name) ?? normalized(name).toUpperCase();
	if (keys.size >= MAX_KEYS) keys.clear();
	keys.set(name, key);
	return key;
}

/** Whether a value is one of these names. */
export const isNamed = (names: string[], [value]: unknown[]): boolean =>
	typeof value === 'string' && names.some((name) => nameKey(name) === nameKey(value));

/** Below this likeness, at most 2, two names have nothing to do with each other. */
const LEAST_LIKENESS = 0.7;
/** Another name is suggested too if its likeness is at least this share of the best one. */
const NEARLY_AS_LIKE = 0.75;
const MAX_NEAREST = 3;

/** The names that are most like another one, by the pairs of letters that they share: `Confirmed budget` for `Budget`. */
export function nearest(name: string, names: string[]): string[] {
	const wanted = pairsIn(name);
	const likenessOf = (other: string) => {
		const pairs = pairsIn(other);
		const shared = [...wanted].filter((pair) => pairs.has(pair)).length;
		return shared / Math.min(wanted.size, pairs.size) + shared / Math.max(wanted.size, pairs.size);
	};
	const ranked = names.map((other) => ({ other, likeness: likenessOf(other) }));
	ranked.sort((a, b) => b.likeness - a.likeness);
	const least = Math.max(LEAST_LIKENESS, (ranked[0]?.likeness ?? 0) * NEARLY_AS_LIKE);
	const near = ranked.filter(({ likeness }) => likeness >= least);
	return near.slice(0, MAX_NEAREST).map(({ other }) => other);
}

function pairsIn(name: string): Set<string> {
	const letters = [...` ${nameKey(name)} `];
	return new Set(letters.slice(1).map((letter, before) => letters[before] + letter));
}

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

/** Makes the method that loads the names in a field of checklists or trackers. */
const ofEntries = (name: EntryName, field: string) =>
	async function (this: ILoadOptionsFunctions, search?: string) {
		const rows = await recentConversations(this);
		return namesToPick(
			rows.flatMap((row) => entriesNamed(row, name)),
			field,
			search,
		);
	};

/** The lists of names that filters offer, by the method that loads each. They throw as the {@link ExportClient}. */
export const nameSearches = {
	checklistNames: ofEntries('checklists', 'checklistName'),
	trackerNames: ofEntries('trackers', 'trackerName'),
	async outcomeNames(this: ILoadOptionsFunctions, search?: string) {
		return namesToPick(await recentConversations(this), 'outcome', search);
	},
	async roleNames(this: ILoadOptionsFunctions, search?: string) {
		const users = await new ExportClient(this, performance.now() + PICKER_LIMIT_MS).users();
		return namesToPick(users.filter(isObject), 'role', search);
	},
};
