import { jsonParse, type INodePropertyMode } from 'n8n-workflow';
import {
	assertLength,
	codedError,
	MAX_LIST,
	refusedValue,
	VALUE_ERRORS,
	type ErrorTable,
} from '../base/codedErrors';
import { isObject, normalized, quoted } from '../base/text';
import type { Item } from '../node/item';

/** What can be wrong with a conversation ID or with a filter. */
export const SELECTION_ERRORS = {
	conversation_id_invalid: [
		'{field} must be a UUID or a link with one (it is {value})',
		'Use the ID or the link of a conversation, e.g. from the output of Get Many.',
	],
	user_not_email: [
		'The user {user} is not an email address',
		'Use exact, case-sensitive emails, separated by commas. The service cannot filter by names.',
	],
	filter_empty: [
		'The expression for {field} returned nothing to filter by',
		'Correct the expression, or enter a fixed value.',
	],
	said_missing: ['{field} needs the filter Words Said', 'Add Words Said to Filters, e.g. "too expensive".'],
	team_without_members: [
		'No user that the API key may see is in the teams {teams} or their subteams',
		'Choose other teams, or remove the filter.',
	],
	user_not_in_teams: [
		'None of the users of the filter is in the teams {teams} or their subteams',
		'Choose other teams or users, or remove one of the two filters.',
	],
	no_sample: [
		'No conversation{which} was processed in the last {days} days{example}',
		'Publish the workflow anyway{correct}.',
	],
} as const satisfies ErrorTable;

/** The lookbehind prevents a match inside a longer run of hex digits, so that each run is searched only once. */
const UUID = '(?<![0-9a-fA-F])[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}';
/** What precedes the ID: `conversations/`, or anything if the address has a single ID. */
const BEFORE_ID = `(?:.*[Cc]onversations?/|(?!.*${UUID}.*${UUID}).*?)`;
const URL_ID = `^${BEFORE_ID}(${UUID})`;

/** How a resource locator names a conversation without a list: by its link in the web app, or by ID. */
export const conversationReference = {
	modes: [
		{
			displayName: 'By URL',
			name: 'url',
			type: 'string',
			placeholder: 'e.g. https://…/conversations/3f2b8c1e-…',
			extractValue: { type: 'regex', regex: URL_ID },
			validation: [
				{
					type: 'regex',
					properties: {
						regex: `^${BEFORE_ID}${UUID}.*`,
						errorMessage: 'The URL must contain exactly one conversation ID',
					},
				},
			],
		},
		{ displayName: 'By ID', name: 'id', type: 'string', placeholder: 'e.g. 3f2b8c1e-5d7a-…' },
	],
} satisfies { modes: INodePropertyMode[] };

/**
 * The ID in the parameter `conversationId`, a resource locator or, in older workflows and from agents, text.
 * @throws CodedError when it is not a UUID, before anything is requested
 */
export function readConversationId({ context, index, ids }: Item): string {
	const given = context.getNodeParameter('conversationId', index, '') as unknown;
	const { mode, value } = isObject(given) ? given : { mode: 'id', value: given };
	assertLength(value, 'Conversation');
	const text = typeof value === 'string' ? value.trim() : '';
	// n8n's own extraction would fail without saying what is wrong.
	const isLink = mode === 'url' || /^https?:\/\//i.test(text);
	const id = isLink ? (new RegExp(URL_ID).exec(text)?.[1] ?? text) : text;
	if (new RegExp(`^${UUID}$`).test(id)) return (ids.conversationId = id);
	const refused = { field: 'Conversation', value: typeof value === 'string' ? id : value };
	throw refusedValue(SELECTION_ERRORS, 'conversation_id_invalid', refused);
}

/** Text between two commas or line breaks; those do not separate inside quotes with which a part begins. */
const LIST_PART = /[ \t]*"(?:[^"]|"")*"[^,\r\n]*|[^,\r\n]+/g;

/** Quotes as phones and text editors write them, where a part begins. */
const CURLY = /((?:^|[,\r\n])[ \t]*)[“„]([^“”„"]*)[”“]/g;

const QUOTED = /^"((?:[^"]|"")*)"$/;
const withoutQuotes = (part: string) => QUOTED.exec(part.trim())?.[1].replaceAll('""', '"') ?? part;

