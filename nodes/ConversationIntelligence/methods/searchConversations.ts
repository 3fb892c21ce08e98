import type {
	IDataObject,
	ILoadOptionsFunctions,
	INodeListSearchItems,
	INodeListSearchResult,
} from 'n8n-workflow';
import { jsonRequest } from '../../shared/transport';

const DAYS = 30;

/**
 * Conversations of the last 30 days, page by page as the list is scrolled; a filter looks for words in title, rep and
 * ID of the page at hand (D1 § POST /export/conversations has no search).
 *
 * @param paginationToken the page to show
 */
export async function searchConversations(
	this: ILoadOptionsFunctions,
	filter?: string,
	paginationToken?: string,
): Promise<INodeListSearchResult> {
	const [page = 1, until = Date.now()] = (paginationToken ?? '').split('@').filter(Boolean).map(Number);
	const { data } = await jsonRequest(this, {
		credentialType: 'conversationExportApi',
		method: 'POST',
		path: '/export/conversations',
		body: {
			fromDate: new Date(until - DAYS * 86_400_000).toISOString(),
			toDate: new Date(until).toISOString(),
			page,
		},
	});
	const rows = Array.isArray(data.conversations) ? (data.conversations as IDataObject[]) : [];
	const words = (filter ?? '').toLowerCase().split(/\s+/).filter(Boolean);
	const results = rows
		.map(resultOf)
		.filter(({ name, value }) => words.every((word) => `${name} ${value}`.toLowerCase().includes(word)));
	const isLast = rows.length === 0 || page >= Number(data.totalPages);
	return { results, ...(isLast ? {} : { paginationToken: `${page + 1}@${until}` }) };
}

function resultOf({ conversationId, title, date, user, serviceUrl }: IDataObject): INodeListSearchItems {
	const rep = (user as IDataObject | undefined)?.name;
	const parts = [String(date).slice(0, 16).replace('T', ' '), title, rep].filter(Boolean);
	return {
		name: parts.join(' – '),
		value: String(conversationId),
		...(typeof serviceUrl === 'string' ? { url: serviceUrl } : {}),
	};
}
