import type { IDataObject, INode, INodeProperties } from 'n8n-workflow';
import { codedError } from '../errors/codedError';
import { optionOf } from '../node/parameters';
import { EXPORT_API_ERRORS } from './errors';
import {
	activeOnly,
	checklistNames,
	entryFilters,
	hasTranscript,
	hitOrMissed,
	minDuration,
	noAppointment,
	outcome,
	role,
	teamsFilter,
	textFilter,
	trackerNames,
} from './filterProperties';
import { fieldIn } from './flatRow';
import { isComputed, usersFilter } from './usersFilter';

/** Which conversations, or which entries of them, are wanted, as data; what is not set does not filter. */
export interface ConversationFilter {
	/** Exact emails. */
	users?: string[];
	/** IDs or exact names, for rows of teams; those of users are filtered by {@link users}. */
	teams?: string[];
	/** Names in lower case, here and below. */
	outcomes?: string[];
	/** In seconds. */
	minDuration?: number;
	hasTranscript?: boolean;
	noAppointment?: boolean;
	/** Words, folded. */
	text?: string[];
	roles?: string[];
	activeOnly?: boolean;
	checklistNames?: string[];
	trackerNames?: string[];
	hitOrMissed?: 'hit' | 'missed';
}

type Wanted = Required<ConversationFilter>;

/** How a filter is entered, and what it compares. */
interface Rule<Value> {
	property: INodeProperties;
	field: string | string[];
	/** The filter of an entered value; undefined for one that does not filter. Absent for a filter that is read elsewhere. */
	read?: (entered: never) => Value | undefined;
	/** @param value of the field; a list for several */
	passes: (value: unknown, wanted: Value) => boolean;
}

const readAsIs = <Value>(value: Value) => value;
/** A switch that is off does not filter. */
const readTrue = (isOn: boolean) => isOn || undefined;
const readNames = (entered: string) => someOf(entered.split(',').map(keyOf));
const hasName = (value: unknown, names: string[]) => names.includes(keyOf(value));

const RULES: { [Name in keyof Wanted]: Rule<Wanted[Name]> } = {
	users: {
		property: usersFilter,
		field: 'userEmail',
		passes: (email, users) => users.some((user) => user === email),
	},
	teams: {
		property: teamsFilter,
		field: ['teamId', 'name'],
		passes: (idAndName, teams) =>
			(idAndName as unknown[]).some((value) => teams.some((team) => team === value)),
	},
	outcomes: { property: outcome, field: 'outcome', read: readNames, passes: hasName },
	minDuration: {
		property: minDuration,
		field: 'duration',
		read: readAsIs<number>,
		passes: (duration, seconds) => Number(duration) >= seconds,
	},
	hasTranscript: {
		property: hasTranscript,
		field: 'transcriptUrl',
		read: readTrue,
		passes: (url) => typeof url === 'string' && url !== '',
	},
	noAppointment: {
		property: noAppointment,
		field: 'crmEventID',
		read: readTrue,
		// Without the field nothing is known, and a match would replace the link.
		passes: (id) => id === null || id === '',
	},
	text: {
		property: textFilter,
		field: ['title', 'customerName', 'userName', 'userEmail', 'jobSummary', 'customSummary', 'crmEventID'],
		read: (entered: string) => someOf(folded(entered).split(/\s+/)),
		passes(values, words) {
			const all = folded((values as unknown[]).filter(Boolean).join('\n'));
			return words.every((word) => all.includes(word));
		},
	},
	roles: { property: role, field: 'role', read: readNames, passes: hasName },
	activeOnly: {
		property: activeOnly,
		field: 'isRemoved',
		read: readTrue,
		passes: (isRemoved) => isRemoved !== true,
	},
	checklistNames: { property: checklistNames, field: 'checklistName', read: readNames, passes: hasName },
	trackerNames: { property: trackerNames, field: 'trackerName', read: readNames, passes: hasName },
	hitOrMissed: {
		property: hitOrMissed,
		field: 'trackerIsHit',
		read: readAsIs<'hit' | 'missed'>,
		passes: (isHit, wanted) => isHit === (wanted === 'hit'),
	},
};

const NAMES = Object.keys(RULES) as Array<keyof Wanted>;

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

/** Whether two filters want the same rows. */
export const isSameFilter = (one: ConversationFilter, other: ConversationFilter) =>
	JSON.stringify(NAMES.map((name) => one[name] ?? null)) ===
	JSON.stringify(NAMES.map((name) => other[name] ?? null));

/** A filter of a list; counts the rows that it drops. */
export class RowFilter {
	dropped = 0;

	constructor(private readonly filter: ConversationFilter) {}

	get teams(): string[] | undefined {
		return this.filter.teams;
	}

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
	return readRules(
		filters,
		NAMES.filter((name) => !isOfEntry(name)),
	);
}

/** As {@link readRowFilter}, for the entries of a conversation. */
export function readEntryFilter(filters: IDataObject): ConversationFilter {
	return readRules(
		filters,
		NAMES.filter((name) => isOfEntry(name)),
	);
}

const isOfEntry = (name: keyof Wanted) => entryFilters.includes(RULES[name].property);

function readRules(filters: IDataObject, names: Array<keyof Wanted>): ConversationFilter {
	const found = names.map((name) => {
		const { property, read } = RULES[name] as Rule<unknown>;
		const isSet = read !== undefined && Object.hasOwn(filters, property.name);
		return [name, isSet ? read(optionOf(filters, property) as never) : undefined] as const;
	});
	return Object.fromEntries(found.filter(([, value]) => value !== undefined));
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
