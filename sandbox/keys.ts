import type { Organization } from './data/organization';
import { isWithin, type Team, type User } from './data/people';
import type { Collection, Store } from './store';

/** The keys of a sandbox: readable, and the same for the same seed. */
export const makeKeys = (seed: number) => ({
	/** Sees the whole organization. */
	organization: `sandbox-${seed}-organization-key`,
	/** Sees the first top-level team and its subteams through the export API. */
	team: `sandbox-${seed}-team-key`,
	/** Belongs to another organization. */
	otherOrganization: `sandbox-${seed}-other-organization-key`,
	/** Known at the gateway, but mapped to no organization. */
	unmapped: `sandbox-${seed}-unmapped-key`,
});
export type Keys = ReturnType<typeof makeKeys>;

/** What a key may read through the export API (D1 § Data Export API, rule 2). */
export interface Scope {
	organization: Organization;
	isTeamScoped: boolean;
	teams: Team[];
	/** Users whose data may be returned. */
	users: User[];
}

/** Whom each key belongs to. */
export class KeyRing {
	private readonly scopes: Map<string, Scope | undefined>;
	private readonly deleted: Collection<string>;

	/** @param store remembers the deleted keys. */
	constructor(
		readonly keys: Keys,
		readonly organization: Organization,
		otherOrganization: Organization,
		store: Store,
	) {
		const everything = (of: Organization): Scope => {
			const { teams, users } = of;
			return { organization: of, isTeamScoped: false, teams, users };
		};
		const teams = organization.teams.filter((team) => isWithin(team, organization.teams[0]));
		const users = organization.users.filter((user) => user.teams.some((team) => teams.includes(team)));
		this.scopes = new Map([
			[keys.organization, everything(organization)],
			[keys.team, { organization, isTeamScoped: true, teams, users }],
			[keys.otherOrganization, everything(otherOrganization)],
			[keys.unmapped, undefined],
		]);
		this.deleted = store.collection('deletedKeys');
		for (const key of this.deleted.list()) this.scopes.delete(key);
	}

	/** True for any key that was issued, mapped to an organization or not. */
	isKnown(key: string): boolean {
		return this.scopes.has(key);
	}

	/**
	 * Deletes a key, at once (D2 § Authentication, rule 3) and for good. Sandbox's own choice: the export API,
	 * which may cache an authentication for five minutes, does not. False when there was none.
	 */
	delete(key: string): boolean {
		if (!this.scopes.delete(key)) return false;
		this.deleted.put(key, key);
		return true;
	}

	/** The scope of exactly this key: no prefix, no whitespace, no other capitals. */
	scopeOf(key = ''): Scope | undefined {
		return this.scopes.get(key);
	}
}
