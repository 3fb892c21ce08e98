import type { IDataObject, IExecuteFunctions, INodeProperties, IPollFunctions } from 'n8n-workflow';
import { readRowFilter, readTeams, type ConversationFilter } from '../exportApi/conversationFilter';
import { conversationFilters } from '../exportApi/filterProperties';
import { membersOf } from '../exportApi/teamsAndUsers';
import { readUsers, usersFilter } from '../exportApi/usersFilter';

export const filtersParameter: INodeProperties = {
	displayName: 'Filters',
	name: 'filters',
	type: 'collection',
	placeholder: 'Add filter',
	default: {},
	options: [usersFilter, ...conversationFilters],
};

export const deliverOption = {
	displayName: 'Deliver',
	name: 'deliver',
	type: 'options',
	noDataExpression: true,
	options: [
		{ name: 'New and Processed Again', value: 'all' },
		{ name: 'New Only', value: 'new', description: 'None that this trigger has delivered before' },
	],
	default: 'all',
	description: 'Whether a conversation that is processed again starts the workflow again',
} as const satisfies INodeProperties;

/** IDs of delivered conversations that New Only remembers. */
export const MAX_REMEMBERED = 10_000;

export type TriggerContext = IExecuteFunctions | IPollFunctions;

/** What Filters asks for. */
export interface TriggerFilter {
	filter: ConversationFilter;
	/** IDs or names of teams, whose members are not known yet. */
	teams?: string[];
}

/** @throws CodedError that names the unusable filter */
export function readTriggerFilter(
	filters: IDataObject,
	node: Parameters<typeof readUsers>[1],
): TriggerFilter {
	const users = readUsers(filters, node);
	return { filter: { ...(users && { users }), ...readRowFilter(filters) }, teams: readTeams(filters, node) };
}

/** How long the members of teams are remembered. */
const MEMBERS_LIFETIME_MS = 10 * 60_000;

/** Of each trigger: the users of its latest team filter, and when they were asked for. */
const members = new Map<string, { asked: string; at: number; users: Promise<string[]> }>();

/**
 * A filter with the members of its teams as users.
 *
 * @param deadline on the clock of `performance.now()`
 * @throws as {@link membersOf}
 */
export async function withMembers(
	context: TriggerContext,
	{ filter, teams }: TriggerFilter,
	deadline?: number,
): Promise<ConversationFilter> {
	if (teams === undefined) return filter;
	const { id, credentials } = context.getNode();
	const key = `${context.getWorkflow().id}/${id}`;
	const asked = JSON.stringify([teams, filter.users, credentials]);
	let known = members.get(key);
	if (known?.asked !== asked || Date.now() - known.at >= MEMBERS_LIFETIME_MS) {
		const users = membersOf(context, teams, filter.users, deadline).then((found) => found.users.sort());
		known = { asked, at: Date.now(), users };
		members.set(key, known);
		users.catch(() => members.delete(key));
	}
	return { ...filter, users: await known.users };
}
