import type { INode, INodeProperties, IDataObject } from 'n8n-workflow';
import { codedError } from '../base/codedErrors';
import { firstFew, isObject, quoted } from '../base/text';
import { FLAT, fieldIn } from '../exportApi/rows';
import { howEntered, typedValue } from '../node/item';
import { hasWords, isNamed, readTexts, readUsers, readWords, SELECTION_ERRORS } from './entered';

/** What filters are offered for; `entries` are rows that are made of a conversation's lists, e.g. its checklists. */
type Place = 'conversations' | 'entries' | 'recordings' | 'teams' | 'triggers' | 'users';

/**
 * Which rows are wanted; what is not set does not filter. Names and words are as entered; teams are IDs, or exact names until
 * the teams are known.
 */
export type ConversationFilter = Partial<
	Record<'users' | 'teams' | 'outcomes' | 'roles' | 'checklistNames' | 'trackerNames', string[]> &
		Record<'customer' | 'text', string> &
		Record<'hasTranscript' | 'noAppointment' | 'activeOnly', boolean> & {
			minDuration: number;
			hitOrMissed: 'hit' | 'missed';
		}
>;

type Name = keyof ConversationFilter;

/** A filter: how it is entered, where it is offered, and what it compares. */
interface Rule {
	property: INodeProperties;
	/** Its description in a list of teams. */
	ofTeams?: string;
	offeredFor: Place[];
	fields: string[];
	/** The filter of an entered value, undefined for one that does not filter; without it, the value by its property. */
	read?: (entered: unknown, label: string) => unknown;
	/** @param values of the fields */
	passes: (wanted: never, values: unknown[]) => boolean;
	/** What a switch wants, in a sentence. */
	wants?: string;
	/** Where words are searched, in a sentence. */
	searched?: string;
}

type Entered = Pick<INodeProperties, 'displayName' | 'name'> & Partial<INodeProperties>;

const TEXT = { type: 'string', default: '' } as const;

const names = (field: string, offeredFor: Place[], property: Entered): Rule => ({
	property: { ...TEXT, ...property },
	offeredFor,
	fields: [field],
	read: readTexts,
	passes: isNamed,
});

const words = (fields: string[], searched: string, offeredFor: Place[], property: Entered): Rule => ({
	property: { ...TEXT, ...property },
	offeredFor,
	fields,
	read: readWords,
	passes: hasWords,
	searched,
});

const flag = (
	field: string,
	isWanted: (value: unknown) => boolean,
	wants: string,
	offeredFor: Place[],
	property: Entered,
): Rule => ({
	property: { type: 'boolean', default: true, ...property },
	offeredFor,
	fields: [field],
	passes: (_: true, [value]) => isWanted(value),
	wants,
});

const LISTED: Place[] = ['conversations', 'triggers'];
const RECORDED: Place[] = [...LISTED, 'recordings'];

const NAMES_OF_ENTRIES = {
	placeholder: 'e.g. Budget, "Price, terms"',
	description: 'Only rows with one of these names, with commas between them',
};

const isText = (value: unknown) => typeof value === 'string' && value !== '';
/** Without the field nothing is known, and a match would replace the link. */
const isEmpty = (value: unknown) => value === null || value === '';

