const RANGE = { dateRange: 'custom', fromDate: '2020-01-01T00:00:00Z', toDate: '2030-01-01T00:00:00Z' };
/** Get Many of all conversations, with all fields. */
export const GET_ALL = {
	resource: 'conversation',
	operation: 'getAll',
	returnAll: true,
	output: 'raw',
	...RANGE,
};
/** A text that no message may contain. */
export const KEY = 'a-key-that-must-never-be-shown';

/** Everything that a user can read about a failed run. */
export const shown = (error: unknown) => {
	const { message, description } = error as { message: string; description?: string };
	return `${message}\n${description}`;
};
