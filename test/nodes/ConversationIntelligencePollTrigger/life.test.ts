import * as fc from 'fast-check';
import { ListService, OTHER_USER, WANTED_USER } from './listService';
import { HOUR, LOOK_BACK, MINUTE, PollingN8n, START, versionOf, type Outcome } from './pollingN8n';

/** Each run is a life of a trigger, so that many take longer than other properties. */
const LIVES = { interruptAfterTimeLimit: 300_000 };
jest.setTimeout(900_000);

const passes = fc.integer({ min: 1, max: LOOK_BACK / 2 });
/** How many milliseconds ago a conversation was processed that is listed now. */
const ago = fc.nat(LOOK_BACK / 2);
/** How far the service's clock is ahead; null if its responses do not say the time. */
const clockMs = fc.constantFrom(null, 0, -3 * MINUTE, 3 * MINUTE);
const ended = fc.constantFrom<Outcome>('success', 'error', 'stopped');
const lost = fc.constantFrom<Outcome>('worker lost', 'not queued', 'crashed');

const turn = fc.record({
	passes,
	/** With how many together: a few, or more than a page. */
	arrivals: fc.array(fc.tuple(ago, fc.constantFrom(1, 2, 5, 60)), { maxLength: 2 }),
	removed: fc.option(fc.nat(200)),
	processedAgain: fc.option(fc.nat(200)),
	failsAt: fc.option(fc.integer({ min: 1, max: 8 })),
	isLate: fc.boolean(),
	ends: fc.array(fc.tuple(fc.nat(2), ended, fc.option(lost)), { maxLength: 3 }),
	isPublishedWhileReading: fc.boolean(),
	then: fc.constantFrom('nothing', 'publish again', 'crash'),
});
type Turn = typeof turn extends fc.Arbitrary<infer Value> ? Value : never;

/** Conversations with the version that the service lists. */
const listed = ({ rows }: ListService) => [...rows.values()].map(({ row }) => versionOf(row));

/** What happens to the service, the poll and the executions from one poll to the next; if it is calm, nothing is lost. */
async function liveThrough(n8n: PollingN8n, turns: Turn[], isCalm: boolean) {
	const { service } = n8n;
	let count = 0;
	for (const { passes, arrivals, removed, processedAgain, failsAt, ends, then, ...how } of turns) {
		n8n.now += passes;
		for (const [ago, size] of arrivals) {
			const processed = Math.max(START, n8n.now - ago);
			for (let n = 0; n < size; n++) service.put(`c${count++}`, processed + (n % 7));
		}
		service.rows.delete(`c${removed}`);
		if (service.rows.has(`c${processedAgain}`)) service.put(`c${processedAgain}`, n8n.now);
		service.failAt = failsAt === null ? Infinity : service.requests + failsAt;
		n8n.responseMs = how.isLate ? MINUTE / 2 : 0;
		service.beforeResponse = () => {
			if (how.isPublishedWhileReading) n8n.publishAgain();
			service.beforeResponse = () => {};
		};
		await n8n.poll().catch((error: Error) => expect(error.message).toBe('The service refused the request'));
		for (const [index, ended, lost] of ends) await n8n.end(index, (!isCalm && lost) || ended);
		if (then === 'crash' && !isCalm) n8n.crash();
		else if (then === 'publish again') n8n.publishAgain();
	}
	service.beforeResponse = () => {};
	// Later polls do not look back this far, so they still deliver only what was lost.
	n8n.now += 3 * LOOK_BACK;
	service.put('the last', n8n.now);
	await n8n.settle();
}

test('delivers each until its execution has ended, none that n8n saved as ended, and once if none is lost', async () => {
	const room = fc.integer({ min: 10, max: 120 });
	const more = fc.record({ isCalm: fc.boolean(), keepsContext: fc.boolean(), clockMs });
	const life = fc.tuple(fc.array(turn, { maxLength: 12 }), fc.boolean(), room, more);
	await fc.assert(
		fc.asyncProperty(life, async ([turns, newestFirst, maxConversationsPerPoll, how]) => {
			const { isCalm, keepsContext, clockMs } = how;
			const n8n = new PollingN8n(new ListService(newestFirst));
			Object.assign(n8n, { keepsContext, options: { maxConversationsPerPoll } });
			if (clockMs !== null) n8n.service.clock = () => n8n.now + clockMs;
			await liveThrough(n8n, turns, isCalm);
			expect(listed(n8n.service).filter((one) => !n8n.ended.has(one))).toEqual([]);
			expect(n8n.repeated).toEqual([]);
			if (isCalm) expect([...n8n.deliveries].filter(([, times]) => times > 1)).toEqual([]);
		}),
		LIVES,
	);
});

