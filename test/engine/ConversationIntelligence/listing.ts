import type { INodeParameters } from 'n8n-workflow';

/** A Get Many of the export node: everything from 2020 to 2029, with all fields. */
export const list = (resource: string, operation: string): INodeParameters => ({
	...{ resource, operation, returnAll: true, output: 'raw' },
	...{ dateRange: 'custom', fromDate: '2020-01-01T00:00:00Z', toDate: '2030-01-01T00:00:00Z' },
});

/** The lists, by the array of the response that they read. */
export const LISTS = {
	conversations: list('conversation', 'getAll'),
	awaitingUpload: list('recording', 'getAwaitingUpload'),
	errored: list('recording', 'getErrored'),
	teams: list('team', 'getAll'),
	users: list('user', 'getAll'),
};

/** The parameters that filter a list by users. */
export const onlyUsers = (users: string[]): INodeParameters => ({ filters: { users } });

/** The parameters that select rows of a list by processed date. */
export const byProcessing = { filters: { dateType: 'processedDate' } };
