import type { IDataObject, ILoadOptionsFunctions, INodePropertyOptions } from 'n8n-workflow';
import { codedError } from '../errors/codedError';
import { LIST_LIMIT_MS, type ServiceContext } from '../http';
import { isObject } from '../node/isObject';
import { ExportClient } from './client';
import { EXPORT_API_ERRORS } from './errors';

/**
 * Loads the teams that the key may see, for the team filter (D1 § POST /export/teams).
 *
 * @returns names, sorted; the value is the team's ID
 * @throws as {@link ExportClient}
 */
export async function getTeams(this: ILoadOptionsFunctions): Promise<INodePropertyOptions[]> {
	const teams = await new ExportClient(this, performance.now() + LIST_LIMIT_MS).teams();
	return sorted(
		teams
			.filter(isObject)
			.flatMap(({ name, teamId }) =>
				typeof teamId === 'string' ? [{ name: typeof name === 'string' ? name : teamId, value: teamId }] : [],
			),
	);
}

/**
 * Loads the users of the key's organization or teams, for the users filter: removed ones too, because their conversations
 * stay (D1 § POST /export/users).
 *
 * @returns name and email, sorted by name; the value is the exact email
 * @throws as {@link ExportClient}
 */
export async function getUsers(this: ILoadOptionsFunctions): Promise<INodePropertyOptions[]> {
	const users = await new ExportClient(this, performance.now() + LIST_LIMIT_MS).users();
	return sorted(users.filter(isObject).flatMap(optionOf));
}

function optionOf({ name, email, isRemoved }: IDataObject): INodePropertyOptions[] {
	if (typeof email !== 'string') return [];
	const shown = typeof name === 'string' && name !== '' ? `${name} (${email})` : email;
	return [{ name: isRemoved === true ? `${shown}, removed` : shown, value: email }];
}

function sorted(options: INodePropertyOptions[]): INodePropertyOptions[] {
	return options.sort((a, b) => a.name.localeCompare(b.name));
}

/**
 * Finds the current members of teams, not of their subteams (D1 § UsersExport, teams).
 *
 * @param teams IDs or exact names
 * @param among only these emails; all users when omitted
 * @param deadline on the clock of `performance.now()`
 * @returns their exact emails, at least one, and the teams in which no user is
 * @throws as {@link ExportClient}, and CodedError when there is no member, because an empty users filter would mean all users
 */
export async function membersOf(
	context: ServiceContext,
	teams: string[],
	among: string[] | undefined,
	deadline?: number,
): Promise<{ users: string[]; emptyTeams: string[] }> {
	const all = (await new ExportClient(context, deadline).users())
		.filter(isObject)
		.map((user) => ({ email: user.email, teams: namesOfTeams(user) }));
	const users = all
		.filter((user) => user.teams.some((name) => teams.includes(name)))
		.flatMap(({ email }) => (typeof email === 'string' ? [email] : []))
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

/**
 * Reads the current teams of all users (D1 § UsersExport, teams).
 *
 * @returns `teamNames` and `teamIds` by email, with commas between them; null for a user without a team
 * @throws as {@link ExportClient}
 */
export async function teamsByEmail(context: ServiceContext): Promise<Map<unknown, IDataObject>> {
	const users = await new ExportClient(context).users();
	return new Map(
		users.filter(isObject).map((user): [unknown, IDataObject] => {
			const all = teamsOf(user);
			const joined = (values: unknown[]) => values.join(', ') || null;
			const teamNames = joined(all.map(({ name }) => name));
			return [user.email, { teamNames, teamIds: joined(all.map(({ teamId }) => teamId)) }];
		}),
	);
}

/** The IDs and names of a user's teams. */
function namesOfTeams(user: IDataObject): string[] {
	return teamsOf(user).flatMap(({ teamId, name }) => [String(teamId), String(name)]);
}

function teamsOf({ teams }: IDataObject): IDataObject[] {
	return Array.isArray(teams) ? (teams as unknown[]).filter(isObject) : [];
}