test('delivers every conversation, and without a crash at most twice, whatever processedDate says', async () => {
	const date = fc.constantFrom<(processed: number) => unknown>(
		(processed) => new Date(processed).toISOString(),
		(processed) => new Date(processed).toISOString().replace('Z', ''),
		(processed) => new Date(processed + 5 * HOUR).toISOString(),
		(processed) => new Date(processed - 5 * HOUR).toISOString(),
		...['9999-12-31T00:00:00Z', '1970-01-01T00:00:00Z', 'yesterday', null, undefined].map(
			(text) => () => text,
		),
	);
	const arrivals = fc.array(fc.tuple(ago, fc.integer({ min: 1, max: 12 }), date), { maxLength: 3 });
	const steps = fc.array(fc.record({ passes, arrivals }), { maxLength: 8 });
	const room = fc.integer({ min: 4, max: 60 });
	await fc.assert(
		fc.asyncProperty(steps, room, async (steps, maxConversationsPerPoll) => {
			const n8n = new PollingN8n();
			n8n.options = { maxConversationsPerPoll };
			let count = 0;
			for (const { passes, arrivals } of steps) {
				n8n.now += passes;
				for (const [ago, size, dateOf] of arrivals) {
					const processed = Math.max(START, n8n.now - ago);
					const row = { processedDate: dateOf(processed) as string };
					for (let n = 0; n < size; n++) n8n.service.put(`c${count++}`, processed, row);
				}
				await n8n.poll();
				await n8n.end(0);
				expect(n8n.position.from).toBeLessThanOrEqual(n8n.now);
			}
			await n8n.settle();
			expect([...n8n.deliveries].filter(([, times]) => times > 2)).toEqual([]);
			n8n.crash();
			await n8n.settle();
			expect(listed(n8n.service).filter((one) => !n8n.ended.has(one))).toEqual([]);
			expect([...n8n.deliveries].filter(([, times]) => times > 3)).toEqual([]);
			expect(await n8n.poll()).toBe(0);
		}),
		LIVES,
	);
});

const filter = fc.record({
	users: fc.constantFrom<string[]>([], [WANTED_USER], [OTHER_USER], [WANTED_USER, OTHER_USER]),
	minDuration: fc.constantFrom<number>(0, 60),
});
type Filter = typeof filter extends fc.Arbitrary<infer Value> ? Value : never;

const arrival = fc.record({
	ago,
	email: fc.constantFrom(WANTED_USER, OTHER_USER),
	duration: fc.constantFrom(30, 90),
});

/** What a person or fate does between two polls, and what is processed then. */
const step = fc.record({
	passes,
	arrivals: fc.array(arrival, { maxLength: 4 }),
	processedAgain: fc.option(fc.nat(20)),
	filter: fc.option(filter, { freq: 4 }),
	event: fc.constantFrom('nothing', 'unpublish', 'rename', 'paste', 'publish again', 'restart', 'outage'),
	ends: fc.array(fc.tuple(fc.nat(2), fc.oneof(ended, lost)), { maxLength: 3 }),
});
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never;

interface Version {
	id: string;
	at: number;
	email: string;
	duration: number;
}

