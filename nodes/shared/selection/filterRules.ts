import type { INodeProperties } from 'n8n-workflow';
import { z } from 'zod';
import type { EntryName } from '../exportApi/entries';
import { each } from '../exportApi/schemas';
import { hasWords, readTexts, readUsers, readWords } from './entered';
import { isNamed } from './names';

/** What filters are offered for. */
type Place = 'conversations' | 'recordings' | 'teams' | 'triggers' | 'users';

const namesSchema = z.array(z.string().min(1));

/** What a filter is, also one that a poll trigger has saved. */
export const filterSchema = z
	.object({
		...each(namesSchema, 'users', 'teams', 'outcomes', 'outcomeIsNot', 'roles'),
		...each(namesSchema, 'checklistNames', 'trackerNames'),
		...each(z.string(), 'customer', 'text', 'said'),
		...each(z.boolean(), 'hasTranscript', 'noAppointment', 'activeOnly'),
		...each(z.number(), 'minDuration', 'checklistScoreBelow'),
		saidBy: z.enum(['rep', 'others']),
		hitOrMissed: z.enum(['hit', 'missed']),
	})
	.partial();

/**
 * Which rows are wanted; what is not set does not filter. Names and words are as entered; teams are IDs, or exact names until
 * the teams are known.
 */
export type ConversationFilter = z.infer<typeof filterSchema>;

export type Name = keyof ConversationFilter;

/** A filter: how it is entered, where it is offered, and what it compares. */
interface Rule {
	property: INodeProperties;
	/** Its description in a list of teams. */
	ofTeams?: string;
	offeredFor: Place[];
	/** What it compares: fields of the row, or of the conversation's checklists or trackers if `in` is set. */
	fields: string[];
	in?: EntryName[];
	/** The filter of an entered value, undefined for one that does not filter; without it, the value by its property. */
	read?: (entered: unknown, label: string) => unknown;
	/** @param values of the fields */
	passes: (wanted: never, values: unknown[]) => boolean;
	/** A value in words, if it is not quoted. */
	show?: (value: unknown) => string;
	/** What has the names, if it compares names. */
	noun?: string;
	/** Where words are searched, in a sentence. */
	searched?: string;
	/** What Simplified returns besides, to show why a conversation passes. */
	shows?: string[];
}

const LISTED: Place[] = ['conversations', 'triggers'];
const RECORDED: Place[] = [...LISTED, 'recordings'];

/** What a filter of the panel says: its label, its parameter's name, its description and an example. */
type Words = [displayName: string, name: string, description: string, placeholder?: string];

const property = <More extends object>([displayName, name, description, placeholder]: Words, more: More) => ({
	...{ displayName, name, description, ...(placeholder && { placeholder }) },
	...more,
});

/** Names that are picked from the list of what has them, or entered. */
const names = (noun: string, field: string, offeredFor: Place[], words: Words): Rule => ({
	property: property(words, {
		type: 'resourceLocator',
		default: { mode: 'list', value: '' },
		modes: [
			{
				displayName: 'From List',
				name: 'list',
				type: 'list',
				hint: 'For several names, use By Name',
				typeOptions: { searchListMethod: `${noun}Names`, searchable: true },
			},
			{
				displayName: 'By Name',
				name: 'name',
				type: 'string',
				placeholder: words[3],
				hint: 'Put commas between several names',
			},
		],
	}),
	...{ offeredFor, fields: [field], read: readTexts, passes: isNamed, noun },
});

const search = (searched: string, fields: string[], offeredFor: Place[], words: Words): Rule => ({
	property: property(words, { type: 'string', default: '' }),
	...{ offeredFor, fields, read: readWords, passes: hasWords, searched },
});

const flag = (
	field: string,
	isWanted: (value: unknown) => boolean,
	offeredFor: Place[],
	words: Words,
): Rule => ({
	property: property(words, { type: 'boolean', default: true }),
	...{ offeredFor, fields: [field], passes: (_: true, [value]) => isWanted(value) },
});

const isText = (value: unknown) => typeof value === 'string' && value !== '';
/** Without the field nothing is known, and a match would replace the link. */
const isEmpty = (value: unknown) => value === null || value === '';

const CHOOSE =
	'Choose from the list, or specify IDs using an <a href="https://docs.n8n.io/code/expressions/">expression</a>.';
const CUSTOMER = ['customerName', 'customerEmail', 'customerPhone'];
const SEARCHED = ['title', ...CUSTOMER, 'userName', 'userEmail', 'jobSummary', 'customSummary', 'crmEventID'];
const RESULTS = ['hitTrackers', 'missedTrackers'];

