import type { INode, IDataObject } from 'n8n-workflow';
import { codedError } from '../base/codedErrors';
import { firstFew, isObject, quoted } from '../base/text';
import { entriesNamed, entryField, fieldIn, FLAT } from '../exportApi/rows';
import { howEntered, typedValue } from '../node/item';
import { locatorValue, SELECTION_ERRORS } from './entered';
import { labelOfFilter, NAMES, propertyOf, RULES, type ConversationFilter, type Name } from './filterRules';
import { nameKey, nearest } from './names';

/** The filters that are set. */
const setIn = (filter: ConversationFilter) => NAMES.filter((name) => filter[name] !== undefined);

/** What the filters say of a row; `undecided` only if it lacks fields that filters compare. */
type Verdict = 'passes' | 'undecided' | { refusedBy: Name };

/**
 * Judges a row by all filters that are set.
 * @param isPart whether the row is an event, which has a part of a conversation's fields
 * @returns the first filter that refuses the row, even if the row does not decide others
 */
export function verdictOf(filter: ConversationFilter, row: IDataObject, isPart = false): Verdict {
	const names = setIn(filter);
	const decided = isPart ? names.filter((name) => isDecidedBy(row, name)) : names;
	const refusedBy = decided.find((name) => !passesOne(filter, name, row));
	if (refusedBy) return { refusedBy };
	return decided.length < names.length ? 'undecided' : 'passes';
}

function isDecidedBy(row: IDataObject, name: Name): boolean {
	const { fields, in: entries } = RULES[name];
	const isKnown = (field: string) =>
		[field, FLAT.get(field)?.[0] ?? field].some((known) => fieldIn(row, known) !== undefined);
	return (entries ? ['checklists', 'aiTrackers'] : fields).every(isKnown);
}

/** Whether a row with all fields passes every filter that is set. */
export const passes = (filter: ConversationFilter, row: IDataObject) => verdictOf(filter, row) === 'passes';

const passesOne = (filter: ConversationFilter, name: Name, row: IDataObject) =>
	comparedBy(filter, name, row).some((part) => accepts(filter, name, part));

/**
 * What a filter compares: the row, or the conversation's checklists or trackers. One tracker must pass all filters of
 * trackers, and one checklist all filters of checklists, so what an earlier one of these refuses is left out.
 */
function comparedBy(filter: ConversationFilter, name: Name, row: IDataObject): IDataObject[] {
	const { fields, in: lists } = RULES[name];
	const isEntry = Object.hasOwn(row, fields[0]);
	if (!lists || isEntry) return [row];
	const names = setIn(filter);
	const earlier = names.slice(0, names.indexOf(name));
	return lists.flatMap((list) => {
		const others = earlier.filter((other) => RULES[other].in?.includes(list));
		return entriesNamed(row, list).filter((entry) => others.every((other) => accepts(filter, other, entry)));
	});
}

const accepts = (filter: ConversationFilter, name: Name, part: IDataObject) =>
	RULES[name].passes(filter[name] as never, valuesOf(name, part));

const valuesOf = (name: Name, part: IDataObject) =>
	RULES[name].fields.map((field) => (RULES[name].in ? entryField(part, field) : fieldIn(part, field)));

const NONE = 'none';

/**
 * Says why a row does not pass a filter.
 * @param teams whose members the filter's users are
 * @returns the filter's label, what it wants, which is empty for a switch, and what the row has
 */
export function reasonOf(filter: ConversationFilter, name: Name, row: IDataObject, teams?: string[]) {
	const { show = quoted, noun } = RULES[name];
	const values = comparedBy(filter, name, row).flatMap((part) => valuesOf(name, part));
	const shown = new Set(values.filter((value) => (value ?? '') !== '').map(show));
	return {
		...wantedBy(name, filter, teams),
		found: firstFew([...shown].slice(0, noun ? undefined : 3)) || NONE,
	};
}

type Reason = ReturnType<typeof reasonOf>;

/** A reason in words, e.g. `Outcome is set to "Lost", but this conversation has "Sold"`. */
export const whyRefused = ({ label, wanted, found }: Reason) =>
	`${label} is ${wanted ? `set to ${wanted}` : 'on'}, but this conversation has ${found}`;

function wantedBy(name: Name, filter: ConversationFilter, teams?: string[]) {
	const isOfTeams = name === 'users' && teams !== undefined;
	const label = labelOfFilter(isOfTeams ? 'teams' : name);
	const wanted = [isOfTeams ? teams : filter[name]].flat();
	return { label, wanted: wanted[0] === true ? '' : firstFew<unknown>(wanted, quoted) };
}

/** The fields that Simplified returns besides, because the filter compares what they show. */
export const fieldsShownFor = (filter: ConversationFilter) => [
	...new Set(setIn(filter).flatMap((name) => RULES[name].shows ?? [])),
];

