import type { INodeProperties } from 'n8n-workflow';
import { usersFilter } from './usersFilter';

export const outcome = {
	displayName: 'Outcome',
	name: 'outcome',
	type: 'string',
	default: '',
	placeholder: 'e.g. Not Sold, No Show',
	description: 'Only rows with one of these outcomes. Applied by the node after reading.',
} as const satisfies INodeProperties;

export const minDuration = {
	displayName: 'Minimum Duration (Seconds)',
	name: 'minDuration',
	type: 'number',
	typeOptions: { minValue: 0 },
	default: 60,
	description: 'Only recordings that are at least this long. Applied by the node after reading.',
} as const satisfies INodeProperties;

export const hasTranscript = {
	displayName: 'Has Transcript',
	name: 'hasTranscript',
	type: 'boolean',
	default: true,
	description: 'Whether to return only conversations with a transcript. Applied by the node after reading.',
} as const satisfies INodeProperties;

export const noAppointment = {
	displayName: 'No Appointment',
	name: 'noAppointment',
	type: 'boolean',
	default: true,
	description:
		'Whether to return only rows that are linked to no CRM or calendar event. Applied by the node after reading.',
} as const satisfies INodeProperties;

export const teamsFilter = {
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

export const checklistNames = namesOf('Checklist Names', 'checklistNames', ['checklists', 'trackers']);
export const trackerNames = namesOf('Tracker Names', 'trackerNames', ['trackers']);

export const hitOrMissed = {
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

export const role = {
	displayName: 'Role',
	name: 'role',
	type: 'string',
	default: '',
	placeholder: 'e.g. Sales Rep',
	description: 'Only users with one of these roles, with commas between them',
} as const satisfies INodeProperties;

export const activeOnly = {
	displayName: 'Active Only',
	name: 'activeOnly',
	type: 'boolean',
	default: true,
	description: 'Whether to leave out users who were removed or deactivated',
} as const satisfies INodeProperties;

/** As {@link teamsFilter}, for the rows of teams themselves. */
export const teamRowsFilter: INodeProperties = {
	...teamsFilter,
	description:
		'Only these teams. Choose from the list, or specify IDs using an <a href="https://docs.n8n.io/code/expressions/">expression</a>.',
};

/** The filters of users' metrics. */
export const userFilters: INodeProperties[] = [activeOnly, role, teamsFilter, usersFilter];

/** The filter of conversations by their words. */
export const textFilter = {
	displayName: 'Text',
	name: 'text',
	type: 'string',
	default: '',
	placeholder: 'e.g. Miller roof',
	description:
		'Only conversations with all these words in title, customer, rep, summaries or CRM event ID. Applied by the node after reading.',
} as const satisfies INodeProperties;
