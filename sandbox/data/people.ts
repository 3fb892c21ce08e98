import { idOf, Random } from './random';
import { firstNames, lastNames, teamNames } from './words';

export interface Team {
	teamId: string;
	name: string;
	externalTeamId: string | null;
	parent: Team | undefined;
}

/** Organizations share no email or prefix, so tests notice lookups across them (D2 § Attendee rules, 2). */
export const staffs = {
	// Users who share a name have an email at the branch.
	own: { users: 40, teams: 8, lastNames, domain: 'example.com', branchDomain: 'branch.example.net' },
	other: {
		users: 6,
		teams: 2,
		lastNames: lastNames.map((name) => `${name}sen`),
		domain: 'other.example.org',
		branchDomain: 'branch.other.example.org',
	},
};
export type Staff = (typeof staffs)['own' | 'other'];

/** Generates teams from the seed, parents before their subteams. */
export function makeTeams(seed: number, { teams: count }: Staff): Team[] {
	const teams: Team[] = [];
	for (let index = 0; index < count; index++) {
		teams.push({
			teamId: idOf(seed, 'team', index),
			name: teamNames[index],
			externalTeamId: index % 3 === 2 ? null : `crm-team-${1000 + index}`,
			// Groups of four: a top-level team, two subteams, and a subteam of the second.
			parent: teams[[-1, index - 1, index - 2, index - 1][index % 4]],
		});
	}
	return teams;
}

/** Whether `team` is `ancestor` or one of its descendants. */
export function isWithin(team: Team, ancestor: Team): boolean {
	for (let at: Team | undefined = team; at; at = at.parent) if (at === ancestor) return true;
	return false;
}

function nameOf(index: number, { lastNames: family }: Staff): [string, string] {
	// Two people share a name, so that their first.last prefix is ambiguous (D2-ATT-02).
	const person = index % 20 === 13 ? index - 10 : index;
	const first = firstNames[person % firstNames.length];
	const last = family[(person * 7 + Math.floor(person / firstNames.length)) % family.length];
	return [first, last];
}

function emailOf(index: number, first: string, last: string, { domain, branchDomain }: Staff): string {
	const local = `${first}.${last}`;
	const written = index % 6 === 3 ? local : local.toLowerCase();
	return `${written}@${index % 20 === 13 ? branchDomain : domain}`;
}

function makeUser(seed: number, index: number, teams: Team[], staff: Staff) {
	const [first, last] = nameOf(index, staff);
	const isAdmin = index % 10 === 9;
	const accountSetUp = index % 13 !== 5;
	const isHidden = index % 20 === 7;
	const team = teams[index % teams.length];
	const second = teams[(index * 5 + 3) % teams.length];
	const memberships = index % 11 === 10 ? [] : index % 9 === 8 && second !== team ? [team, second] : [team];
	const role = isAdmin ? 'Admin' : index % 10 === 4 ? 'Team Manager' : 'Sales Rep';
	return {
		index,
		userId: idOf(seed, 'user', index),
		/** Null when a name component is missing (D1 § UsersExport). */
		name: index % 17 === 6 || !accountSetUp ? null : `${first} ${last}`,
		email: emailOf(index, first, last, staff),
		alternateEmails: index % 4 === 2 ? [`${first[0]}${last}${index}@mail.example.org`.toLowerCase()] : [],
		role: index % 19 === 16 ? null : role,
		teams: memberships.sort((a, b) => (a.name < b.name ? -1 : 1)),
		accountSetUp,
		isRemoved: index % 20 === 11,
		isHidden,
		hasVoiceId: accountSetUp && new Random(seed, 19, index).chance(0.8),
		records: !isAdmin && !isHidden && accountSetUp,
		/** Whether their failed recordings lack a processing time. */
		errorsStayUnprocessed: index % 7 === 3,
	};
}
export type User = ReturnType<typeof makeUser>;

/** Generates users of every documented kind, followed by the hidden system account for imported calls. */
export function makeUsers(seed: number, teams: Team[], staff: Staff): User[] {
	const users = Array.from({ length: staff.users + 1 }, (_, index) => makeUser(seed, index, teams, staff));
	const [name, email] = ['Unassigned', 'unassigned@system.example'];
	const own = { name, email, alternateEmails: [], role: null, teams: [] };
	const flags = { accountSetUp: true, isRemoved: false, isHidden: true, hasVoiceId: false, records: false };
	Object.assign(users[staff.users], own, flags);
	return users;
}

/** Administrators and team managers. Sandbox's own choice: a user without a role counts as a rep. */
export const isCoach = ({ role }: User) => role === 'Admin' || role === 'Team Manager';
