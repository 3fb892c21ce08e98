import type { INodeProperties } from 'n8n-workflow';
import { codedError } from '../errors/codedError';
import { quoted, refusedValue } from '../node/parameters';
import { textList } from '../node/textList';
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

/** An address between two separators. Commas inside quotes and brackets do not separate. */
const PART = /(?:"[^"]*"|<[^<>]*>|[^,;\r\n])+/g;

/** An address after the name of its person, e.g. `Ana Diaz <ana@example.com>`. */
const NAMED = /^[^<>@]*<([^<>]*)>$/;

const EMAIL = /^[^\s@"<>()[\],;:]+@[^\s@"<>()[\],;:]+$/;

/**
 * Reads the users filter (D1 § POST /export/conversations: exact, case-sensitive; omitted means all users).
 * @param value as {@link textList} reads it, also with semicolons between addresses, with or without names
 * @returns undefined for nobody
 * @throws CodedError for a value of another type, and for a user that is not one email
 */
export function readUsers(value: unknown, field: string): string[] | undefined {
	const texts = textList(value, field);
	if (!texts) throw refusedValue(EXPORT_API_ERRORS, 'users_not_a_list', { field, value });
	const users = texts.flatMap((text) => text.match(PART) ?? []);
	const parts = users.map((user) => user.trim()).filter((user) => user !== '');
	const emails = parts.map((user) => (NAMED.exec(user)?.[1] ?? user).trim());
	const wrong = emails.findIndex((email) => !EMAIL.test(email));
	if (wrong !== -1) {
		throw codedError(EXPORT_API_ERRORS, 'user_not_email', { user: quoted(parts[wrong]) }, { field });
	}
	return emails.length > 0 ? [...new Set(emails)] : undefined;
}
