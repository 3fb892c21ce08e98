import type { IDataObject, INode, INodeProperties } from 'n8n-workflow';
import { codedError } from '../errors/codedError';
import { optionOf } from '../node/parameters';
import { EXPORT_API_ERRORS } from './errors';
import { fieldIn } from './flatRow';
import { isComputed, usersFilter } from './usersFilter';

const outcome = {
	displayName: 'Outcome',
	name: 'outcome',
	type: 'string',
	default: '',
	placeholder: 'e.g. Not Sold, No Show',
	description: 'Only rows with one of these outcomes. Applied by the node after reading.',
} as const satisfies INodeProperties;

const minDuration = {
	displayName: 'Minimum Duration (Seconds)',
	name: 'minDuration',
	type: 'number',
	typeOptions: { minValue: 0 },
	default: 60,
	description: 'Only recordings that are at least this long. Applied by the node after reading.',
} as const satisfies INodeProperties;

const hasTranscript = {
	displayName: 'Has Transcript',
	name: 'hasTranscript',
	type: 'boolean',
	default: true,
	description: 'Whether to return only conversations with a transcript. Applied by the node after reading.',
} as const satisfies INodeProperties;

const noAppointment = {
	displayName: 'No Appointment',
	name: 'noAppointment',
	type: 'boolean',
	default: true,
	description:
		'Whether to return only rows that are linked to no CRM or calendar event. Applied by the node after reading.',
} as const satisfies INodeProperties;

const teamsFilter = {
	displayName: 'Team Names or IDs',
	name: 'teams',
	type: 'multiOptions',
	typeOptions: { loadOptionsMethod: 'getTeams' },
	default: [],
	description:
		'Only the current members of these teams, found in the users list. Choose from the list, or specify IDs using an <a href="https://docs.n8n.io/code/expressions/">expression</a>.',
} as const satisfies INodeProperties;

/** The filters of conversations and recordings that the service itself lacks. */
export const recordingFilters: INodeProperties[] = [minDuration, noAppointment, outcome, teamsFilter];
export const conversationFilters: INodeProperties[] = [hasTranscript, ...recordingFilters];

const namesOf = (displayName: string, name: string, rowsFor: string[]) =>
	({
		displayName,
		name,
		type: 'string',
		displayOptions: { show: { '/rowsFor': rowsFor } },
		default: '',
		placeholder: 'e.g. Budget, Next Steps',
		description: 'Only rows with one of these names, with commas between them',
	}) as const satisfies INodeProperties;

const checklistNames = namesOf('Checklist Names', 'checklistNames', ['checklists', 'trackers']);
const trackerNames = namesOf('Tracker Names', 'trackerNames', ['trackers']);

const hitOrMissed = {
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
} as const satisfies INodeProperties;

/** The filters of the rows that are made of a conversation's checklists and trackers. */
export const entryFilters: INodeProperties[] = [checklistNames, hitOrMissed, trackerNames];

const role = {
	displayName: 'Role',
	name: 'role',
	type: 'string',
	default: '',
	placeholder: 'e.g. Sales Rep',
	description: 'Only users with one of these roles, with commas between them',
} as const satisfies INodeProperties;

const activeOnly = {
	displayName: 'Active Only',
	name: 'activeOnly',
	type: 'boolean',
	default: true,
	description: 'Whether to leave out users who were removed or deactivated',
} as const satisfies INodeProperties;

/** The filters of users' metrics. */
export const userFilters: INodeProperties[] = [activeOnly, role, teamsFilter, usersFilter];

/** Which conversations, or which entries of them, are wanted, as data; what is not set does not filter. */
export interface ConversationFilter {
	/** Exact emails. */
	users?: string[];
	/** In lower case. */
	outcomes?: string[];
	/** In seconds. */
	minDuration?: number;
	hasTranscript?: boolean;
	noAppointment?: boolean;
	/** In lower case, as all names. */
	roles?: string[];
	activeOnly?: boolean;
	checklistNames?: string[];
	trackerNames?: string[];
	hitOrMissed?: 'hit' | 'missed';
}

type Wanted = Required<ConversationFilter>;

/** What each filter compares. */
const RULES: {
	[Name in keyof Wanted]: {
		label: string;
		field: string;
		passes: (value: unknown, wanted: Wanted[Name]) => boolean;
	};
} = {
	users: {
		label: usersFilter.displayName,
		field: 'userEmail',
		passes: (email, users) => users.some((user) => user === email),
	},
	outcomes: {
		label: outcome.displayName,
		field: 'outcome',
		passes: (value, outcomes) => outcomes.includes(keyOf(value)),
	},
	minDuration: {
		label: minDuration.displayName,
		field: 'duration',
		passes: (duration, seconds) => Number(duration) >= seconds,
	},
	hasTranscript: {
		label: hasTranscript.displayName,
		field: 'transcriptUrl',
		passes: (url, isWanted) => !isWanted || (typeof url === 'string' && url !== ''),
	},
	noAppointment: {
		label: noAppointment.displayName,
		field: 'crmEventID',
		passes: (id, isWanted) => !isWanted || (id ?? '') === '',
	},
	roles: {
		label: role.displayName,
		field: 'role',
		passes: (value, roles) => roles.includes(keyOf(value)),
	},
	activeOnly: {
		label: activeOnly.displayName,
		field: 'isRemoved',
		passes: (isRemoved, isWanted) => !isWanted || isRemoved !== true,
	},
	checklistNames: {
		label: checklistNames.displayName,
		field: 'checklistName',
		passes: (name, names) => names.includes(keyOf(name)),
	},
	trackerNames: {
		label: trackerNames.displayName,
		field: 'trackerName',
		passes: (name, names) => names.includes(keyOf(name)),
	},
	hitOrMissed: {
		label: hitOrMissed.displayName,
		field: 'trackerIsHit',
		passes: (isHit, wanted) => isHit === (wanted === 'hit'),
	},
};