/** @returns each version that the service has listed, and each filter with the time from which on it applies */
async function live(n8n: PollingN8n, steps: Step[]) {
	const { service } = n8n;
	service.isFiltering = true;
	/** How long ago something can have been processed that is listed now. */
	const mostMs = (Number(n8n.options.lookBackMinutes) * MINUTE) / 2;
	const versions: Version[] = [];
	const filters = [{ users: [WANTED_USER], minDuration: 0, since: START }];
	let savedBeforeChange = '';
	let count = 0;
	const put = (version: Version) => {
		const { id, at, email, duration } = version;
		service.put(id, at, { user: { email }, duration });
		versions.push(version);
	};
	for (const { passes, arrivals, processedAgain, filter, event, ends } of steps) {
		n8n.now += event === 'unpublish' ? HOUR : passes;
		for (const { ago, ...of } of arrivals)
			put({ id: `c${count++}`, at: Math.max(START, n8n.now - (ago % mostMs)), ...of });
		const known = versions.findLast(({ id }) => id === `c${processedAgain}`);
		if (known && known.at < n8n.now) put({ ...known, at: n8n.now });
		// A change that no delivery has saved would be lost with n8n's memory, and then apply from a later poll.
		if (savedBeforeChange !== n8n.saved) {
			if (event === 'restart') n8n.crash();
			if (event === 'paste') n8n.node = { ...n8n.node, id: `pasted ${n8n.now}` };
		}
		if (event === 'rename') n8n.node = { ...n8n.node, name: `Renamed ${n8n.now}` };
		if (filter) {
			filters.push({ ...filter, since: n8n.now });
			n8n.filters = { ...filter };
			savedBeforeChange = n8n.saved;
		}
		if (filter || ['unpublish', 'rename', 'paste', 'publish again'].includes(event)) n8n.publishAgain();
		service.status = event === 'outage' ? 503 : undefined;
		await n8n
			.poll()
			.catch((error: Error) => expect(error.message).toContain('could not process the request'));
		for (const [index, how] of ends) await n8n.end(index, how);
	}
	service.status = undefined;
	await n8n.settle();
	return { versions, filters };
}

test('each conversation that passes the filters from its time on is delivered, and none that did not pass then', async () => {
	const options = fc.record({
		maxConversationsPerPoll: fc.constantFrom(2, 3, 500),
		lookBackMinutes: fc.constantFrom(1, 10),
	});
	const life = fc.tuple(fc.array(step, { maxLength: 15 }), options, fc.boolean());
	await fc.assert(
		fc.asyncProperty(life, async ([steps, options, keepsContext]) => {
			const n8n = Object.assign(new PollingN8n(), {
				options,
				keepsContext,
				filters: { users: [WANTED_USER] },
			});
			const { versions, filters } = await live(n8n, steps);
			const passes = ({ email, duration }: Version, { users, minDuration }: Filter) =>
				(users.length === 0 || users.includes(email)) && duration >= minDuration;
			const delivered = [...n8n.deliveries.keys()];
			for (const version of new Map(versions.map((version) => [version.id, version])).values()) {
				const then = filters.findLastIndex(({ since }) => since <= version.at);
				const isExpected = filters.slice(then).every((filter) => passes(version, filter));
				if (isExpected) expect(delivered).toContain(`${version.id}@${new Date(version.at).toISOString()}`);
			}
			// What was delivered once is delivered again as it is then, if its execution was lost.
			const wanted = versions.filter((version) =>
				passes(version, filters.findLast(({ since }) => since <= version.at)!),
			);
			const ids = new Set(wanted.map(({ id }) => id));
			expect(delivered.filter((name) => !ids.has(name.split('@')[0]))).toEqual([]);
		}),
		LIVES,
	);
});

/** POLL_DAYS=365 tests a year, as every night. */
const DAYS = Number(process.env.POLL_DAYS ?? 2);
const BETWEEN = (24 * 60 * MINUTE) / 10_000;

test(`keeps less than 300 conversations and 20 KB over ${DAYS} days of 10,000 each`, async () => {
	const n8n = new PollingN8n();
	const { service } = n8n;
	let delivered = 0;
	let count = 0;
	for (const end = START + DAYS * 24 * 60 * MINUTE; n8n.now < end; ) {
		n8n.now += 30 * MINUTE;
		for (; START + count * BETWEEN <= n8n.now; count++) {
			service.put(`00000000-0000-4000-8000-${String(count).padStart(12, '0')}`, START + count * BETWEEN);
		}
		delivered += await n8n.poll();
		await n8n.end(0);
		for (const record of [n8n.deliveries, n8n.ended, n8n.known]) record.clear();
		// After each poll, all that the process knows is in the position.
		expect(Object.keys(n8n.position.seen).length).toBeLessThan(300);
		expect(n8n.saved.length).toBeLessThan(20_000);
		// Older ones are never listed again, and a year of them would be too much to keep.
		for (const [id, { processed }] of service.rows) {
			if (processed >= n8n.now - 3 * LOOK_BACK) break;
			service.rows.delete(id);
		}
	}
	expect(delivered).toBe(count);
});
