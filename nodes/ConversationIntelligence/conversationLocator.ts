import { DateTime } from 'luxon';
import type { ILoadOptionsFunctions, INodeListSearchResult, INodeProperties } from 'n8n-workflow';
import { ExportClient } from '../shared/exportApi/client';
import { asRow, dateOf, fieldIn } from '../shared/exportApi/rows';
import { pickable, PICKER_LIMIT_MS } from '../shared/node/item';
import { readByDate } from '../shared/reading/walk';
import { Reading } from '../shared/reading/reading';
import { conversationReference } from '../shared/selection/entered';

/** Names a conversation: from the list of the last 30 days, by its link in the web app, or by ID. */
export const conversationLocator: INodeProperties = {
	displayName: 'Conversation',
	name: 'conversationId',
	type: 'resourceLocator',
	required: true,
	default: { mode: 'list', value: '' },
	description: 'Choose a conversation of the last 30 days, or enter the URL or ID of any other',
	modes: [
		{
			displayName: 'From List',
			name: 'list',
			type: 'list',
			hint: 'The newest of the last 30 days; a search covers 10,000 conversations',
			typeOptions: { searchListMethod: 'searchConversations', searchable: true },
		},
		...conversationReference.modes,
	],
};

/** Conversations that a person sees at once. */
const LISTED = 50;
/** A search reads about so many conversations, so that it responds while a person waits. */
const SEARCH_ROWS = 10_000;

/** Lists the newest conversations, or the newest that have some words. */
export async function searchConversations(
	this: ILoadOptionsFunctions,
	search = '',
): Promise<INodeListSearchResult> {
	const to = Date.now();
	const words = search.toLowerCase().split(/\s/).filter(Boolean);
	const zone = this.getTimezone();
	const clientNow = () => new ExportClient(this, performance.now() + PICKER_LIMIT_MS);
	const reading = new Reading({
		client: { page: async (list, query) => await clientNow().page(list, query) },
		list: { arrays: ['conversations'] },
		range: { from: to - 30 * 86_400_000, to },
		concurrency: 6,
	});
	const results: INodeListSearchResult['results'] = [];
	for await (const rows of readByDate(reading, 'newestFirst', words.length > 0 ? 500 : LISTED)) {
		for (const result of rows.map((row) => resultOf(row, zone))) {
			const text = `${result.name} ${result.value}`.toLowerCase();
			if (words.every((word) => text.includes(word))) results.push(result);
		}
		if (results.length >= LISTED || reading.report.rows >= SEARCH_ROWS) break;
	}
	return { results: pickable(results, "a conversation's ID") };
}

function resultOf(row: unknown, zone: string): INodeListSearchResult['results'][number] {
	const { conversationId, title, duration, serviceUrl } = asRow(row);
	const [customer, rep] = ['customerName', 'userName'].map((name) => fieldIn(asRow(row), name));
	const minutes = typeof duration === 'number' && `${Math.round(duration / 60)} min`;
	const date = DateTime.fromMillis(dateOf(row, 'date'), { zone });
	// n8n saves name and link, too: neither may begin with `=`.
	const day = date.isValid ? date.toFormat('yyyy-MM-dd HH:mm') : 'No date';
	return {
		name: [day, minutes, customer, title, rep].filter(Boolean).join(' – '),
		value: String(conversationId),
		...(/^https?:/.test(String(serviceUrl)) && { url: String(serviceUrl) }),
	};
}
