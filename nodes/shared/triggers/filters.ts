import type {
	IDataObject,
	IExecuteFunctions,
	IHookFunctions,
	INodeProperties,
	IPollFunctions,
	IWebhookFunctions,
} from 'n8n-workflow';
import { conversationFilters, readFilters } from '../exportApi/conversationFilter';
import type { ConversationFilter } from '../exportApi/filterRules';
import { membersOf } from '../exportApi/teamsAndUsers';
import { usersFilter } from '../exportApi/usersFilter';
import { Item } from '../node/item';
import { optionOf, typedValue } from '../node/parameters';
import { memoryOf } from './memory';

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

/**
 * Reads which conversations start the workflow, and what of them.
 * @param output Fields to Return, with the choices of the trigger
 * @throws CodedError for a wrong value, by its label
 */
export function readSelection<const Output extends INodeProperties>(
	source: IHookFunctions | IPollFunctions | IWebhookFunctions | Item,
	output: Output,
) {
	const isItem = source instanceof Item;
	const node = (isItem ? source.context : source).getNode();
	const read = (name: string, fallback: object) =>
		isItem ? source.parameter(name, fallback) : source.getNodeParameter(name, fallback);
	const filters = read('filters', {}) as IDataObject;
	const { teams, ...filter } = readFilters(filters, node);
	return {
		filter,
		teams,
		output: typedValue(read(output.name, output.default as never), output),
		isNewOnly: optionOf(read('options', {}) as IDataObject, deliverOption) === 'new',
	};
}

/** How long the members of teams are remembered. */
const MEMBERS_LIFETIME_MS = 10 * 60_000;

/** The users of the latest team filter, and when they were asked for. */
const latestMembers = memoryOf(() => ({}) as { asked?: string; at: number; users: Promise<string[]> });

/**
 * A filter with the members of its teams as users.
 * @param deadline on the clock of `performance.now()`
 * @throws as {@link membersOf}
 */
export async function withMembers(
	context: TriggerContext,
	{ filter, teams }: TriggerFilter,
	deadline?: number,
): Promise<ConversationFilter> {
	if (teams === undefined) return filter;
	const latest = latestMembers(context);
	const asked = JSON.stringify([teams, filter.users, context.getNode().credentials]);
	if (latest.asked !== asked || Date.now() - latest.at >= MEMBERS_LIFETIME_MS) {
		const users = membersOf(context, teams, filter.users, deadline).then((found) => found.users.sort());
		Object.assign(latest, { asked, at: Date.now(), users });
		users.catch(() => (latest.asked = undefined));
	}
	return { ...filter, users: await latest.users };
}