export const RULES: Record<Name, Rule> = {
	users: {
		property: {
			displayName: 'User Names or IDs',
			name: 'users',
			type: 'multiOptions',
			typeOptions: { loadOptionsMethod: 'getUsers' },
			default: [],
			description:
				'Only these users; the IDs are their emails. Choose from the list, or specify IDs using an <a href="https://docs.n8n.io/code/expressions/">expression</a>.',
		},
		offeredFor: [...RECORDED, 'users'],
		fields: ['userEmail'],
		read: readUsers,
		passes: (users: unknown[], [email]) => users.includes(email),
	},
	teams: {
		property: {
			displayName: 'Team Names or IDs',
			name: 'teams',
			type: 'multiOptions',
			typeOptions: { loadOptionsMethod: 'getTeams' },
			default: [],
			description:
				'Only reps who are now in these teams or in their subteams. Choose from the list, or specify IDs using an <a href="https://docs.n8n.io/code/expressions/">expression</a>.',
		},
		ofTeams:
			'Only these teams. Choose from the list, or specify IDs using an <a href="https://docs.n8n.io/code/expressions/">expression</a>.',
		offeredFor: [...RECORDED, 'users', 'teams'],
		fields: ['teamId'],
		read: readTexts,
		passes: (teams: string[], [id]) => teams.includes(String(id)),
	},
	outcomes: names('outcome', RECORDED, {
		displayName: 'Outcome',
		name: 'outcome',
		placeholder: 'e.g. No Show, "Sold, financed"',
		description: 'Only rows with one of these outcomes, with commas between them',
	}),
	minDuration: {
		property: {
			displayName: 'Minimum Duration (Seconds)',
			name: 'minDuration',
			type: 'number',
			typeOptions: { minValue: 0 },
			default: 60,
			description: 'Only recordings that are at least this long',
		},
		offeredFor: RECORDED,
		fields: ['duration'],
		passes: (seconds: number, [duration]) => Number(duration) >= seconds,
	},
	hasTranscript: flag('transcriptUrl', isText, 'a transcript', LISTED, {
		displayName: 'Has Transcript',
		name: 'hasTranscript',
		description: 'Whether to return only conversations with a transcript',
	}),
	noAppointment: flag('crmEventID', isEmpty, 'none', RECORDED, {
		displayName: 'No Appointment',
		name: 'noAppointment',
		description: 'Whether to return only rows that are linked to no CRM or calendar event',
	}),
	customer: words(
		['customerName', 'customerEmail', 'customerPhone'],
		"the customer's name, email or phone",
		LISTED,
		{
			displayName: 'Customer',
			name: 'customer',
			placeholder: 'e.g. Ann Miller',
			description: "Only conversations with all these words in the customer's name, email or phone",
		},
	),
	text: words(
		[
			...['title', 'customerName', 'customerEmail', 'customerPhone', 'userName', 'userEmail'],
			...['jobSummary', 'customSummary', 'crmEventID'],
		],
		'title, customer, rep, summary or CRM event ID',
		['conversations'],
		{
			displayName: 'Search Words',
			name: 'text',
			placeholder: 'e.g. Miller roof',
			description:
				'Only conversations with all these words in title, customer, rep, summaries or CRM event ID',
		},
	),
	roles: names('role', ['users'], {
		displayName: 'Role',
		name: 'role',
		placeholder: 'e.g. Owner, "Rep, senior"',
		description: 'Only users with one of these roles, with commas between them',
	}),
	activeOnly: flag('isRemoved', (isRemoved) => isRemoved !== true, 'active users', ['users'], {
		displayName: 'Active Only',
		name: 'activeOnly',
		description: 'Whether to leave out users who were removed or deactivated',
	}),
	checklistNames: names('checklistName', ['entries'], {
		...NAMES_OF_ENTRIES,
		displayName: 'Checklist Names',
		name: 'checklistNames',
		displayOptions: { show: { '/rowsFor': ['checklists', 'trackers'] } },
	}),
	trackerNames: names('trackerName', ['entries'], {
		...NAMES_OF_ENTRIES,
		displayName: 'Tracker Names',
		name: 'trackerNames',
		displayOptions: { show: { '/rowsFor': ['trackers'] } },
	}),
	hitOrMissed: {
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
		offeredFor: ['entries'],
		fields: ['trackerIsHit'],
		passes: (wanted: string, [isHit]) => isHit === (wanted === 'hit'),
	},
};

const NAMES = Object.keys(RULES) as Name[];

/** The filters that are offered for rows, by their labels. */
export function filtersFor(...places: Place[]): INodeProperties[] {
	const offered = Object.values(RULES).filter((rule) => rule.offeredFor.some((one) => places.includes(one)));
	const described = offered.map(({ property, ofTeams }) =>
		ofTeams && places.includes('teams') ? { ...property, description: ofTeams } : property,
	);
	return described.sort((a, b) => (a.displayName < b.displayName ? -1 : 1));
}

const setIn = (filter: ConversationFilter) => NAMES.filter((name) => filter[name] !== undefined);

const valuesOf = (name: Name, row: IDataObject) => RULES[name].fields.map((field) => fieldIn(row, field));

/** What the filters say of a row; `undecided` only if it lacks fields that filters compare. */
type Verdict = 'passes' | 'undecided' | { refusedBy: Name };

/**
 * Judges a row by all filters that are set.
 * @param isPart whether the row is an event, which has a part of a conversation's fields
 * @returns the first filter that refuses the row, even if the row does not decide others
 */
export function verdictOf(filter: ConversationFilter, row: IDataObject, isPart = false): Verdict {
	const isKnown = (field: string) =>
		[field, FLAT.get(field)?.[0] ?? field].some((name) => fieldIn(row, name) !== undefined);
	const names = setIn(filter);
	const decided = isPart ? names.filter((name) => RULES[name].fields.every(isKnown)) : names;
	const refusedBy = decided.find((name) => !RULES[name].passes(filter[name] as never, valuesOf(name, row)));
	if (refusedBy) return { refusedBy };
	return decided.length < names.length ? 'undecided' : 'passes';
}

/** Whether a row with all fields passes every filter that is set. */
export const passes = (filter: ConversationFilter, row: IDataObject) => verdictOf(filter, row) === 'passes';

