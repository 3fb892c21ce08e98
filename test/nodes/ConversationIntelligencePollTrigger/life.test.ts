import * as fc from 'fast-check';
import { ListService, OTHER_USER, WANTED_USER } from './listService';
import { HOUR, LOOK_BACK, PollingN8n, START, type Outcome } from './pollingN8n';

const LIVES = { interruptAfterTimeLimit: 300_000 };
jest.setTimeout(900_000);

const filter = fc.record({
	users: fc.constantFrom<string[]>([], [WANTED_USER], [OTHER_USER], [WANTED_USER, OTHER_USER]),
	minDuration: fc.constantFrom<number>(0, 60),
});
type Filter = typeof filter extends fc.Arbitrary<infer Value> ? Value : never;

/** What a person or fate does between two polls, and what is processed then: of whom, how long, and of which age. */
const step = fc.record({
	passes: fc.integer({ min: 1000, max: LOOK_BACK / 2 }),
	arrivals: fc.array(
		fc.record({
			ago: fc.nat(LOOK_BACK / 2),
			email: fc.constantFrom(WANTED_USER, OTHER_USER),
			duration: fc.constantFrom(30, 90),
		}),
		{ maxLength: 4 },
	),
	processedAgain: fc.option(fc.nat(20)),
	filter: fc.option(filter, { freq: 4 }),
	event: fc.constantFrom(
		...['nothing', 'unpublish', 'rename', 'paste', 'publish again', 'restart', 'outage', 'date'],
	),
	ends: fc.array(fc.tuple(fc.nat(2), fc.constantFrom<Outcome>('success', 'error', 'worker lost')), {
		maxLength: 3,
	}),
});
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never;

interface Version {
	id: string;
	at: number;
	email: string;
	duration: number;
}

async function live(n8n: PollingN8n, steps: Step[]) {
	const { service } = n8n;
	service.isFiltering = true;
	const versions: Version[] = [];
	let filters = [{ users: [WANTED_USER], minDuration: 0, since: START, unlessSaved: '' }];
	n8n.filters = { users: [WANTED_USER], minDuration: 0 };
	/** The filters of each start, in the order of the starts. */
	const starts = [filters];
	let startedAt = START;
	let count = 0;
	const put = (version: Version) => {
		const { id, at, email, duration } = version;
		service.put(id, at, { user: { email }, duration });
		versions.push(version);
	};
	for (const { passes, arrivals, processedAgain, filter: changed, event, ends } of steps) {
		n8n.now += event === 'unpublish' ? HOUR : passes;
		for (const { ago, ...of } of arrivals)
			put({ id: `c${count++}`, at: Math.max(START, n8n.now - ago), ...of });
		const known = versions.findLast(({ id }) => id === `c${processedAgain}`);
		if (known && known.at < n8n.now) put({ ...known, at: n8n.now });
		// A change that no delivery has saved is lost with n8n's memory, and then applies from its next poll.
		const { saved } = n8n;
		if (changed) n8n.filters = { ...changed };
		if (event === 'restart') n8n.crash();
		if (event === 'rename') n8n.node = { ...n8n.node, name: `Renamed ${n8n.now}` };
		if (event === 'paste') n8n.node = { ...n8n.node, id: `pasted ${n8n.now}` };
		if (event === 'date') n8n.startDate = new Date((startedAt = n8n.now - LOOK_BACK)).toISOString();
		if (changed || ['unpublish', 'date', 'rename', 'paste', 'publish again'].includes(event))
			n8n.publishAgain();
		service.status = event === 'outage' ? 503 : undefined;
		await n8n
			.poll()
			.catch((error: Error) => expect(error.message).toContain('could not process the request'));
		const isLost = ['restart', 'paste'].includes(event) && filters.at(-1)!.unlessSaved === saved;
		if (isLost) filters = filters.filter(({ unlessSaved }) => unlessSaved !== saved);
		if (event === 'date') starts.push((filters = []));
		if (changed || isLost || event === 'date') {
			const since = filters.length === 0 ? startedAt : n8n.now;
			filters.push({ ...(n8n.filters as unknown as Filter), since, unlessSaved: saved });
			starts[starts.length - 1] = filters;
		}
		for (const [index, how] of ends) await n8n.end(index, how);
	}
	service.status = undefined;
	await n8n.settle();
	return { versions, filters, starts };
}

test('each conversation that passes the filters from its time on is delivered, and none that did not pass then', async () => {
	await fc.assert(
		fc.asyncProperty(fc.array(step, { maxLength: 15 }), async (steps) => {
			const n8n = new PollingN8n(new ListService());
			const { versions, filters, starts } = await live(n8n, steps);
			const passes = ({ email, duration }: Version, { users, minDuration }: Filter) =>
				(users.length === 0 || users.includes(email)) && duration >= minDuration;
			const latest = new Map(versions.map((version) => [version.id, version]));
			for (const version of latest.values()) {
				const then = filters.findLastIndex(({ since }) => since <= version.at);
				const isExpected = then >= 0 && filters.slice(then).every((filter) => passes(version, filter));
				const name = `${version.id}@${new Date(version.at).toISOString()}`;
				if (isExpected) expect([...n8n.deliveries.keys()]).toContain(name);
			}
			// What was delivered once is delivered again as it is then, if its execution was lost.
			const isWanted = (version: Version) =>
				starts
					.map((start) => start.findLast(({ since }) => since <= version.at))
					.some((filter) => filter !== undefined && passes(version, filter));
			const wanted = new Set(versions.filter(isWanted).map(({ id }) => id));
			const delivered = [...n8n.deliveries.keys()].map((name) => name.split('@')[0]);
			expect(delivered.filter((id) => !wanted.has(id))).toEqual([]);
		}),
		LIVES,
	);
});
