import type { INodeProperties } from 'n8n-workflow';
import { usersFilter } from './usersFilter';

/** How a filter is entered, and what it compares. */
export interface Rule<Value> {
	property: INodeProperties;
	field: string | string[];
	/** The filter of an entered value; undefined for one that does not filter. Absent for a filter that is read elsewhere. */
	read?: (entered: never) => Value | undefined;
	/** @param value of the field; a list for several */
	passes: (value: unknown, wanted: Value) => boolean;
}

/** Gives a rule the type of what is wanted. */
const rule = <Value>(one: Rule<Value>) => one;

const readAsIs = <Value>(value: Value) => value;
/** A switch that is off does not filter. */
const readTrue = (isOn: boolean) => isOn || undefined;
const readNames = (entered: string) => someOf(entered.split(',').map(keyOf));
const hasName = (value: unknown, names: string[]) => names.includes(keyOf(value));

const namesProperty = (displayName: string, name: string, rowsFor: string[]): INodeProperties => ({
	displayName,
	name,
	type: 'string',
	displayOptions: { show: { '/rowsFor': rowsFor } },
	default: '',
	placeholder: 'e.g. Budget, Next Steps',
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
		passes: (email, users) => users.some((user) => user === email),
	}),
	/** IDs or exact names, for rows of teams; those of users are filtered by `users`. */
	teams: rule<string[]>({
		property: teamsFilter,
		field: ['teamId', 'name'],
		passes: (idAndName, teams) =>
			(idAndName as unknown[]).some((value) => teams.some((team) => team === value)),
	}),
	outcomes: rule<string[]>({
		property: {
			displayName: 'Outcome',
			name: 'outcome',
			type: 'string',
			default: '',
			placeholder: 'e.g. Not Sold, No Show',
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
		read: readAsIs<number>,
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
		read: readTrue,
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
		read: readTrue,
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
		read: (entered: string) => someOf(folded(entered).split(/\s+/)),
		passes(values, words) {
			const all = folded((values as unknown[]).join('\n'));
			return words.every((word) => all.includes(word));
		},
	}),
	roles: rule<string[]>({
		property: {
			displayName: 'Role',
			name: 'role',
			type: 'string',
			default: '',
			placeholder: 'e.g. Sales Rep',
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
		read: readTrue,
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
		read: readAsIs<'hit' | 'missed'>,
		passes: (isHit, wanted) => isHit === (wanted === 'hit'),
	}),
};

/** What each filter wants, as data: names in lower case, text as folded words. */
export type Wanted = { [Name in keyof typeof RULES]: Parameters<(typeof RULES)[Name]['passes']>[1] };

/** Which conversations, or which entries of them, are wanted; what is not set does not filter. */
export type ConversationFilter = Partial<Wanted>;

/** Those that are not empty; undefined if all are. */
function someOf(texts: string[]): string[] | undefined {
	const some = texts.filter(Boolean);
	return some.length > 0 ? some : undefined;
}

/** In lower case and without accents. */
const folded = (value: string) => value.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();

/** Names are made by people, so case and outer spaces do not count. */
function keyOf(value: unknown): string {
	return typeof value === 'string' ? value.trim().toLowerCase() : '';
}
