import type { INodeProperties } from 'n8n-workflow';
import { z } from 'zod';
import type { EntryName } from '../exportApi/rows';
import { each } from '../exportApi/schemas';
import { hasWords, readTexts, readUsers, readWords } from './entered';
import { isNamed } from './names';

type Place = 'conversations' | 'recordings' | 'triggers' | 'users';

const namesSchema = z.array(z.string().min(1));

/** What a filter is, also one that a poll trigger has saved. */
export const filterSchema = z
	.object({
		...each(namesSchema, 'users', 'teams', 'outcome', 'outcomeIsNot', 'role'),
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

/** How IDs are entered that a list offers. */
export const CHOOSE =
	'Choose from the list, or specify IDs using an <a href="https://docs.n8n.io/code/expressions/">expression</a>.';

/** What each filter says in the panel. */
const FILTER_WORDS: Record<Name, [label: string, description: string, example?: string]> = {
	users: ['User Names or IDs', `Only these users; the IDs are their emails. ${CHOOSE}`],
	teams: ['Team Names or IDs', `Only reps who are now in these teams or in their subteams. ${CHOOSE}`],
	outcome: ['Outcome', 'Only rows with this outcome, or one of several', 'e.g. No Show, "Sold, financed"'],
	outcomeIsNot: [
		'Outcome Is Not',
		'Leave out rows with this outcome; rows without an outcome stay',
		'e.g. Sold, "Sold, financed"',
	],
	role: ['Role', 'Only users with this role, or one of several', 'e.g. Owner, "Rep, senior"'],
	checklistNames: [
		'Checklist Names',
		'Only conversations with one of these checklists',
		'e.g. Discovery, "Price, terms"',
	],
	trackerNames: [
		'Tracker Names',
		'Only conversations with one of these trackers, hit or missed',
		'e.g. Budget, "Price, terms"',
	],
	customer: [
		'Customer',
		"Only conversations with all these words in the customer's name, email or phone",
		'e.g. Ann Miller',
	],
	text: [
		'Search Words',
		'Only conversations with all these words in title, customer, rep, summaries or CRM event ID',
		'e.g. Miller roof',
	],
	said: [
		'Words Said',
		'Only conversations in which all these words were said in one turn, in any order; "…" for a phrase',
		'e.g. "too expensive" discount',
	],
	saidBy: ['Said By', 'Who must have said the words in Words Said'],
	hasTranscript: ['Has Transcript', 'Whether to return only conversations with a transcript'],
	noAppointment: ['No Appointment', 'Whether to return only rows without a linked appointment'],
	activeOnly: ['Active Only', 'Whether to leave out users who were removed or deactivated'],
	minDuration: ['Minimum Duration (Seconds)', 'Only recordings that are at least this long'],
	checklistScoreBelow: [
		'Checklist Score Below',
		'Only conversations with a checklist in which fewer trackers than this were hit',
	],
	hitOrMissed: [
		'Hit or Missed',
		'Only conversations in which a tracker of Tracker Names has this result; without Tracker Names, any tracker',
	],
};

/** A filter: how it is entered, where it is offered, and what it compares. */
interface Rule {
	input: Pick<INodeProperties, 'type' | 'default' | 'options' | 'typeOptions' | 'modes'>;
	offeredFor: Place[];
	/** What it compares: fields of the row, or of the conversation's checklists or trackers if `in` is set. */
	fields: string[];
	in?: EntryName[];
	/** Reads an entered value; undefined if it does not filter. Without `read`, the value is checked by its property. */
	read?: (entered: unknown, label: string) => unknown;
	/** @param values of the fields */
	passes: (wanted: never, values: unknown[]) => boolean;
	/** A value in words, if it is not quoted. */
	show?: (value: unknown) => string;
	/** What the names belong to, e.g. `tracker`; only for filters that compare names. */
	noun?: string;
	/** What Simplified returns besides, to show why a conversation passes. */
	shows?: string[];
}

const OF_CONVERSATIONS: Place[] = ['conversations', 'triggers'];
const OF_RECORDINGS: Place[] = [...OF_CONVERSATIONS, 'recordings'];

const loaded = (loadOptionsMethod: string): Rule['input'] => ({
	...{ type: 'multiOptions', typeOptions: { loadOptionsMethod }, default: [] },
});
const numberInput = (byDefault: number, minValue: number): Rule['input'] => ({
	...{ type: 'number', typeOptions: { minValue }, default: byDefault },
});
const FLAG: Rule['input'] = { type: 'boolean', default: true };
const TEXT: Rule['input'] = { type: 'string', default: '' };

const names = (name: Name, noun: string, field: string) => ({
	input: {
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
				placeholder: FILTER_WORDS[name][2],
				hint: 'Separate several names with commas',
			},
		],
	} satisfies Rule['input'],
	...{ fields: [field], read: readTexts, passes: isNamed, noun },
});

