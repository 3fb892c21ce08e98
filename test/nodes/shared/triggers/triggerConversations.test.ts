import {
	MAX_TRIGGERS,
	memoryOf,
	sampleItems,
	withMembers,
	withOrigin,
} from '../../../../nodes/shared/triggers/triggerConversations';
import { ListService, OTHER_USER, WANTED_USER } from '../../ConversationIntelligencePollTrigger/listService';
import { PollingN8n } from '../../ConversationIntelligencePollTrigger/pollingN8n';

test('remembers a bounded number of triggers, and forgets those not used for longest', () => {
	const memory = memoryOf(() => ({ uses: 0 }));
	const usesOf = (node: number) => {
		const context = { getNode: () => ({ id: String(node) }), getWorkflow: () => ({ id: 'workflow' }) };
		return ++memory(context as unknown as Parameters<typeof memory>[0]).uses;
	};
	for (let node = 0; node < MAX_TRIGGERS; node++) usesOf(node);
	expect(usesOf(0)).toBe(2);
	usesOf(MAX_TRIGGERS);
	expect([0, 2, 1].map(usesOf)).toEqual([3, 2, 1]);
});

test('half of a character leaves no trigger, because databases reject it', () => {
	const item = withOrigin({ title: 'Roof \ud83c', fields: { 'a\udfe0': ['\ud83c\udfe0'] } }, 'id', {
		source: 'poll',
	});
	expect(item).toMatchObject({ title: 'Roof \ufffd', fields: { 'a\ufffd': ['\ud83c\udfe0'] } });
});

test('members of teams are asked for once in ten minutes; again for another filter or key, or after a failure', async () => {
	let [requests, id, statusCode] = [0, '', 200];
	const [north, south] = [{ teamId: 't1', name: 'North' }, { teamId: 't2' }];
	const people = Object.entries({ bo: north, ana: north, cy: south });
	const respond = async ({ url }: { url: string }) => {
		if (url.endsWith('/users')) requests++;
		const users = people.map(([name, team]) => ({ email: `${name}@${id}`, teams: [team] }));
		return { statusCode, headers: {}, body: Buffer.from(JSON.stringify({ users, teams: [] })) };
	};
	const n8n = new PollingN8n(Object.assign(new ListService(), { respond }) as never);
	n8n.more = { getNode: () => ({ id: 'node', credentials: { conversationExportApi: { id } } }) };
	const clock = jest.spyOn(Date, 'now');
	for (const [at, key, status, teams, users, expected, asked] of [
		[0, 'one', 200, ['North'], undefined, ['ana@one', 'bo@one'], 1],
		[599_999, 'one', 200, ['North'], undefined, ['ana@one', 'bo@one'], 1],
		[599_999, 'one', 200, ['North'], ['bo@one'], ['bo@one'], 2],
		[599_999, 'one', 200, ['t2'], undefined, ['cy@one'], 3],
		[1_199_999, 'one', 200, ['t2'], undefined, ['cy@one'], 4],
		[1_199_999, 'two', 200, ['t2'], undefined, ['cy@two'], 5],
		// Not again, because the deadline is over.
		[1_199_999, 'three', 503, ['t2'], undefined, 503, 6],
		[1_199_999, 'three', 200, ['t2'], undefined, ['cy@three'], 7],
	] as const) {
		clock.mockReturnValue(at);
		[id, statusCode] = [key, status];
		const selection = { filter: { users: users && [...users] }, teams: [...teams] };
		const members = withMembers(n8n.context(), selection, status === 503 ? 0 : undefined);
		expect(await members.then((filter) => filter.users).catch(({ details }) => details.status)).toEqual(
			expected,
		);
		expect(requests).toBe(asked);
	}
});

const NOW = Date.UTC(2026, 2, 31);
const DAYS_30 = 30 * 24 * 3_600_000;

/** A service with conversations that were processed so many milliseconds ago, and how to sample five of them. */
function listed(ages: number[], fieldsOf: (n: number) => object = () => ({})) {
	jest.spyOn(Date, 'now').mockReturnValue(NOW);
	const service = new ListService();
	for (const [n, age] of ages.entries()) service.put(`c${n}`, NOW - age, { ...fieldsOf(n) });
	const sample = async (filter: object) => {
		const context = new PollingN8n(service).context();
		const items = await sampleItems(context, { filter, output: 'raw' }, 'poll', 5);
		return items.map(({ dedupeKey }) => dedupeKey);
	};
	return { service, sample };
}

test('a sample is of the last 30 days, the latest first', async () => {
	const { sample } = listed([3, 1, 2, DAYS_30, DAYS_30 + 1]);
	expect(await sample({})).toEqual(['c1', 'c2', 'c0', 'c3']);
});

test.each([
	['the latest five', [0, 6, 12, 18, 24, 30], ['c0', 'c6', 'c12', 'c18', 'c24'], 5],
	['the 500th of its users', [998], ['c998'], 50],
	['refused after 500 of its users', [1000], 'no_sample', 50],
])('of 3,000 conversations, a sample is %s', async (_which, passing, expected, mostRequests) => {
	const fieldsOf = (n: number) => ({
		user: { email: n % 2 === 1 ? OTHER_USER : WANTED_USER },
		duration: passing.includes(n) ? 90 : 30,
	});
	const { service, sample } = listed(
		[...Array(3000).keys()].map((n) => n * 60_000),
		fieldsOf,
	);
	service.isFiltering = true;
	const filter = { users: [WANTED_USER], minDuration: 60 };
	expect(await sample(filter).catch(({ details }) => details.code)).toEqual(expected);
	expect(service.requests).toBeLessThan(mostRequests);
});

const BY_USER = ' that passes User Names or IDs "ana@example.com"';
const EXACT = ', or correct these filters. Emails must be exact, capital letters included';

test.each([
	['', {}, ''],
	[' that passes No Appointment', { noAppointment: true }, ', or correct these filters'],
	[BY_USER, { users: [WANTED_USER] }, EXACT],
	[' that passes Outcome "Solld"', { outcome: ['Solld'] }, ', or correct these filters'],
])('says that no conversation%s was processed in 30 days, and what to do', async (which, filter, correct) => {
	await expect(listed([DAYS_30 + 1]).sample(filter)).rejects.toMatchObject({
		message: `No conversation${which} was processed in the last 30 days`,
		description: `Publish the workflow anyway${correct}.`,
	});
});

test('of a name that no conversation has and of wrong users, both pieces of advice are given', async () => {
	const filter = { users: [WANTED_USER], outcome: ['Solld'] };
	await expect(listed([1], () => ({ outcome: 'Sold' })).sample(filter)).rejects.toMatchObject({
		message: expect.stringMatching(/: for example, one has "Sold" in Outcome$/) as string,
		description: `Publish the workflow anyway, or correct these filters. No outcome is named "Solld". Did you mean "Sold"? (1 outcome searched)${EXACT.replace(', or correct these filters', '')}.`,
	});
});
