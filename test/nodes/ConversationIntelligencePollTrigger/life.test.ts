import * as fc from 'fast-check';
import { ListService, OTHER_USER, WANTED_USER } from './listService';
import { LOOK_BACK, PollingN8n, START, type Outcome } from './pollingN8n';

const LIVES = { interruptAfterTimeLimit: 300_000 };
jest.setTimeout(900_000);

const HOUR = 60 * 60_000;

interface Filter {
	users: string[];
	minDuration: number;
}
const filter = fc.record<Filter>({
	users: fc.constantFrom([], [WANTED_USER], [OTHER_USER], [WANTED_USER, OTHER_USER]),
	minDuration: fc.constantFrom(0, 60),
});

/** What a person or fate does between two polls, and what is processed then: of whom, how long, and of which age. */
const step = fc.record({
	passes: fc.integer({ min: 1000, max: LOOK_BACK / 2 }),
	arrivals: fc.array(
		fc.record({ ago: fc.nat(LOOK_BACK / 2), isOther: fc.boolean(), isShort: fc.boolean() }),
		{
			maxLength: 4,
		},
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
	name: string;
}

async function live(n8n: PollingN8n, steps: Step[]) {
	const { service } = n8n;
	service.isFiltering = true;
	const versions: Version[] = [];
	let filters = [{ users: [WANTED_USER], minDuration: 0, since: START, unlessSaved: '' }];
	/** The filters of each start, in the order of the starts. */
	const starts = [filters];
	let startedAt = START;
	const put = (id: string, at: number) => {
		service.put(id, at);
		versions.push({ id, at, name: `${id}@${new Date(at).toISOString()}` });
	};
	let count = 0;
	for (const { passes, arrivals, processedAgain, filter: changed, event, ends } of steps) {
		n8n.now += event === 'unpublish' ? HOUR : passes;
		for (const { ago, isOther, isShort } of arrivals) {
			const id = `c${count++}`;
			if (isOther) service.unwanted.add(id);
			if (isShort) service.short.add(id);
			put(id, Math.max(START, n8n.now - ago));
		}
		const known = service.rows.get(`c${processedAgain}`);
		if (known && known.processed < n8n.now) put(`c${processedAgain}`, n8n.now);
		// A change that no delivery has saved is lost with n8n's memory, and then applies from its next poll.
		const { saved } = n8n;
		if (changed) Object.assign(n8n, changed);
		if (event === 'restart') n8n.crash();
		if (event === 'rename') n8n.node = { ...n8n.node, name: `Renamed ${n8n.now}` };
		if (event === 'paste') n8n.node = { ...n8n.node, id: `pasted ${n8n.now}` };
		if (event === 'date') n8n.startDate = new Date((startedAt = n8n.now - LOOK_BACK)).toISOString();
		if (changed || ['unpublish', 'date', 'rename', 'paste', 'publish again'].includes(event))
			n8n.publishAgain();
		service.isAway = event === 'outage';
		await n8n
			.poll()
			.catch((error: Error) => expect(error.message).toContain('could not process the request'));
		const isLost = ['restart', 'paste'].includes(event) && filters.at(-1)!.unlessSaved === saved;
		if (isLost) filters = filters.filter(({ unlessSaved }) => unlessSaved !== saved);
		if (event === 'date') starts.push((filters = []));
		if (changed || isLost || event === 'date') {
			const { users, minDuration } = n8n;
			const since = filters.length === 0 ? startedAt : n8n.now;
			filters.push({ users, minDuration, since, unlessSaved: saved });
			starts[starts.length - 1] = filters;
		}
		for (const [index, how] of ends) await n8n.end(index, how);
	}
	service.isAway = false;
	return { versions, filters, starts };
}

test('each conversation that passes the filters from its time on is delivered, and none that did not pass then', async () => {
	await fc.assert(
		fc.asyncProperty(fc.array(step, { maxLength: 15 }), async (steps) => {
			const n8n = new PollingN8n(new ListService());
			const { service } = n8n;
			const { versions, filters, starts } = await live(n8n, steps);
			await n8n.settle();
			const passes = (id: string, { users, minDuration }: Filter) =>
				(users.length === 0 || users.includes(service.unwanted.has(id) ? OTHER_USER : WANTED_USER)) &&
				(service.short.has(id) ? 30 : 90) >= minDuration;
			const latest = new Map(versions.map((version) => [version.id, version]));
			for (const { id, at, name } of latest.values()) {
				const then = filters.findLastIndex(({ since }) => since <= at);
				const isExpected = then >= 0 && filters.slice(then).every((filter) => passes(id, filter));
				if (isExpected) expect([...n8n.deliveries.keys()]).toContain(name);
			}
			// What was delivered once is delivered again as it is then, if its execution was lost.
			const isWanted = ({ id, at }: Version) =>
				starts
					.map((start) => start.findLast(({ since }) => since <= at))
					.some((filter) => filter !== undefined && passes(id, filter));
			const wanted = new Set(versions.filter(isWanted).map(({ id }) => id));
			const delivered = [...n8n.deliveries.keys()].map((name) => name.split('@')[0]);
			expect(delivered.filter((id) => !wanted.has(id))).toEqual([]);
		}),
		LIVES,
	);
});
