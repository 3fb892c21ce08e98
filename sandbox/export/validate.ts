/** A request body that the export API does not take. */
export class InvalidBody extends Error {}

export interface Range {
	from: number;
	to: number;
}

export interface ConversationsRequest extends Range {
	by: 'date' | 'processedDate';
	page: number;
	limit: number;
	users: string[];
}

const timestamp = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d+)?)?Z$/;
const dateTypes: Record<string, ConversationsRequest['by']> = {
	timeOfRecording: 'date',
	processedDate: 'processedDate',
};
const mostPerPage = 50;

type Body = Record<string, unknown>;

function objectOf(body: unknown): Body {
	if (typeof body !== 'object' || body === null || Array.isArray(body)) {
		throw new InvalidBody('The body must be a JSON object');
	}
	return Object.fromEntries(Object.entries(body));
}

function time(body: Body, field: string): number {
	const value = body[field];
	const at = typeof value === 'string' && timestamp.test(value) ? Date.parse(value) : Number.NaN;
	if (Number.isNaN(at)) throw new InvalidBody(`${field} must be a UTC timestamp ending in Z`);
	return at;
}

function wholeNumber(body: Body, field: string, fallback: number, most: number): number {
	const value = body[field] ?? fallback;
	if (typeof value !== 'number' || !Number.isInteger(value) || value < 1 || value > most) {
		throw new InvalidBody(
			`${field} must be a whole number ${most === Infinity ? 'from 1' : `from 1 to ${most}`}`,
		);
	}
	return value;
}

/** Emails of the `users` filter; `[]` stands for all users. */
export function usersIn(body: unknown): string[] {
	const { users } = objectOf(body);
	if (users === undefined) return [];
	if (!Array.isArray(users) || !users.every((email): email is string => typeof email === 'string')) {
		throw new InvalidBody('users must be an array of emails');
	}
	return users;
}

/**
 * `fromDate` and `toDate` as epoch milliseconds.
 * @throws InvalidBody – sandbox's own choice: D1 shows neither status nor text for an invalid body.
 */
export function rangeIn(body: unknown): Range {
	const object = objectOf(body);
	const range = { from: time(object, 'fromDate'), to: time(object, 'toDate') };
	if (range.to <= range.from) throw new InvalidBody('toDate must be after fromDate');
	return range;
}

/** The body of `POST /export/conversations` with its defaults (D1 § POST {base_url}/export/conversations). */
export function conversationsRequestIn(body: unknown): ConversationsRequest {
	const object = objectOf(body);
	const by = dateTypes[String(object.dateType ?? 'timeOfRecording')];
	if (!by) throw new InvalidBody('dateType must be timeOfRecording or processedDate');
	return {
		...rangeIn(body),
		by,
		page: wholeNumber(object, 'page', 1, Infinity),
		limit: wholeNumber(object, 'limit', mostPerPage, mostPerPage),
		users: usersIn(body),
	};
}

/** The `includeSubteams` of `POST /export/teams`, default false. */
export function includeSubteamsIn(body: unknown): boolean {
	const { includeSubteams = false } = objectOf(body);
	if (typeof includeSubteams !== 'boolean') throw new InvalidBody('includeSubteams must be a boolean');
	return includeSubteams;
}
