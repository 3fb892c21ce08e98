import type { INode, INodeProperties, IDataObject } from 'n8n-workflow';
import { codedError, refusedValue, VALUE_ERRORS } from '../base/codedError';
import { quoted, isObject } from '../base/text';
import { howEntered, textList, typedValue } from '../node/parameters';
import { SELECTION_ERRORS } from './errors';
import { fieldIn } from '../exportApi/rows';

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
	if (!texts) throw refusedValue(SELECTION_ERRORS, 'users_not_a_list', { field, value });
	const users = texts.flatMap((text) => text.match(PART) ?? []);
	const parts = users.map((user) => user.trim()).filter((user) => user !== '');
	const emails = parts.map((user) => (NAMED.exec(user)?.[1] ?? user).trim());
	const wrong = emails.findIndex((email) => !EMAIL.test(email));
	if (wrong !== -1) {
		throw codedError(SELECTION_ERRORS, 'user_not_email', { user: quoted(parts[wrong]) }, { field });
	}
	return emails.length > 0 ? [...new Set(emails)] : undefined;
}

/** How a filter is entered, and what it compares. */
interface Rule<Value> {
	property: INodeProperties;
	field: string | string[];
	/** The filter of an entered value, undefined for one that does not filter; without it, the value by its property. */
	read?: (entered: unknown, label: string) => Value | undefined;
	/** @param value of the field; a list for several */
	passes: (value: unknown, wanted: Value) => boolean;
}

/** Gives a rule the type of what is wanted. */
const rule = <Value>(one: Rule<Value>) => one;

const readNames = (entered: unknown, label: string) => readTexts(entered, label)?.map(keyOf);
const hasName = (value: unknown, names: string[]) => names.includes(keyOf(value));

const namesProperty = (displayName: string, name: string, rowsFor: string[]): INodeProperties => ({
	displayName,
	name,
	type: 'string',
	displayOptions: { show: { '/rowsFor': rowsFor } },
	default: '',
	placeholder: 'e.g. Budget, "Price, terms"',
	description: 'Only rows with one of these names, with commas between them',
});

const teamsFilter = {
	displayName: 'Team Names or IDs',
	name: 'teams',
	type: 'multiOptions',
	typeOptions: { loadOptionsMethod: 'getTeams' },
	default: [],
	description:
		'Only the current members of these teams, found in the users list. Choose from the list, or specify IDs using an <a href="https://docs.n8n.io/code/expressions/">expression</a>.',
} as const satisfies INodeProperties;

