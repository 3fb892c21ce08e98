import type { INodeProperties } from 'n8n-workflow';

/** Typed e-mails; empty means all users. */
export const usersProperty: INodeProperties = {
	displayName: 'Users',
	name: 'users',
	type: 'string',
	default: '',
	placeholder: 'e.g. ana@example.com, ben@example.com',
	description: 'Comma-separated emails of reps, exact and case-sensitive. Empty means all users.',
};

/**
 * The users filter of a request body (D1: exact, case-sensitive; omitted means all users).
 *
 * @param value comma-separated text or an array, e.g. from an expression
 */
export function readUsers(value: unknown): { users?: string[] } {
	const entries = Array.isArray(value)
		? value.map(String)
		: typeof value === 'string'
			? value.split(',')
			: [];
	const users = [...new Set(entries.map((entry) => entry.trim()).filter((entry) => entry !== ''))];
	return users.length === 0 ? {} : { users };
}
