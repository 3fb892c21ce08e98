import { z } from 'zod';
import { control, teams, users } from '../support/http';
import { useService } from '../support/service';

const service = useService({ conversations: 100, awaitingUpload: 5, errored: 5 });
const people = z.array(
	z.object({ email: z.string(), isHidden: z.boolean(), isRemoved: z.boolean(), teams: z.array(z.string()) }),
);
const everybody = async () => people.parse(await control(service, 'GET', '/users'));

// D1-USERS-02, D1-USERS-03
test('hidden users are excluded, removed users are not', async () => {
	const known = await everybody();
	expect(known.some((user) => user.isHidden)).toBe(true);
	const returned = (await users(service)).map((user) => user.email).sort();
	expect(returned).toEqual(
		known
			.filter((user) => !user.isHidden)
			.map((user) => user.email)
			.sort(),
	);
});

// D1-USERS-02
test('a filter cannot select hidden users', async () => {
	const hidden = (await everybody()).filter((user) => user.isHidden).map((user) => user.email);
	expect(await users(service, { users: hidden })).toEqual([]);
});

// D1-TEAMS-02
test('hidden and removed users do not count as members', async () => {
	const known = await everybody();
	for (const team of await teams(service)) {
		const members = known.filter(
			(user) => user.teams.includes(team.name) && !user.isHidden && !user.isRemoved,
		);
		expect(team).toMatchObject({ totalUsers: members.length });
	}
});