/** Each filter: how it is entered, and what it compares. */
export const RULES = {
	/** Exact emails. */
	users: rule<string[]>({
		property: usersFilter,
		field: 'userEmail',
		read: readUsers,
		passes: (email, users) => users.some((user) => user === email),
	}),
	/** IDs, or exact names until the teams are known; for rows of teams, while those of users are filtered by `users`. */
	teams: rule<string[]>({
		property: teamsFilter,
		field: 'teamId',
		read: readTexts,
		passes: (id, teams) => teams.includes(String(id)),
	}),
	outcomes: rule<string[]>({
		property: {
			displayName: 'Outcome',
			name: 'outcome',
			type: 'string',
			default: '',
			placeholder: 'e.g. No Show, "Sold, financed"',
			description: 'Only rows with one of these outcomes. Applied by the node after reading.',
		},
		field: 'outcome',
		read: readNames,
		passes: hasName,
	}),
	minDuration: rule<number>({
		property: {
			displayName: 'Minimum Duration (Seconds)',
			name: 'minDuration',
			type: 'number',
			typeOptions: { minValue: 0 },
			default: 60,
			description: 'Only recordings that are at least this long. Applied by the node after reading.',
		},
		field: 'duration',
		passes: (duration, seconds) => Number(duration) >= seconds,
	}),
	hasTranscript: rule<boolean>({
		property: {
			displayName: 'Has Transcript',
			name: 'hasTranscript',
			type: 'boolean',
			default: true,
			description:
				'Whether to return only conversations with a transcript. Applied by the node after reading.',
		},
		field: 'transcriptUrl',
		passes: (url) => typeof url === 'string' && url !== '',
	}),
	noAppointment: rule<boolean>({
		property: {
			displayName: 'No Appointment',
			name: 'noAppointment',
			type: 'boolean',
			default: true,
			description:
				'Whether to return only rows that are linked to no CRM or calendar event. Applied by the node after reading.',
		},
		field: 'crmEventID',
		// Without the field nothing is known, and a match would replace the link.
		passes: (id) => id === null || id === '',
	}),
	text: rule<string[]>({
		property: {
			displayName: 'Text',
			name: 'text',
			type: 'string',
			default: '',
			placeholder: 'e.g. Miller roof',
			description:
				'Only conversations with all these words in title, customer, rep, summaries or CRM event ID. Applied by the node after reading.',
		},
		field: ['title', 'customerName', 'userName', 'userEmail', 'jobSummary', 'customSummary', 'crmEventID'],
		read: readWords,
		passes(values, words) {
			const all = folded((values as unknown[]).join('\n'));
			// Also without what joins: ONeil finds O'Neil, and 1042 finds 10-42.
			const joined = all.replace(/[^\p{L}\p{N}\s]+/gu, '');
			// Phone numbers, whatever is between their digits.
			const text = [all.replace(NO_WORD, ' '), joined, joined.replace(/(?<=\d) (?=\d)/g, '')].join('\n');
			return words.every((word) => text.includes(word));
		},
	}),
	roles: rule<string[]>({
		property: {
			displayName: 'Role',
			name: 'role',
			type: 'string',
			default: '',
			placeholder: 'e.g. Owner, "Rep, senior"',
			description: 'Only users with one of these roles, with commas between them',
		},
		field: 'role',
		read: readNames,
		passes: hasName,
	}),
	activeOnly: rule<boolean>({
		property: {
			displayName: 'Active Only',
			name: 'activeOnly',
			type: 'boolean',
			default: true,
			description: 'Whether to leave out users who were removed or deactivated',
		},
		field: 'isRemoved',
		passes: (isRemoved) => isRemoved !== true,
	}),
	checklistNames: rule<string[]>({
		property: namesProperty('Checklist Names', 'checklistNames', ['checklists', 'trackers']),
		field: 'checklistName',
		read: readNames,
		passes: hasName,
	}),
	trackerNames: rule<string[]>({
		property: namesProperty('Tracker Names', 'trackerNames', ['trackers']),
		field: 'trackerName',
		read: readNames,
		passes: hasName,
	}),
	hitOrMissed: rule<'hit' | 'missed'>({
		property: {
			displayName: 'Hit or Missed',
			name: 'hitOrMissed',
			type: 'options',
			displayOptions: { show: { '/rowsFor': ['trackers'] } },
			options: [
				{ name: 'Hit', value: 'hit' },
				{ name: 'Missed', value: 'missed' },
			],
			default: 'missed',
			description: 'Only trackers that were hit, or only those that were missed',
		},
		field: 'trackerIsHit',
		passes: (isHit, wanted) => isHit === (wanted === 'hit'),
	}),
};

/** What each filter wants, as data: names in lower case, text as words in capitals. */
type Wanted = { [Name in keyof typeof RULES]: Parameters<(typeof RULES)[Name]['passes']>[1] };

/** Which conversations, or which entries of them, are wanted; what is not set does not filter. */
export type ConversationFilter = Partial<Wanted>;

/** Texts of a list; undefined if there is none. @throws CodedError for anything but text or a list of text */
function readTexts(value: unknown, field: string): string[] | undefined {
	const texts = textList(value, field);
	const rule = 'text or a list of text';
	if (!texts) throw refusedValue(VALUE_ERRORS, 'value_invalid', { field, value, rule });
	return texts.length > 0 ? texts : undefined;
}

/** What separates words: all but the letters and digits of any script. */
const NO_WORD = /[^\p{L}\p{N}]+/gu;

/** The words of a text, folded; undefined if it is empty. @throws CodedError for a text without words, which finds nothing */
function readWords(value: unknown, field: string): string[] | undefined {
	const words = typeof value === 'string' ? folded(value).split(NO_WORD).filter(Boolean) : [];
	if (words.length > 0) return words;
	if (typeof value === 'string' && value.trim() === '') return undefined;
	const rule = 'text with a letter or a digit';
	throw refusedValue(VALUE_ERRORS, 'value_invalid', { field, value, rule });
}

/** In capitals, the only case in which ß is SS and a final sigma no other letter, and without accents. */
const folded = (text: string) =>
	text
		.normalize('NFKD')
		.toUpperCase()
		.replace(/\p{M}/gu, '')
		.replace(/Ł/g, 'L')
		.replace(/Ø/g, 'O')
		.replace(/Đ/g, 'D');

/** Names are made by people, so case and outer spaces do not count. */
function keyOf(value: unknown): string {
	return typeof value === 'string' ? value.trim().toLowerCase() : '';
}

const NAMES = Object.keys(RULES) as Array<keyof Wanted>;
const OF_ENTRIES: Array<keyof Wanted> = ['checklistNames', 'hitOrMissed', 'trackerNames'];

const propertiesOf = (names: Array<keyof Wanted>) => names.map((name) => RULES[name].property);

