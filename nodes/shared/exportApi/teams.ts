import type {
	IDataObject,
	IExecuteFunctions,
	ILoadOptionsFunctions,
	INodePropertyOptions,
} from 'n8n-workflow';
import { codedError } from '../errors/codedError';
import { LIST_LIMIT_MS, serviceRequest } from '../http';
import { isObject } from '../node/isObject';
import { teamsRequest, usersRequest } from './endpoints';
import { EXPORT_API_ERRORS } from './errors';

const REQUESTS = { teams: teamsRequest, users: usersRequest };

/**
 * Loads the teams that the key may see, for the team filter (D1 § POST /export/teams).
 *
 * @returns names, sorted; the value is the team's ID
 * @throws as {@link metricRows}
 */
export async function getTeams(this: ILoadOptionsFunctions): Promise<INodePropertyOptions[]> {
	return (await metricRows(this, 'teams', performance.now() + LIST_LIMIT_MS))
		.flatMap(({ name, teamId }) =>
			typeof teamId === 'string' ? [{ name: typeof name === 'string' ? name : teamId, value: teamId }] : [],
		)
		.sort((a, b) => a.name.localeCompare(b.name));
}

/**
 * Finds the current members of teams, not of their subteams (D1 § UsersExport, teams).
 *
 * @param teams IDs or exact names
 * @param among only these emails; all users when omitted
 * @returns their exact emails, at least one, and the teams in which no user is
 * @throws CodedError when there is no member, because an empty users filter would mean all users
 */
export async function membersOf(
	context: IExecuteFunctions,
	teams: string[],
	among: string[] | undefined,
): Promise<{ users: string[]; emptyTeams: string[] }> {
	const all = (await metricRows(context, 'users')).map((user) => ({ ...user, teams: namesOfTeams(user) }));
	const users = all
		.filter((user) => user.teams.some((name) => teams.includes(name)))
		.flatMap(({ email }: IDataObject) => (typeof email === 'string' ? [email] : []))
		.filter((email) => among?.includes(email) ?? true);
	if (users.length > 0) {
		const known = new Set(all.flatMap((user) => user.teams));
		return { users, emptyTeams: teams.filter((team) => !known.has(team)) };
	}
	// Quoted, because a name can contain a comma.
	const names = teams.map((team) => `"${team}"`).join(', ');
	const code = among ? 'user_not_in_teams' : 'team_without_members';
	throw codedError(EXPORT_API_ERRORS, code, { teams: names });
}

/** The IDs and names of a user's teams. */
function namesOfTeams({ teams }: IDataObject): string[] {
	const list: unknown[] = Array.isArray(teams) ? teams : [];
	return list.filter(isObject).flatMap(({ teamId, name }) => [String(teamId), String(name)]);
}

/**
 * The rows of POST /export/teams or /export/users, for who is there: the metrics are of one second (D1 § UsersExport).
 *
 * @param deadline on the clock of `performance.now()`
 * @throws as {@link serviceRequest}, and RequestError for a response without a list
 */
export async function metricRows(
	context: IExecuteFunctions | ILoadOptionsFunctions,
	kind: 'teams' | 'users',
	deadline?: number,
): Promise<IDataObject[]> {
	const now = Date.now();
	// A short range is the cheapest.
	const range = { fromDate: new Date(now - 1000).toISOString(), toDate: new Date(now).toISOString() };
	const response = await serviceRequest(context, { ...REQUESTS[kind](range), deadline });
	const rows: unknown = response.json()[kind];
	if (!Array.isArray(rows)) throw response.unreadable(`has no field "${kind}"`);
	return rows.filter(isObject);
}
