import type { AppointmentBook } from './crm/book';
import type { Organization } from './data/organization';
import { isWithin, type Team, type User } from './data/people';

/** Readable keys, derived from the seed. */
export const makeKeys = (seed: number) => ({
	/** Sees the whole organization. */
	organization: `sandbox-${seed}-organization-key`,
	/** Sees the first top-level team and its subteams through the export API. */
	team: `sandbox-${seed}-team-key`,
	/** Belongs to another organization. */
	otherOrganization: `sandbox-${seed}-other-organization-key`,
	/** Known to the gateway, but mapped to no organization. */
	unmapped: `sandbox-${seed}-unmapped-key`,
});
export type Keys = ReturnType<typeof makeKeys>;

/** What a key may read through the export API (D1-AUTH-02). */
export interface Scope {
	organization: Organization;
	book: AppointmentBook;
	isTeamScoped: boolean;
	teams: Team[];
	/** Users whose data may be returned. */
	users: User[];
}

/**
 * The scope of each key, exactly as issued: no prefix, no whitespace, same case. Undefined for a key without an
 * organization. A deleted key is removed immediately (D2-AUTH-04); sandbox's own choice: for D1, too.
 */
export type Scopes = Map<string, Scope | undefined>;

export function scopesOf(keys: Keys, own: AppointmentBook, other: AppointmentBook): Scopes {
	const everything = (book: AppointmentBook): Scope => {
		const { organization } = book;
		const { teams, users } = organization;
		return { organization, book, isTeamScoped: false, teams, users };
	};
	const { organization } = own;
	const teams = organization.teams.filter((team) => isWithin(team, organization.teams[0]));
	const users = organization.users.filter((user) => user.teams.some((team) => teams.includes(team)));
	return new Map([
		[keys.organization, everything(own)],
		[keys.team, { ...everything(own), isTeamScoped: true, teams, users }],
		[keys.otherOrganization, everything(other)],
		[keys.unmapped, undefined],
	]);
}