/** The filters of conversations and recordings that the service itself lacks. */
export const recordingFilters = propertiesOf(['minDuration', 'noAppointment', 'outcomes', 'teams']);
export const conversationFilters = [RULES.hasTranscript.property, ...recordingFilters];

/** The filter of conversations by their words. */
export const textFilter = RULES.text.property;

/** The filters of the rows that are made of a conversation's checklists and trackers. */
export const entryFilters = propertiesOf(OF_ENTRIES);

/** The filters of users' metrics. */
export const userFilters = propertiesOf(['activeOnly', 'roles', 'teams', 'users']);

/** As {@link teamsFilter}, for the rows of teams themselves. */
export const teamRowsFilter: INodeProperties = {
	...teamsFilter,
	description:
		'Only these teams. Choose from the list, or specify IDs using an <a href="https://docs.n8n.io/code/expressions/">expression</a>.',
};

/** The filters that are set, by name. */
const setIn = (filter: ConversationFilter) => NAMES.filter((name) => filter[name] !== undefined);

const valueOf = (row: IDataObject, field: string | string[]) =>
	Array.isArray(field) ? field.map((name) => fieldIn(row, name)) : fieldIn(row, field);

/** The first filter that a row does not pass, by its label; undefined if it passes all. */
export function failedFilter(filter: ConversationFilter, row: IDataObject): string | undefined {
	const failed = setIn(filter).find((name) => {
		const { field, passes } = RULES[name] as Rule<unknown>;
		return !passes(valueOf(row, field), filter[name]);
	});
	return failed && RULES[failed].property.displayName;
}

/** Whether a row passes every filter that is set. */
export const passes = (filter: ConversationFilter, row: IDataObject) =>
	failedFilter(filter, row) === undefined;

/** The part of a filter that compares nothing but fields that a row has. */
export function decidable(filter: ConversationFilter, row: IDataObject): ConversationFilter {
	const isKnown = (field: string) => fieldIn(row, field) !== undefined;
	const known = setIn(filter).filter((name) => [RULES[name].field].flat().every(isKnown));
	return Object.fromEntries(known.map((name) => [name, filter[name]]));
}

/** Labels of the filters that are set. */
export const labelsOf = (filter: ConversationFilter) =>
	setIn(filter).map((name) => RULES[name].property.displayName);

/** Whether two filters want the same rows, whatever the order of their parts. */
export const isSameFilter = (one: ConversationFilter, other: ConversationFilter) =>
	JSON.stringify(one, NAMES) === JSON.stringify(other, NAMES);

/** A filter of a list; counts the rows that it drops. */
export class RowFilter {
	dropped = 0;

	constructor(readonly filter: ConversationFilter) {}

	passes(row: IDataObject): boolean {
		const isWanted = passes(this.filter, row);
		if (!isWanted) this.dropped++;
		return isWanted;
	}
}

type SavedNode = Pick<INode, 'parameters' | 'type'>;

/**
 * Reads the filters of rows; without a filter, or with one that a person or a model left empty, all rows are wanted.
 * @param filters of the item
 * @param node shows how each filter was entered
 * @throws CodedError that names an unusable filter, and one whose expression returns nothing
 */
export const readFilters = (filters: IDataObject, node: SavedNode) =>
	readRules(
		filters,
		node,
		NAMES.filter((name) => !OF_ENTRIES.includes(name)),
	);

/** As {@link readFilters}, for the entries of a conversation. */
export const readEntryFilter = (filters: IDataObject, node: SavedNode) =>
	readRules(filters, node, OF_ENTRIES);

function readRules(filters: IDataObject, node: SavedNode, names: Array<keyof Wanted>): ConversationFilter {
	const found = names.map((name) => [name, readRule(RULES[name] as Rule<unknown>, filters, node)] as const);
	// A switch that is off does not filter.
	return Object.fromEntries(found.filter(([, value]) => value !== undefined && value !== false));
}

function readRule({ property, read }: Rule<unknown>, filters: IDataObject, node: SavedNode): unknown {
	const { name, displayName: field } = property;
	if (!Object.hasOwn(filters, name)) return undefined;
	const { filters: saved }: IDataObject = node.parameters;
	const entered = howEntered(node, isObject(saved) ? saved[name] : saved);
	const value: unknown = filters[name];
	if (entered === 'byModel' && String(value ?? '').trim() === '') return undefined;
	const wanted = read ? read(value, field) : typedValue(value, property);
	if (wanted !== undefined || entered !== 'computed') return wanted;
	const code = name === 'users' || name === 'teams' ? (`${name}_filter_empty` as const) : 'filter_empty';
	throw codedError(SELECTION_ERRORS, code, { field }, { field });
}
