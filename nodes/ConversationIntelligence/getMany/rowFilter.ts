import type { IDataObject, INodeProperties } from 'n8n-workflow';
import { isComputed } from '../../shared/exportApi/users';
import type { Item } from '../../shared/node/item';
import { refusedValue } from '../../shared/node/parameters';
import { linkOf } from '../downloads/presignedLink';

const outcome = {
	displayName: 'Outcome',
	name: 'outcome',
	type: 'string',
	default: '',
	placeholder: 'e.g. Not Sold, No Show',
	description: 'Only rows with one of these outcomes. Applied by the node after reading.',
} as const satisfies INodeProperties;

const minDuration = {
	displayName: 'Minimum Duration',
	name: 'minDuration',
	type: 'number',
	typeOptions: { minValue: 0 },
	default: 60,
	description: 'Only recordings of at least this many seconds. Applied by the node after reading.',
} as const satisfies INodeProperties;

const hasTranscript = {
	displayName: 'Has Transcript',
	name: 'hasTranscript',
	type: 'boolean',
	default: true,
	description: 'Whether to return only conversations with a transcript. Applied by the node after reading.',
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
export const recordingFilters: INodeProperties[] = [minDuration, outcome, teamsFilter];
export const conversationFilters: INodeProperties[] = [hasTranscript, ...recordingFilters];

/** The filters that the node applies to the rows it has read; counts the rows that it drops. */
export class RowFilter {
	dropped = 0;

	constructor(
		/** Labels of the filters that the user added. */
		readonly labels: string[],
		private readonly rules: Array<(row: IDataObject) => boolean>,
	) {}

	passes(row: IDataObject): boolean {
		const isWanted = this.rules.every((rule) => rule(row));
		if (!isWanted) this.dropped++;
		return isWanted;
	}
}

/**
 * Reads the filters of an item that the node applies itself.
 *
 * @returns undefined without one
 * @throws CodedError that names the unusable filter
 */
export function readRowFilter(item: Item, filters: IDataObject): RowFilter | undefined {
	const has = ({ name }: INodeProperties) => Object.hasOwn(filters, name);
	const rules = new Map<string, (row: IDataObject) => boolean>();
	const wanted = wordsOf(item.option(outcome, 'filters'));
	if (wanted.length > 0) {
		rules.set(outcome.displayName, (row) => wanted.includes(keyOf(row.outcome)));
	}
	if (has(minDuration)) {
		const seconds = item.option(minDuration, 'filters');
		rules.set(minDuration.displayName, ({ duration }) => Number(duration) >= seconds);
	}
	if (has(hasTranscript) && item.option(hasTranscript, 'filters')) {
		rules.set(hasTranscript.displayName, (row) => linkOf(row, 'transcript').url !== '');
	}
	return rules.size === 0 ? undefined : new RowFilter([...rules.keys()], [...rules.values()]);
}

/**
 * Reads the team filter.
 *
 * @returns undefined for all teams: without the filter, or with one that a person left empty
 * @throws CodedError for anything but a list of text, and for an expression that returns no team
 */
export function readTeams(item: Item, filters: IDataObject): string[] | undefined {
	if (!Object.hasOwn(filters, teamsFilter.name)) return undefined;
	const teams = item.option(teamsFilter, 'filters');
	if (teams.length > 0) return teams;
	if (!isComputed(item.context.getNode(), teamsFilter.name)) return undefined;
	const advice = 'Correct the expression, or remove the filter for all teams.';
	throw refusedValue({ label: teamsFilter.displayName, rule: 'a list of teams', value: undefined, advice });
}

function wordsOf(text: string): string[] {
	return text
		.split(',')
		.map(keyOf)
		.filter((word) => word !== '');
}

/** Outcomes are named by people, so case and outer spaces do not count. */
function keyOf(value: unknown): string {
	return typeof value === 'string' ? value.trim().toLowerCase() : '';
}
