import type { IDataObject, ILoadOptionsFunctions, INodePropertyOptions } from 'n8n-workflow';
import { codedError } from '../base/errors';
import { firstFew, isObject, quoted } from '../base/text';
import { PICKER_LIMIT_MS, type ServiceContext } from '../http/request';
import { pickable } from '../node/item';
import { ExportClient } from '../exportApi/client';
import { SELECTION_ERRORS } from './entered';
import { keepFields } from '../exportApi/rows';

// Everything here also throws what the {@link ExportClient} does.

/** The teams that the key may see, by name, for the team filter; the value is the ID (D1 § POST /export/teams). */
export async function getTeams(this: ILoadOptionsFunctions): Promise<INodePropertyOptions[]> {
	const teams = await new ExportClient(this, performance.now() + PICKER_LIMIT_MS).teams();
	return choices(teams, teamChoice, "a team's ID");
}

/**
 * The users that the key may see, by name, for the users filter; the value is the exact email (D1 § POST /export/users).
 * Removed ones too, because their conversations stay.
 */
export async function getUsers(this: ILoadOptionsFunctions): Promise<INodePropertyOptions[]> {
	const users = await new ExportClient(this, performance.now() + PICKER_LIMIT_MS).users();
	return choices(users, userChoice, "a user's email");
}

function choices(rows: unknown[], choiceOf: (row: IDataObject) => INodePropertyOptions[], id: string) {
	const options = rows.filter(isObject).flatMap(choiceOf);
	return pickable(
		options.sort((a, b) => a.name.localeCompare(b.name)),
		id,
	);
}

function teamChoice({ name, teamId }: IDataObject): INodePropertyOptions[] {
	if (typeof teamId !== 'string') return [];
	return [{ name: typeof name === 'string' ? name : teamId, value: teamId }];
}

function userChoice({ name, email, isRemoved }: IDataObject): INodePropertyOptions[] {
	if (typeof email !== 'string') return [];
	const shown = typeof name === 'string' && name !== '' ? `${name} (${email})` : email;
	return [{ name: isRemoved === true ? `${shown}, removed` : shown, value: email }];
}

/**
 * Finds the current members of teams, not of their subteams (D1 § UsersExport, teams), and the teams in which no user is.
 * @param teams IDs or exact names
 * @param among only these emails
 * @param deadline on the clock of `performance.now()`
 * @throws CodedError when there is no member, because an empty users filter would mean all users
 */
export async function membersOf(
	context: ServiceContext,
	teams: string[],
	among: string[] | undefined,
	deadline?: number,
): Promise<{ users: string[]; emptyTeams: string[] }> {
	const all = (await new ExportClient(context, deadline).users()).filter(isObject);
	const known = all.flatMap(teamsOf);
	const isWanted = teamMatcher(teams, known);
	const users = all
		.filter((user) => teamsOf(user).some(isWanted))
		.flatMap(({ email }) => (typeof email === 'string' ? [email] : []))
		.filter((email) => among?.includes(email) ?? true);
	const names = new Set(known.flatMap(({ teamId, name }) => [String(teamId), String(name)]));
	if (users.length > 0) return { users, emptyTeams: teams.filter((team) => !names.has(team)) };
	const code = among ? 'user_not_in_teams' : 'team_without_members';
	throw codedError(SELECTION_ERRORS, code, { teams: firstFew(teams, quoted) });
}

/**
 * The current teams of all users: `teamNames` and `teamIds` by email, with commas between them; null for a user without a
 * team (D1 § UsersExport, teams).
 */
export async function teamsByEmail(context: ServiceContext): Promise<Map<unknown, IDataObject>> {
	const users = await new ExportClient(context).users();
	const named = users
		.filter(isObject)
		.map((user): [unknown, IDataObject] => [user.email, keepFields(user, ['teamNames', 'teamIds'])]);
	return new Map(named);
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
