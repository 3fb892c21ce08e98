import { z } from 'zod';
import { control, listAll, users } from '../support/http';
import { useService } from '../support/service';

// Fewer recordings than users, so that some reps have none.
const service = useService({ conversations: 12, awaitingUpload: 3, errored: 3 });
const inserted = z.object({ conversationIds: z.array(z.string()) });

/** Each user with the date of their latest recording of any kind. */
async function withLatest() {
	const rows = (await listAll(service)).flatMap((page) => [
		...page.conversations,
		...(page.awaitingUpload ?? []),
		...page.errored,
	]);
	return (await users(service)).map((user) => {
		const dates = rows.filter((row) => row.user.id === user.userId).map((row) => Date.parse(row.date));
		const latest = dates.length === 0 ? null : new Date(Math.max(...dates)).toISOString();
		return { ...user, latest };
	});
}

const isRep = ({ role }: { role: string | null }) => role === 'Sales Rep';

// D1-USER-09
test('a rep was last active at the latest recording, or never without one', async () => {
	const reps = (await withLatest()).filter(isRep);
	for (const { email, lastActive, latest } of reps)
		expect({ email, lastActive }).toEqual({ email, lastActive: latest });
	expect(reps.some(({ latest, accountSetUp }) => latest === null && accountSetUp)).toBe(true);
	expect(reps.some(({ latest }) => latest !== null)).toBe(true);
});

// D1-USER-09
test('a new recording updates a rep’s last activity', async () => {
	const rep = (await users(service)).find((user) => isRep(user) && !user.isRemoved);
	const date = '2026-02-03T04:05:06.000Z';
	const body = { date, userEmail: rep?.email };
	const { conversationIds } = inserted.parse(await control(service, 'POST', '/conversations', body));
	const [{ lastActive }] = await users(service, { users: [rep?.email ?? ''] });
	await control(service, 'DELETE', `/conversations/${conversationIds[0]}`);
	expect(lastActive).toBe(date);
});

// D1-USER-09
test('other roles were last active in the product, with or without recordings', async () => {
	const others = (await withLatest()).filter((user) => user.role !== null && !isRep(user));
	expect(others.map(({ lastActive }) => lastActive)).not.toContain(null);
	expect(others.some(({ latest }) => latest === null)).toBe(true);
	expect(others.some(({ latest, lastActive }) => latest !== null && latest !== lastActive)).toBe(true);
});
