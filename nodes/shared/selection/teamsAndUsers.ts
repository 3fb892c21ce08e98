import type { IDataObject, ILoadOptionsFunctions, INodePropertyOptions } from 'n8n-workflow';
import { codedError } from '../base/codedErrors';
import { firstFew, isObject, quoted } from '../base/text';
import { ExportClient } from '../exportApi/client';
import { keepFields } from '../exportApi/rows';
import type { ServiceContext } from '../http/request';
import { pickable, PICKER_LIMIT_MS } from '../node/item';
import { SELECTION_ERRORS } from './entered';

// Everything here also throws what the {@link ExportClient} does.

/** The teams that the key may see, by name, for the team filter; the value is the ID (D1 § POST /export/teams). */
export async function getTeams(this: ILoadOptionsFunctions): Promise<INodePropertyOptions[]> {
	const teams = await new ExportClient(this, performance.now() + PICKER_LIMIT_MS).teams();
	const nameOf = ({ name, teamId }: IDataObject) => String(typeof name === 'string' ? name : teamId);
	return choices(teams, 'teamId', nameOf, "a team's ID");
}

/**
 * The users that the key may see, by name, for the users filter; the value is the exact email (D1 § POST /export/users).
 * Removed ones too, because their conversations stay.
 */
export async function getUsers(this: ILoadOptionsFunctions): Promise<INodePropertyOptions[]> {
	const users = await new ExportClient(this, performance.now() + PICKER_LIMIT_MS).users();
	const nameOf = ({ name, email, isRemoved }: IDataObject) => {
		const shown = typeof name === 'string' && name !== '' ? `${name} (${email})` : String(email);
		return isRemoved === true ? `${shown}, removed` : shown;
	};
	return choices(users, 'email', nameOf, "a user's email");
}

function choices(rows: unknown[], id: string, nameOf: (row: IDataObject) => string, what: string) {
	const options = rows.filter(isObject).flatMap((row) => {
		const value = row[id];
		return typeof value === 'string' ? [{ name: nameOf(row), value }] : [];
	});
	const sorted = options.sort((a, b) => a.name.localeCompare(b.name));
	return pickable(sorted, what);
}

/**
 * Finds the current members of teams and of their subteams (D1 § UsersExport, teams; § TeamsExport, parentTeamId).
 * @param teams IDs or names
 * @param among only these emails
 * @param deadline on the clock of `performance.now()`
 * @returns the members' emails, and the teams that have no user, not even in their subteams
 * @throws CodedError when there is no member, because an empty users filter would mean all users
 */
export async function membersOf(
	context: ServiceContext,
	teams: string[],
	among: string[] | undefined,
	deadline?: number,
): Promise<{ users: string[]; emptyTeams: string[] }> {
	const client = new ExportClient(context, deadline);
	const lists = await Promise.all([client.users(), client.teams()]);
	const [all, rows] = lists.map((list) => list.filter(isObject));
	const known = [...rows, ...all.flatMap(teamsOf)];
	const inTeams = (wanted: string[]) => {
		const ids = withSubteams(known.filter(teamMatcher(wanted, known)), rows);
		return all.filter((user) => teamsOf(user).some(({ teamId }) => ids.has(teamId)));
	};
	const users = inTeams(teams)
		.flatMap(({ email }) => (typeof email === 'string' ? [email] : []))
		.filter((email) => among?.includes(email) ?? true);
	if (users.length > 0) return { users, emptyTeams: teams.filter((team) => inTeams([team]).length === 0) };
	const code = among ? 'user_not_in_teams' : 'team_without_members';
	throw codedError(SELECTION_ERRORS, code, { teams: firstFew(teams, quoted) });
}

/** The IDs of teams and of all teams below them, each once, even if the service's parents form a circle. */
function withSubteams(teams: IDataObject[], all: IDataObject[]): Set<unknown> {
	const ids = new Set<unknown>(teams.flatMap(({ teamId }) => teamId ?? []));
	// The loop also visits the IDs that it adds.
	for (const id of ids) {
		for (const { teamId, parentTeamId = null } of all) if (parentTeamId === id) ids.add(teamId);
	}
	return ids;
}

/**
 * The current teams of all users: `teamNames` and `teamIds` by email, with commas between them; null for a user without a
 * team (D1 § UsersExport, teams).
 */
export async function teamsByEmail(context: ServiceContext): Promise<Map<unknown, IDataObject>> {
	const users = (await new ExportClient(context).users()).filter(isObject);
	return new Map(users.map((user) => [user.email, keepFields(user, ['teamNames', 'teamIds'])]));
}

/**
 * Tells which teams are wanted: by ID, or by exact name where no team has it as its ID.
 * @param known the teams that the key may see
 */
export function teamMatcher(wanted: string[], known: IDataObject[]): (team: IDataObject) => boolean {
	const ids = new Set(known.map(({ teamId }) => String(teamId)));
	const named = wanted.filter((team) => !ids.has(team));
	return ({ teamId, name }) => wanted.includes(String(teamId)) || named.includes(String(name));
}

function teamsOf({ teams }: IDataObject): IDataObject[] {
	return Array.isArray(teams) ? (teams as unknown[]).filter(isObject) : [];
}
