import type { INodeParameters } from 'n8n-workflow';

/** From 2020 to 2029. */
export const RANGE = {
	dateRange: 'custom',
	fromDate: '2020-01-01T00:00:00Z',
	toDate: '2030-01-01T00:00:00Z',
};

/** A Get Many of the export node: everything in the range, with all fields. */
const list = (resource: string, operation: string): INodeParameters => ({
	resource,
	operation,
	returnAll: true,
	output: 'raw',
	...RANGE,
});

/** Get Many of all conversations. */
export const GET_ALL = list('conversation', 'getAll');

/** The lists, by the arrays of the response that they read: recordings without a conversation are in two. */
export const LISTS = {
	conversations: GET_ALL,
	missing: list('recording', 'getMissing'),
	teams: list('team', 'getAll'),
	users: list('user', 'getAll'),
};

/** The parameters that select rows of a list by processed date. */
export const byProcessing = { selectBy: 'processedDate' };

/** The body of the response to a request for a page of these conversations. */
export function pageOf(rows: Array<{ date: string }>, request: unknown): string {
	const { fromDate, toDate, page, limit } = request as Record<string, string> &
		Record<'page' | 'limit', number>;
	const inside = rows.filter(({ date }) => date >= fromDate && date <= toDate);
	const conversations = inside.slice((page - 1) * limit, page * limit);
	return JSON.stringify({ conversations, totalConversations: inside.length });
}
