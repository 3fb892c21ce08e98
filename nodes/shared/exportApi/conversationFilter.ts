import type { IDataObject, INode, INodeProperties } from 'n8n-workflow';
import { codedError } from '../errors/codedError';
import { optionOf } from '../node/parameters';
import { EXPORT_API_ERRORS } from './errors';
import { RULES, teamsFilter, type ConversationFilter, type Rule, type Wanted } from './filterRules';
import { fieldIn } from './flatRow';
import { isComputed } from './usersFilter';

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

/** Reads the filters that the service itself lacks, teams aside. @throws CodedError that names an unusable one */
export const readRowFilter = (filters: IDataObject) =>
	readRules(
		filters,
		NAMES.filter((name) => !OF_ENTRIES.includes(name)),
	);

/** As {@link readRowFilter}, for the entries of a conversation. */
export const readEntryFilter = (filters: IDataObject) => readRules(filters, OF_ENTRIES);

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
