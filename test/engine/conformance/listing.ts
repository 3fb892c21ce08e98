import type { INodeParameters } from 'n8n-workflow';

/** A Get Many of the export node: everything from 2020 to 2029, with all fields. */
export const list = (resource: string, operation: string): INodeParameters => ({
	...{ resource, operation, returnAll: true, output: 'raw' },
	...{ dateRange: 'custom', fromDate: '2020-01-01T00:00:00Z', toDate: '2030-01-01T00:00:00Z' },
});

/** The lists by the array of the answer that each reads. */
export const LISTS = {
	conversations: list('conversation', 'getAll'),
	awaitingUpload: list('recording', 'getAwaitingUpload'),
	errored: list('recording', 'getErrored'),
	teams: list('team', 'getAll'),
	users: list('user', 'getAll'),
};

/** The parameters by which a list is filtered by users. */
export const onlyUsers = (users: string[]): INodeParameters => ({ filters: { users } });

/** The parameters by which a list selects by the date of processing. */
export const byProcessing = { filters: { dateType: 'processedDate' } };
