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
		...each(z.string(), 'customer', 'text'),
		...each(z.boolean(), 'hasTranscript', 'noAppointment', 'activeOnly'),
		...each(z.number(), 'minDuration', 'checklistScoreBelow'),
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

type Entered = Pick<INodeProperties, 'displayName' | 'name'> & Partial<INodeProperties>;

const TEXT = { type: 'string', default: '' } as const;

/** Names are picked from the list that a method loads, or entered. */
const names = (
	noun: string,
	searchListMethod: string,
	rule: Omit<Rule, 'property' | 'passes'>,
	entered: Entered,
): Rule => ({
	property: {
		type: 'resourceLocator',
		default: { mode: 'list', value: '' },
		modes: [
			{
				displayName: 'From List',
				name: 'list',
				type: 'list',
				hint: 'For several names, use By Name',
				typeOptions: { searchListMethod, searchable: true },
			},
			{
				displayName: 'By Name',
				name: 'name',
				type: 'string',
				placeholder: entered.placeholder,
				hint: 'Several names with commas between them',
			},
		],
		...entered,
	},
	read: readTexts,
	passes: isNamed,
	noun,
	...rule,
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
	offeredFor: Place[],
	property: Entered,
): Rule => ({
	property: { type: 'boolean', default: true, ...property },
	offeredFor,
	fields: [field],
	passes: (_: true, [value]) => isWanted(value),
});

const LISTED: Place[] = ['conversations', 'triggers'];
const RECORDED: Place[] = [...LISTED, 'recordings'];

/** What has an outcome, of each row. */
const OUTCOME = { fields: ['outcome'], offeredFor: RECORDED };
const OF_TRACKERS = {
	offeredFor: LISTED,
	in: ['trackers'],
	shows: ['hitTrackers', 'missedTrackers'],
} as const satisfies Partial<Rule>;

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
	outcomes: names('outcome', 'searchOutcomes', OUTCOME, {
		displayName: 'Outcome',
		name: 'outcome',
		placeholder: 'e.g. No Show, "Sold, financed"',
		description: 'Only rows with this outcome, or one of several',
	}),
	outcomeIsNot: {
		...names('outcome', 'searchOutcomes', OUTCOME, {
			displayName: 'Outcome Is Not',
			name: 'outcomeIsNot',
			placeholder: 'e.g. Sold, "Sold, financed"',
			description: 'Leave out rows with this outcome. Rows without an outcome stay.',
		}),
		passes: (excluded: string[], values) => !isNamed(excluded, values),
	},
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
	hasTranscript: flag('transcriptUrl', isText, LISTED, {
		displayName: 'Has Transcript',
		name: 'hasTranscript',
		description: 'Whether to return only conversations with a transcript',
	}),
	noAppointment: flag('crmEventID', isEmpty, RECORDED, {
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
	roles: names(
		'role',
		'searchRoles',
		{ fields: ['role'], offeredFor: ['users'] },
		{
			displayName: 'Role',
			name: 'role',
			placeholder: 'e.g. Owner, "Rep, senior"',
			description: 'Only users with this role, or one of several',
		},
	),
	activeOnly: {
		...flag('isRemoved', (isRemoved) => isRemoved !== true, ['users'], {
			displayName: 'Active Only',
			name: 'activeOnly',
			description: 'Whether to leave out users who were removed or deactivated',
		}),
		show: () => '"removed"',
	},
	checklistNames: names(
		'checklist',
		'searchChecklists',
		{
			fields: ['checklistName'],
			in: ['checklists', 'trackers'],
			offeredFor: LISTED,
			shows: ['checklistScores'],
		},
		{
			displayName: 'Checklist Names',
			name: 'checklistNames',
			placeholder: 'e.g. Discovery, "Price, terms"',
			description: 'Only conversations with this checklist, or one of several',
		},
	),
	checklistScoreBelow: {
		property: {
			displayName: 'Checklist Score Below',
			name: 'checklistScoreBelow',
			type: 'number',
			typeOptions: { minValue: 1 },
			default: 3,
			description: 'Only conversations with a checklist of which fewer trackers than this were hit',
		},
		offeredFor: LISTED,
		fields: ['checklistScore'],
		in: ['checklists'],
		passes: (maximum: number, [score]) => typeof score === 'number' && score < maximum,
		shows: ['checklistScores'],
	},
	trackerNames: names(
		'tracker',
		'searchTrackers',
		{ ...OF_TRACKERS, fields: ['trackerName'] },
		{
			displayName: 'Tracker Names',
			name: 'trackerNames',
			placeholder: 'e.g. Budget, "Price, terms"',
			description: 'Only conversations with this tracker, hit or missed, or one of several',
		},
	),
	hitOrMissed: {
		...OF_TRACKERS,
		property: {
			displayName: 'Hit or Missed',
			name: 'hitOrMissed',
			type: 'options',
			options: [
				{ name: 'Hit', value: 'hit' },
				{ name: 'Missed', value: 'missed' },
			],
			default: 'hit',
			description: 'What the tracker must be: one of Tracker Names, or any without these',
		},
		fields: ['trackerIsHit'],
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
