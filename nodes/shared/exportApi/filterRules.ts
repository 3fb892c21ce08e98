import type { INodeProperties } from 'n8n-workflow';
import { PARAMETER_ERRORS } from '../node/errors';
import { refusedValue } from '../node/parameters';
import { textList } from '../node/textList';
import { readUsers, usersFilter } from './usersFilter';

/** How a filter is entered, and what it compares. */
export interface Rule<Value> {
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

export const teamsFilter = {
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
			const text = all.replace(NO_WORD, ' ') + all.replace(/[^\p{L}\p{N}\s]+/gu, '');
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
export type Wanted = { [Name in keyof typeof RULES]: Parameters<(typeof RULES)[Name]['passes']>[1] };

/** Which conversations, or which entries of them, are wanted; what is not set does not filter. */
export type ConversationFilter = Partial<Wanted>;

/** Texts of a list; undefined if there is none. @throws CodedError for anything but text or a list of text */
function readTexts(value: unknown, field: string): string[] | undefined {
	const texts = textList(value, field);
	const rule = 'text or a list of text';
	if (!texts) throw refusedValue(PARAMETER_ERRORS, 'value_invalid', { field, value, rule });
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
	throw refusedValue(PARAMETER_ERRORS, 'value_invalid', { field, value, rule });
}

/** In capitals, the only case in which ß is SS and a final sigma no other letter, and without accents. */
const folded = (text: string) => text.normalize('NFKD').toUpperCase().replace(/\p{M}/gu, '');

/** Names are made by people, so case and outer spaces do not count. */
function keyOf(value: unknown): string {
	return typeof value === 'string' ? value.trim().toLowerCase() : '';
}