const CUSTOMER = ['customerName', 'customerEmail', 'customerPhone'];
const ABOUT = ['title', ...CUSTOMER, 'userName', 'userEmail', 'jobSummary', 'customSummary', 'crmEventID'];
const OF_TRACKERS = {
	offeredFor: OF_CONVERSATIONS,
	in: ['trackers' as const],
	shows: ['hitTrackers', 'missedTrackers'],
};
const OF_CHECKLISTS = { offeredFor: OF_CONVERSATIONS, shows: ['checklistScores'] };

export const RULES: Record<Name, Rule> = {
	users: {
		...{ input: loaded('getUsers'), offeredFor: [...OF_RECORDINGS, 'users'] },
		...{ fields: ['userEmail'], read: readUsers },
		passes: (users: unknown[], [email]) => users.includes(email),
	},
	teams: {
		...{ input: loaded('getTeams'), offeredFor: [...OF_RECORDINGS, 'users'] },
		...{ fields: ['teamId'], read: readTexts },
		passes: (teams: string[], [id]) => teams.includes(String(id)),
	},
	outcome: { ...names('outcome', 'outcome', 'outcome'), offeredFor: OF_RECORDINGS },
	outcomeIsNot: {
		...names('outcomeIsNot', 'outcome', 'outcome'),
		offeredFor: OF_RECORDINGS,
		passes: (excluded: string[], values) => !isNamed(excluded, values),
	},
	minDuration: {
		...{ input: numberInput(60, 0), offeredFor: OF_RECORDINGS, fields: ['duration'] },
		passes: (seconds: number, [duration]) => Number(duration) >= seconds,
	},
	hasTranscript: {
		...{ input: FLAG, offeredFor: OF_CONVERSATIONS, fields: ['transcriptUrl'] },
		passes: (_: true, [link]) => typeof link === 'string' && link !== '',
	},
	noAppointment: {
		...{ input: FLAG, offeredFor: OF_RECORDINGS, fields: ['crmEventID'] },
		// Without the field nothing is known, and a match would replace the link.
		passes: (_: true, [id]) => id === null || id === '',
	},
	customer: {
		input: TEXT,
		offeredFor: OF_CONVERSATIONS,
		fields: CUSTOMER,
		read: readWords,
		passes: hasWords,
	},
	text: { input: TEXT, offeredFor: ['conversations'], fields: ABOUT, read: readWords, passes: hasWords },
	// Transcripts decide these two, which no row has.
	said: {
		input: TEXT,
		offeredFor: OF_CONVERSATIONS,
		fields: ['transcriptUrl'],
		read: readWords,
		passes: () => true,
	},
	saidBy: {
		input: {
			type: 'options',
			options: [
				{ name: 'Others', value: 'others', description: 'Everyone but the rep, such as the customer' },
				{ name: 'Rep', value: 'rep' },
			],
			default: 'others',
		},
		...{ offeredFor: OF_CONVERSATIONS, fields: ['userName'], passes: () => true },
	},
	role: { ...names('role', 'role', 'role'), offeredFor: ['users'] },
	activeOnly: {
		...{ input: FLAG, offeredFor: ['users'], fields: ['isRemoved'] },
		passes: (_: true, [isRemoved]) => isRemoved !== true,
		show: () => '"removed"',
	},
	checklistNames: {
		...names('checklistNames', 'checklist', 'checklistName'),
		...{ ...OF_CHECKLISTS, in: ['checklists', 'trackers'] },
	},
	checklistScoreBelow: {
		...{ ...OF_CHECKLISTS, input: numberInput(3, 1), fields: ['checklistScore'], in: ['checklists'] },
		passes: (maximum: number, [score]) => typeof score === 'number' && score < maximum,
	},
	trackerNames: { ...names('trackerNames', 'tracker', 'trackerName'), ...OF_TRACKERS },
	hitOrMissed: {
		input: {
			type: 'options',
			default: 'hit',
			options: [
				{ name: 'Hit', value: 'hit' },
				{ name: 'Missed', value: 'missed' },
			],
		},
		...{ ...OF_TRACKERS, fields: ['trackerIsHit'] },
		passes: (wanted: string, [isHit]) => isHit === (wanted === 'hit'),
		show: (isHit) => (isHit === true ? 'hit' : 'missed'),
	},
};

export const NAMES = Object.keys(RULES) as Name[];

export const labelOfFilter = (name: Name) => FILTER_WORDS[name][0];

/** A filter as the panel offers it. */
export function propertyOf(name: Name): INodeProperties {
	const [displayName, description, placeholder] = FILTER_WORDS[name];
	return { displayName, name, description, ...(placeholder && { placeholder }), ...RULES[name].input };
}

/** Whether two filters want the same rows, whatever the order of their parts. */
export const isSameFilter = (one: ConversationFilter, other: ConversationFilter) =>
	JSON.stringify(one, NAMES) === JSON.stringify(other, NAMES);

/** The filters that are offered for rows, by their labels. */
export function filtersFor(place: Place): INodeProperties[] {
	const offered = NAMES.filter((name) => RULES[name].offeredFor.includes(place)).map(propertyOf);
	return offered.sort((a, b) => (a.displayName < b.displayName ? -1 : 1));
}