/**
 * Reads a list of names, IDs or addresses, as people and expressions write it: a list of text, its JSON, or text such as
 * `Lost, "Sold, financed"`.
 * @returns what is more than separators, without outer spaces and quotes; undefined for an empty list
 * @throws CodedError for anything but text and lists of text, and for more than 50,000 characters
 */
export function readTexts(
	value: unknown,
	field: string,
	rule = 'text or a list of text',
): string[] | undefined {
	assertLength(value, field, MAX_LIST);
	const isJson = typeof value === 'string' && /^\s*\[/.test(value);
	const list = isJson ? jsonParse<unknown>(value, { fallbackValue: value }) : value;
	const texts: unknown =
		typeof list === 'string'
			? (list.replace(CURLY, '$1"$2"').match(LIST_PART) ?? []).map(withoutQuotes)
			: list;
	if (!Array.isArray(texts) || !texts.every((text) => typeof text === 'string')) {
		throw refusedValue(VALUE_ERRORS, 'value_invalid', { field, value, rule });
	}
	for (const text of texts) assertLength(text, field, MAX_LIST);
	const filled = texts.map((text) => text.trim()).filter((text) => /[^\s,;]/.test(text));
	return filled.length > 0 ? filled : undefined;
}

/** An address between two separators. Commas inside quotes and brackets do not separate. */
const ADDRESS = /(?:"[^"]*"|<[^<>]*>|[^,;\r\n])+/g;

/** An address after the name of its person, e.g. `Ana Diaz <ana@example.com>`. */
const NAMED = /^[^<>@]*<([^<>]*)>$/;

const USER_EMAIL = /^[^\s@"<>()[\],;:]+@[^\s@"<>()[\],;:]+$/;

/**
 * Reads the users filter (D1 § POST /export/conversations: exact, case-sensitive; omitted means all users): as
 * {@link readTexts}, also with semicolons between addresses, with or without names.
 * @throws CodedError also for a user that is not one email
 */
export function readUsers(value: unknown, field: string): string[] | undefined {
	const users = readTexts(value, field, 'a list of emails')?.flatMap((text) => text.match(ADDRESS) ?? []);
	const parts = users?.map((user) => user.trim()).filter((user) => user !== '');
	const emails = parts?.map((user) => (NAMED.exec(user)?.[1] ?? user).trim());
	const wrong = emails?.findIndex((email) => !USER_EMAIL.test(email)) ?? -1;
	if (wrong === -1) return emails && [...new Set(emails)];
	throw codedError(SELECTION_ERRORS, 'user_not_email', { user: quoted(parts?.[wrong]) }, { field });
}

export const locatorValue = (given: unknown): unknown =>
	isObject(given) && 'value' in given ? given.value : given;

/** What separates words: all but the letters and digits of any script. */
const NO_WORD = /[^\p{L}\p{N}]+/gu;
const wordsIn = (text: string) => withoutAccents(text).split(NO_WORD).filter(Boolean);

/** A text with words; undefined if it is empty. @throws CodedError for one without words, which finds nothing */
export function readWords(value: unknown, field: string): string | undefined {
	assertLength(value, field);
	// In a sheet, a phone number is a number.
	const text =
		typeof value === 'string' || Number.isSafeInteger(value) ? normalized(String(value)) : undefined;
	if (text === '') return undefined;
	if (text && wordsIn(text).length > 0) return text;
	throw refusedValue(VALUE_ERRORS, 'value_invalid', { field, value, rule: 'text with a letter or a digit' });
}

/** Whether the values contain all words of a text; neither case, accents nor punctuation count. */
export function hasWords(wanted: string, values: unknown[]): boolean {
	const all = withoutAccents(values.join('\n'));
	// Also without what joins: ONeil finds O'Neil, and 1042 finds 10-42.
	const joined = all.replace(/[^\p{L}\p{N}\s]+/gu, '');
	// Phone numbers, whatever is between their digits.
	const text = [all.replace(NO_WORD, ' '), joined, joined.replace(/(?<=\d) (?=\d)/g, '')].join('\n');
	return wordsIn(wanted).every((word) => text.includes(word));
}

/** In capitals, the only case in which ß is SS and a final sigma no other letter, and without accents. */
export const withoutAccents = (text: string) =>
	text
		.normalize('NFKD')
		.toUpperCase()
		.replace(/\p{M}/gu, '')
		.replace(/Ł/g, 'L')
		.replace(/Ø/g, 'O')
		.replace(/Đ/g, 'D');