/** The rows of a list that pass a filter; counts the rows that it drops, and knows the names in all of them. */
export class RowFilter {
	dropped = 0;
	/** Why a dropped row was dropped; if possible, of a row that has a value. */
	private reason?: Reason;
	/** For each filter of names that is set: how many names the rows have, and the names by {@link nameKey}. */
	private readonly found = new Map<Name, { count: number; names: Map<string, string> }>();

	/** @param teams whose members the filter's users are */
	constructor(
		readonly filter: ConversationFilter,
		private readonly teams?: string[],
	) {
		for (const name of setIn(filter))
			if (RULES[name].noun) this.found.set(name, { count: 0, names: new Map() });
	}

	passes(row: IDataObject): boolean {
		this.findNames(row);
		const verdict = verdictOf(this.filter, row);
		if (typeof verdict === 'string') return true;
		this.dropped++;
		if (!this.reason || this.reason.found === NONE) {
			this.reason = reasonOf(this.filter, verdict.refusedBy, row, this.teams);
		}
		return false;
	}

	private findNames(row: IDataObject): void {
		for (const [name, found] of this.found) {
			for (const part of comparedBy({}, name, row)) {
				const [value] = valuesOf(name, part);
				if (typeof value !== 'string' || value === '') continue;
				found.count++;
				found.names.set(nameKey(value), value);
			}
		}
	}

	/**
	 * For each name of the filter that no row has, what it may have meant, e.g. `No tracker is named "Budget". Did you mean
	 * "Confirmed budget"? (414 trackers searched)`.
	 */
	get unknownNames(): string[] {
		return [...this.found].flatMap(([name, { count, names }]) => {
			const { noun } = RULES[name];
			const unknown = (this.filter[name] as string[]).filter((wanted) => !names.has(nameKey(wanted)));
			return unknown.map((wanted) => {
				const near = nearest(wanted, [...names.values()]);
				const others = names.size > 0 ? ` Existing names: ${firstFew(names.values(), quoted)}.` : '';
				const advice = near.length > 0 ? ` Did you mean ${near.map(quoted).join(' or ')}?` : others;
				const searched = `${count} ${noun}${count === 1 ? '' : 's'} searched`;
				return `No ${noun} is named ${quoted(wanted)}.${advice} (${searched})`;
			});
		});
	}

	/** Each filter with what it wants, e.g. `Outcome "Sold", Has Transcript`. */
	get wants(): string {
		const wants = setIn(this.filter).map((name) => {
			const { label, wanted } = wantedBy(name, this.filter, this.teams);
			return `${label} ${wanted}`.trim();
		});
		return wants.join(', ');
	}

	/** E.g. `for example, one has "Sold" in Outcome`; empty if no row that was dropped has a value. */
	get example(): string {
		const { found = NONE, label } = this.reason ?? {};
		return found === NONE ? '' : `for example, one has ${found} in ${label}`;
	}

	/**
	 * Why no row of a list passes.
	 * @param rows what they are, e.g. `conversations`
	 * @param range in words
	 */
	whyNone(rows: string, range: string): string {
		const { dropped, wants, example, unknownNames } = this;
		const none = `None of ${dropped} ${rows} from ${range} passes ${wants}`;
		if (unknownNames.length > 0) return `${none}. ${unknownNames.join(' ')}`;
		return `${none}${example && `: ${example}`}.`;
	}
}

type SavedNode = Pick<INode, 'parameters' | 'type'>;

/**
 * Reads the filters of rows; without a filter, or with one that a person or a model left empty, all rows are wanted.
 * @param columns of rows that are made of a conversation's checklists or trackers, to read only the filters of these
 * @throws CodedError that names an unusable filter, and one whose expression returns nothing
 */
export function readFilter(filters: IDataObject, node: SavedNode, columns?: string[]): ConversationFilter {
	const filter: Record<string, unknown> = {};
	for (const name of NAMES.filter((known) => Object.hasOwn(filters, known))) {
		const { in: lists, fields } = RULES[name];
		if (columns && !(lists && columns.includes(fields[0]))) continue;
		const wanted = readRule(name, filters, node);
		// A switch that is off does not filter.
		if (wanted !== undefined && wanted !== false) filter[name] = wanted;
	}
	if (filter.saidBy && !filter.said) throw saidMissing('Said By');
	return filter;
}

/** The error for a setting that needs Words Said when it is not set. */
export const saidMissing = (field: string) =>
	codedError(SELECTION_ERRORS, 'said_missing', { field }, { field });

function readRule(name: Name, filters: IDataObject, node: SavedNode): unknown {
	const field = labelOfFilter(name);
	const { read } = RULES[name];
	const { filters: saved }: IDataObject = node.parameters;
	const entered = howEntered(node, locatorValue(isObject(saved) ? saved[name] : saved));
	const value = locatorValue(filters[name]);
	if (entered === 'byModel' && String(value ?? '').trim() === '') return undefined;
	const wanted = read ? read(value, field) : typedValue(value, propertyOf(name));
	if (wanted !== undefined || entered !== 'computed') return wanted;
	throw codedError(SELECTION_ERRORS, 'filter_empty', { field }, { field });
}
