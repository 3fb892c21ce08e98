import type { Sandbox } from '../../../sandbox';
import { control, listAll, rowsOf, teams, users } from '../support/http';
import { useService } from '../support/service';

// Fewer recordings than users, so that some reps have none.
const service = useService({ conversations: 12, awaitingUpload: 3, errored: 3 });
const everybody = () => control<ReturnType<Sandbox['control']['users']>>(service, 'GET', '/users');
const emails = (people: Array<{ email: string }>) => people.map(({ email }) => email).sort();

// D1-USERS-02..03
test('hidden users are excluded with any filter, removed users are not', async () => {
	const known = await everybody();
	const hidden = known.filter((user) => user.isHidden);
	expect(hidden.length).toBeGreaterThan(0);
	expect(emails(await users(service))).toEqual(emails(known.filter((user) => !user.isHidden)));
	expect(await users(service, { users: emails(hidden) })).toEqual([]);
});

// D1-TEAMS-02
test('hidden and removed users do not count as members', async () => {
	const active = (await everybody()).filter((user) => !user.isHidden && !user.isRemoved);
	for (const { name, totalUsers } of await teams(service))
		expect(totalUsers).toBe(active.filter((user) => user.teams.includes(name)).length);
});

// D1-USER-09
test('a rep was last active at the latest recording, other roles in the product', async () => {
	const rows = rowsOf(await listAll(service));
	const people = (await users(service)).map((user) => {
		const own = rows.filter((row) => row.user.id === user.userId).map((row) => row.date);
		return { ...user, latest: own.sort().at(-1) ?? null };
	});
	const reps = people.filter(({ role }) => role === 'Sales Rep');
	expect(reps.map(({ lastActive }) => lastActive)).toEqual(reps.map(({ latest }) => latest));
	expect(reps.some(({ latest, accountSetUp }) => latest === null && accountSetUp)).toBe(true);
	expect(reps.some(({ latest }) => latest !== null)).toBe(true);
	const others = people.filter(({ role }) => role !== null && role !== 'Sales Rep');
	expect(others.map(({ lastActive }) => lastActive)).not.toContain(null);
	expect(others.some(({ latest }) => latest === null)).toBe(true);
});