const NONE = 'none';

/**
 * Says why a row does not pass a filter.
 * @param teams whose members the filter's users are
 * @returns the filter's label, what it wants, and what the row has, which is empty for a switch
 */
export function reasonOf(filter: ConversationFilter, name: Name, row: IDataObject, teams?: string[]) {
	const values = valuesOf(name, row).filter((value) => value !== undefined && value !== null && value !== '');
	const found = typeof values[0] === 'boolean' ? '' : firstFew(values.slice(0, 3), quoted) || NONE;
	return { ...wantedBy(name, filter, teams), found };
}

type Reason = ReturnType<typeof reasonOf>;

/** A reason in words, e.g. `Outcome wants "Lost", this conversation has "Sold"`. */
export const whyRefused = ({ label, wanted, found }: Reason) =>
	`${label} wants ${wanted}, this conversation has ${found}`;

function wantedBy(name: Name, filter: ConversationFilter, teams?: string[]) {
	const isOfTeams = name === 'users' && teams !== undefined;
	const { displayName: label } = RULES[isOfTeams ? 'teams' : name].property;
	const wanted = isOfTeams ? teams : [filter[name]].flat();
	return { label, wanted: RULES[name].wants ?? firstFew<unknown>(wanted, quoted) };
}

/** Whether two filters want the same rows, whatever the order of their parts. */
export const isSameFilter = (one: ConversationFilter, other: ConversationFilter) =>
	JSON.stringify(one, NAMES) === JSON.stringify(other, NAMES);

/** A filter of a list; counts the rows that it drops. */
export class RowFilter {
	dropped = 0;
	/** Why one of them was dropped; one that has a value, if there is one. */
	private reason?: Reason;

	/** @param teams whose members the filter's users are */
	constructor(
		readonly filter: ConversationFilter,
		private readonly teams?: string[],
	) {}

	passes(row: IDataObject): boolean {
		const verdict = verdictOf(this.filter, row);
		if (typeof verdict === 'string') return true;
		this.dropped++;
		if (!this.reason || this.reason.found === NONE) {
			this.reason = reasonOf(this.filter, verdict.refusedBy, row, this.teams);
		}
		return false;
	}

	/** Each filter with what it wants, e.g. `Outcome "Sold", Has Transcript`. */
	get wants(): string {
		const wants = setIn(this.filter).map((name) => {
			const { label, wanted } = wantedBy(name, this.filter, this.teams);
			return this.filter[name] === true ? label : `${label} ${wanted}`.trim();
		});
		return wants.join(', ');
	}

	/** E.g. `one has "Sold" for Outcome`; empty if nothing was dropped. */
	get example(): string {
		return this.reason?.found ? `one has ${this.reason.found} for ${this.reason.label}` : '';
	}

	/** E.g. `"Miller" in title, customer or rep` for a filter that only searches words. */
	get search(): string | undefined {
		const [name, ...others] = setIn(this.filter);
		const searched = name && RULES[name].searched;
		return searched && others.length === 0 ? `${quoted(this.filter[name])} in ${searched}` : undefined;
	}
}

type SavedNode = Pick<INode, 'parameters' | 'type'>;

/**
 * Reads the filters of rows; without a filter, or with one that a person or a model left empty, all rows are wanted.
 * @param columns of a conversation's entries, to read the filters that these have instead of all others
 * @throws CodedError that names an unusable filter, and one whose expression returns nothing
 */
export function readFilter(filters: IDataObject, node: SavedNode, columns?: string[]): ConversationFilter {
	const filter: Record<string, unknown> = {};
	for (const [name, rule] of Object.entries(RULES)) {
		if (rule.offeredFor.includes('entries') !== (columns !== undefined)) continue;
		const wanted = readRule(rule, filters, node);
		const isOfRows = columns?.includes(rule.fields[0]) ?? true;
		// A switch that is off does not filter.
		if (isOfRows && wanted !== undefined && wanted !== false) filter[name] = wanted;
	}
	return filter;
}

function readRule({ property, read }: Rule, filters: IDataObject, node: SavedNode): unknown {
	const { name, displayName: field } = property;
	if (!Object.hasOwn(filters, name)) return undefined;
	const { filters: saved }: IDataObject = node.parameters;
	const entered = howEntered(node, isObject(saved) ? saved[name] : saved);
	const value: unknown = filters[name];
	if (entered === 'byModel' && String(value ?? '').trim() === '') return undefined;
	const wanted = read ? read(value, field) : typedValue(value, property);
	if (wanted !== undefined || entered !== 'computed') return wanted;
	throw codedError(SELECTION_ERRORS, 'filter_empty', { field }, { field });
}
