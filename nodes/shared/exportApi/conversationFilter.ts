import type { IDataObject, INode, INodeProperties } from 'n8n-workflow';
import { codedError } from '../errors/codedError';
import { isObject } from '../node/isObject';
import { typedValue } from '../node/parameters';
import { EXPORT_API_ERRORS } from './errors';
import { RULES, teamsFilter, type ConversationFilter, type Rule, type Wanted } from './filterRules';
import { fieldIn } from './flatRow';
import { howEntered } from './howEntered';

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
	throw codedError(EXPORT_API_ERRORS, code, { field }, { field });
}