export const RULES: Record<Name, Rule> = {
	users: {
		property: {
			displayName: 'User Names or IDs',
			...{ name: 'users', type: 'multiOptions', typeOptions: { loadOptionsMethod: 'getUsers' }, default: [] },
			description: `Only these users; the IDs are their emails. ${CHOOSE}`,
		},
		...{ offeredFor: [...RECORDED, 'users'], fields: ['userEmail'], read: readUsers },
		passes: (users: unknown[], [email]) => users.includes(email),
	},
	teams: {
		property: {
			displayName: 'Team Names or IDs',
			...{ name: 'teams', type: 'multiOptions', typeOptions: { loadOptionsMethod: 'getTeams' }, default: [] },
			description: `Only reps who are now in these teams or in their subteams. ${CHOOSE}`,
		},
		ofTeams: `Only these teams. ${CHOOSE}`,
		...{ offeredFor: [...RECORDED, 'users', 'teams'], fields: ['teamId'], read: readTexts },
		passes: (teams: string[], [id]) => teams.includes(String(id)),
	},
	outcomes: names('outcome', 'outcome', RECORDED, [
		'Outcome',
		'outcome',
		'Only rows with this outcome, or one of several',
		'e.g. No Show, "Sold, financed"',
	]),
	outcomeIsNot: {
		...names('outcome', 'outcome', RECORDED, [
			'Outcome Is Not',
			'outcomeIsNot',
			'Leave out rows with this outcome. Rows without an outcome stay.',
			'e.g. Sold, "Sold, financed"',
		]),
		passes: (excluded: string[], values) => !isNamed(excluded, values),
	},
	minDuration: {
		property: {
			displayName: 'Minimum Duration (Seconds)',
			name: 'minDuration',
			type: 'number',
			default: 60,
			typeOptions: { minValue: 0 },
			description: 'Only recordings that are at least this long',
		},
		...{ offeredFor: RECORDED, fields: ['duration'] },
		passes: (seconds: number, [duration]) => Number(duration) >= seconds,
	},
	hasTranscript: flag('transcriptUrl', isText, LISTED, [
		'Has Transcript',
		'hasTranscript',
		'Whether to return only conversations with a transcript',
	]),
	noAppointment: flag('crmEventID', isEmpty, RECORDED, [
		'No Appointment',
		'noAppointment',
		'Whether to return only rows that are linked to no CRM or calendar event',
	]),
	customer: search("the customer's name, email or phone", CUSTOMER, LISTED, [
		'Customer',
		'customer',
		"Only conversations with all these words in the customer's name, email or phone",
		'e.g. Ann Miller',
	]),
	text: search(
		'title, customer, rep, summary or CRM event ID',
		SEARCHED,
		['conversations'],
		[
			'Search Words',
			'text',
			'Only conversations with all these words in title, customer, rep, summaries or CRM event ID',
			'e.g. Miller roof',
		],
	),
	// Transcripts decide these two, which no row has.
	said: {
		property: {
			displayName: 'Words Said',
			name: 'said',
			type: 'string',
			default: '',
			placeholder: 'e.g. "too expensive" discount',
			description:
				'Only conversations in which all these words were said in one turn, whole words in any order; "…" for a phrase',
		},
		offeredFor: LISTED,
		fields: ['transcriptUrl'],
		read: readWords,
		passes: () => true,
	},
	saidBy: {
		property: {
			displayName: 'Said By',
			name: 'saidBy',
			type: 'options',
			options: [
				{ name: 'Others', value: 'others', description: 'Everyone but the rep, such as the customer' },
				{ name: 'Rep', value: 'rep' },
			],
			default: 'others',
			description: 'Who must have said Words Said',
		},
		offeredFor: LISTED,
		fields: ['userName'],
		passes: () => true,
	},
	roles: names(
		'role',
		'role',
		['users'],
		['Role', 'role', 'Only users with this role, or one of several', 'e.g. Owner, "Rep, senior"'],
	),
	activeOnly: {
		...flag(
			'isRemoved',
			(isRemoved) => isRemoved !== true,
			['users'],
			['Active Only', 'activeOnly', 'Whether to leave out users who were removed or deactivated'],
		),
		show: () => '"removed"',
	},
	checklistNames: {
		...names('checklist', 'checklistName', LISTED, [
			'Checklist Names',
			'checklistNames',
			'Only conversations with this checklist, or one of several',
			'e.g. Discovery, "Price, terms"',
		]),
		...{ in: ['checklists', 'trackers'], shows: ['checklistScores'] },
	},
	checklistScoreBelow: {
		property: {
			displayName: 'Checklist Score Below',
			name: 'checklistScoreBelow',
			type: 'number',
			default: 3,
			typeOptions: { minValue: 1 },
			description: 'Only conversations with a checklist of which fewer trackers than this were hit',
		},
		...{ offeredFor: LISTED, fields: ['checklistScore'], in: ['checklists'], shows: ['checklistScores'] },
		passes: (maximum: number, [score]) => typeof score === 'number' && score < maximum,
	},
	trackerNames: {
		...names('tracker', 'trackerName', LISTED, [
			'Tracker Names',
			'trackerNames',
			'Only conversations with this tracker, hit or missed, or one of several',
			'e.g. Budget, "Price, terms"',
		]),
		...{ in: ['trackers'], shows: RESULTS },
	},
	hitOrMissed: {
		property: {
			displayName: 'Hit or Missed',
			name: 'hitOrMissed',
			type: 'options',
			default: 'hit',
			options: [
				{ name: 'Hit', value: 'hit' },
				{ name: 'Missed', value: 'missed' },
			],
			description: 'What the tracker must be: one of Tracker Names, or any without these',
		},
		...{ offeredFor: LISTED, fields: ['trackerIsHit'], in: ['trackers'], shows: RESULTS },
		passes: (wanted: string, [isHit]) => isHit === (wanted === 'hit'),
		show: (isHit) => (isHit === true ? 'hit' : 'missed'),
	},
};

const NAMES = Object.keys(RULES) as Name[];

/** The filters that are set. */
export const setIn = (filter: ConversationFilter) => NAMES.filter((name) => filter[name] !== undefined);

/** Whether two filters want the same rows, whatever the order of their parts. */
export const isSameFilter = (one: ConversationFilter, other: ConversationFilter) =>
	JSON.stringify(one, NAMES) === JSON.stringify(other, NAMES);

/** The filters that are offered for rows, by their labels. */
export function filtersFor(place: Place): INodeProperties[] {
	const offered = Object.values(RULES).filter((rule) => rule.offeredFor.includes(place));
	const described = offered.map(({ property, ofTeams }) =>
		ofTeams && place === 'teams' ? { ...property, description: ofTeams } : property,
	);
	return described.sort((a, b) => (a.displayName < b.displayName ? -1 : 1));
}
