import { jsonParse, type IDataObject, type INode, type INodeProperties } from 'n8n-workflow';
import { codedError } from '../errors/codedError';
import { isTool } from '../errors/nodeError';
import { assertLength, entryOf, MAX_LIST, quoted, refusedValue } from '../node/parameters';
import { EXPORT_API_ERRORS } from './errors';

/** The users filter, an entry of Filters: picked from the service's list, typed, or computed by an expression. */
export const usersFilter: INodeProperties = {
	displayName: 'User Names or IDs',
	name: 'users',
	type: 'multiOptions',
	typeOptions: { loadOptionsMethod: 'getUsers' },
	default: [],
	description:
		'Only these users; the IDs are their emails. Choose from the list, or specify IDs using an <a href="https://docs.n8n.io/code/expressions/">expression</a>.',
};

/** Text between two separators. Commas inside quotes and brackets do not separate. */
const PART = /(?:"[^"]*"|<[^<>]*>|[^,;\r\n])+/g;

/** An address after the name of its person, e.g. `Ana Diaz <ana@example.com>`. */
const NAMED = /^[^<>@]*<([^<>]*)>$/;

const EMAIL = /^[^\s@"<>()[\],;:]+@[^\s@"<>()[\],;:]+$/;

/**
 * Reads the users filter (D1 § POST /export/conversations: exact, case-sensitive; omitted means all users).
 *
 * @param filters of the item; `users` is a list of emails, its JSON, or text with commas, semicolons or line breaks
 *   between them, with or without names
 * @param node shows what a person entered
 * @returns undefined for all users: without the filter, or with one that a person left empty
 * @throws CodedError for a value of another type or an expression that returns nobody, which must not mean all users, and
 *   for a user that is not one email
 */
export function readUsers(
	filters: IDataObject,
	node: Pick<INode, 'parameters' | 'type'>,
): string[] | undefined {
	const field = usersFilter.displayName;
	const value = entryOf(filters, 'users', []);
	assertLength(value, field, MAX_LIST);
	const isJson = typeof value === 'string' && /^\s*\[/.test(value);
	const list = isJson ? jsonParse<unknown>(value, { fallbackValue: value }) : value;
	const users = (Array.isArray(list) ? list : [list]).flatMap((entry: unknown) => {
		assertLength(entry, field, MAX_LIST);
		if (typeof entry === 'string') return entry.match(PART) ?? [];
		throw refusedValue(EXPORT_API_ERRORS, 'users_not_a_list', { field, value });
	});
	const parts = users.map((user) => user.trim()).filter((user) => user !== '');
	const emails = parts.map((user) => (NAMED.exec(user)?.[1] ?? user).trim());
	const wrong = emails.findIndex((email) => !EMAIL.test(email));
	if (wrong !== -1) {
		throw codedError(EXPORT_API_ERRORS, 'user_not_email', { user: quoted(parts[wrong]) }, { field });
	}
	if (emails.length > 0) return [...new Set(emails)];
	if (Object.hasOwn(filters, usersFilter.name) && isComputed(node, usersFilter.name)) {
		throw codedError(EXPORT_API_ERRORS, 'users_filter_empty', {}, { field });
	}
	return undefined;
}

/**
 * Whether an expression makes a filter; n8n resolves it before the node sees the value. A tool's is left to the model,
 * which leaves it empty for all rows.
 */
export function isComputed({ parameters, type }: Pick<INode, 'parameters' | 'type'>, name: string): boolean {
	if (isTool({ type })) return false;
	const entered = (parameters.filters as IDataObject | undefined)?.[name];
	return typeof entered === 'string' && entered.startsWith('=');
}