const NAMES = Object.keys(RULES) as Array<keyof Wanted>;

/** The filters that are set, by name. */
const setIn = (filter: ConversationFilter) => NAMES.filter((name) => filter[name] !== undefined);

/** The first filter that a row does not pass, by its label; undefined if it passes all. */
export function failedFilter(filter: ConversationFilter, row: IDataObject): string | undefined {
	const failed = setIn(filter).find((name) => {
		const { field, passes } = RULES[name] as { field: string; passes: (...args: unknown[]) => boolean };
		return !passes(fieldIn(row, field), filter[name]);
	});
	return failed && RULES[failed].label;
}

export const passes = (filter: ConversationFilter, row: IDataObject) =>
	failedFilter(filter, row) === undefined;

/** The part of a filter that compares nothing but fields that a row has. */
export function decidable(filter: ConversationFilter, row: IDataObject): ConversationFilter {
	const known = setIn(filter).filter((name) => fieldIn(row, RULES[name].field) !== undefined);
	return Object.fromEntries(known.map((name) => [name, filter[name]]));
}

/** Labels of the filters that are set. */
export const labelsOf = (filter: ConversationFilter) => setIn(filter).map((name) => RULES[name].label);

export const isSameFilter = (one: ConversationFilter, other: ConversationFilter) =>
	JSON.stringify(NAMES.map((name) => one[name] ?? null)) ===
	JSON.stringify(NAMES.map((name) => other[name] ?? null));

/** A filter of a list; counts the rows that it drops. */
export class RowFilter {
	dropped = 0;

	constructor(private readonly filter: ConversationFilter) {}

	/** Labels of the filters that the user added. */
	get labels(): string[] {
		return labelsOf(this.filter);
	}

	passes(row: IDataObject): boolean {
		const isWanted = passes(this.filter, row);
		if (!isWanted) this.dropped++;
		return isWanted;
	}
}

/**
 * Reads the filters that the service itself lacks, teams aside.
 *
 * @throws CodedError that names the unusable filter
 */
export function readRowFilter(filters: IDataObject): ConversationFilter {
	const has = ({ name }: INodeProperties) => Object.hasOwn(filters, name);
	const outcomes = namesIn(optionOf(filters, outcome));
	const roles = namesIn(optionOf(filters, role));
	return {
		...(roles.length > 0 && { roles }),
		...(has(activeOnly) && optionOf(filters, activeOnly) && { activeOnly: true }),
		...(outcomes.length > 0 && { outcomes }),
		...(has(minDuration) && { minDuration: optionOf(filters, minDuration) }),
		...(has(hasTranscript) && optionOf(filters, hasTranscript) && { hasTranscript: true }),
		...(has(noAppointment) && optionOf(filters, noAppointment) && { noAppointment: true }),
	};
}

/** As {@link readRowFilter}, for the entries of a conversation. */
export function readEntryFilter(filters: IDataObject): ConversationFilter {
	const checklists = namesIn(optionOf(filters, checklistNames));
	const trackers = namesIn(optionOf(filters, trackerNames));
	return {
		...(checklists.length > 0 && { checklistNames: checklists }),
		...(trackers.length > 0 && { trackerNames: trackers }),
		...(Object.hasOwn(filters, hitOrMissed.name) && { hitOrMissed: optionOf(filters, hitOrMissed) }),
	};
}

/**
 * Reads the team filter.
 *
 * @param node shows what a person entered
 * @returns undefined for all teams: without the filter, or with one that a person left empty
 * @throws CodedError for anything but a list of text, and for an expression that returns no team
 */
export function readTeams(
	filters: IDataObject,
	node: Pick<INode, 'parameters' | 'type'>,
): string[] | undefined {
	if (!Object.hasOwn(filters, teamsFilter.name)) return undefined;
	const teams = optionOf(filters, teamsFilter);
	if (teams.length > 0) return teams;
	if (!isComputed(node, teamsFilter.name)) return undefined;
	throw codedError(EXPORT_API_ERRORS, 'teams_filter_empty', {}, { field: teamsFilter.displayName });
}

/** Names with commas between them, as they are compared. */
function namesIn(text: string): string[] {
	return text.split(',').map(keyOf).filter(Boolean);
}

/** Names are made by people, so case and outer spaces do not count. */
function keyOf(value: unknown): string {
	return typeof value === 'string' ? value.trim().toLowerCase() : '';
}
