import * as fc from 'fast-check';
import { ListService, OTHER_USER, WANTED_USER } from './listService';
import { HOUR, LOOK_BACK, MINUTE, PollingN8n, savedSince, START, versionOf } from './pollingN8n';

jest.setTimeout(900_000);

const DAY = 24 * HOUR;
const YEARS = 3 * 365 * DAY;

/** A trigger that is not published yet, with a service whose clock is so far ahead. */
function unpublished(aheadMs = 0) {
	const n8n = new PollingN8n();
	const { service } = n8n;
	const clock = { aheadMs };
	service.clock = () => n8n.now + clock.aheadMs;
	n8n.publishAgain({});
	return { service, n8n, clock };
}

const idsOf = ({ deliveries }: PollingN8n) =>
	[...new Set([...deliveries.keys()].map((name) => name.split('@')[0]))].sort();

const step = fc.record({
	passes: fc.integer({ min: 1000, max: 5 * MINUTE }),
	aheadMs: fc.oneof(
		fc.constantFrom(0, -10 * HOUR, MINUTE, 9 * MINUTE, 10 * HOUR, YEARS),
		fc.integer({ min: -3 * DAY, max: 3 * DAY }),
	),
	arrivals: fc.nat(60),
	users: fc.option(fc.constantFrom<string[]>([], [WANTED_USER], [WANTED_USER, OTHER_USER])),
});

test('loses nothing by a wrong clock, and waits only for what is dated more than two days ahead', async () => {
	const steps = fc.array(step, { minLength: 1, maxLength: 8 });
	const life = fc.tuple(steps, fc.boolean(), fc.constantFrom(LOOK_BACK, MINUTE));
	await fc.assert(
		fc.asyncProperty(life, async ([steps, isDating, lookBackMs]) => {
			const { service, n8n, clock } = unpublished();
			n8n.options = { lookBackMinutes: lookBackMs / MINUTE };
			/** When each was processed that has to be delivered: another user's as long as the filter lets it in. */
			const wanted = new Map<string, number>();
			const missed = () => {
				const delivered = new Set(idsOf(n8n));
				return [...wanted.keys()].filter((id) => !delivered.has(id));
			};
			let count = 0;
			let realMs = 0;
			for (const { passes, aheadMs, arrivals, users } of steps) {
				n8n.now += passes;
				clock.aheadMs = aheadMs;
				if (users) n8n.filters = { users };
				await n8n.poll();
				await n8n.endAll();
				n8n.now += 1000;
				const isWide = String(n8n.filters.users) !== WANTED_USER;
				for (const id of wanted.keys()) if (id.startsWith('other') && !isWide) wanted.delete(id);
				// A small difference is real; a large one is real, or only in the header.
				const isSmall = aheadMs <= 10 * MINUTE;
				if (isSmall) realMs = Math.max(0, aheadMs);
				const date = n8n.now + (isDating && !isSmall ? aheadMs : realMs);
				for (let n = 0; n < arrivals; n++) {
					const isOther = n % 2 === 1;
					const email = isOther ? OTHER_USER : WANTED_USER;
					const id = `${isOther ? 'other' : 'wanted'} ${count++}`;
					if (isWide || !isOther) wanted.set(id, date + n);
					service.put(id, date + n, { user: { email } });
				}
			}
			clock.aheadMs = 0;
			n8n.now += MINUTE;
			await n8n.settle();
			expect(n8n.position.from).toBeLessThanOrEqual(n8n.now);
			expect(missed().filter((id) => wanted.get(id)! <= n8n.now + 2 * DAY)).toEqual([]);
			n8n.now = Math.max(n8n.now, ...wanted.values()) - 2 * DAY;
			await n8n.settle();
			expect(missed()).toEqual([]);
			expect([...n8n.deliveries.values()].filter((times) => times > 1)).toEqual([]);
		}),
		{ interruptAfterTimeLimit: 300_000 },
	);
});

test('two main processes in turn lose nothing if one is killed, and each delivers a version once at most', async () => {
	const turn = fc.record({
		main: fc.integer({ min: 0, max: 1 }),
		passes: fc.integer({ min: 1000, max: 5 * MINUTE }),
		arrivals: fc.nat(3),
		ends: fc.nat(2),
		again: fc.option(fc.nat(20)),
	});
	await fc.assert(
		fc.asyncProperty(fc.array(turn, { maxLength: 20 }), async (turns) => {
			const service = new ListService();
			const mains = [new PollingN8n(service), new PollingN8n(service)];
			const options = { maxConversationsPerPoll: 5, lookBackMinutes: 1 };
			let { now, saved } = mains[0];
			let count = 0;
			const poll = async (n8n: PollingN8n) => {
				Object.assign(n8n, { now, saved, options });
				n8n.publishAgain();
				await n8n.poll();
				({ saved } = n8n);
				expect(n8n.running.flatMap(({ items }) => items).length).toBeLessThanOrEqual(5);
			};
			for (const { main, passes, arrivals, ends, again } of turns) {
				now += passes;
				for (let n = 0; n < arrivals; n++) service.put(`c${count++}`, now - n);
				if (again !== null && again < count) service.put(`c${again}`, now);
				// Moves the position without a delivery.
				service.put(`of other ${now}`, now, { user: { email: OTHER_USER } });
				await poll(mains[main]);
				for (let n = 0; n < ends; n++) await mains[main].end(0);
			}
			// One is killed.
			mains[0].running = [];
			for (let n = 0; n < 20; n++) {
				now += HOUR;
				await poll(mains[1]);
				await mains[1].endAll();
			}
			const ended = new Set(mains.flatMap((n8n) => [...n8n.ended]));
			for (let n = 0; n < count; n++) expect(ended).toContain(versionOf(service.rows.get(`c${n}`)!.row));
			for (const { deliveries } of mains)
				expect([...deliveries.values()].filter((times) => times > 1)).toEqual([]);
		}),
	);
});

test.each([
	['an hour behind', -HOUR, 1000 - HOUR],
	['three minutes ahead', 3 * MINUTE, 0],
	['an hour ahead', HOUR, 0],
	// A `Date` header has no milliseconds.
	['half a second behind', -500, 0],
])('starts at the earlier time when the service is %s, and asks it for its time', async (_how, ...times) => {
	const [aheadMs, since] = times;
	const { service, n8n } = unpublished(aheadMs);
	await n8n.poll();
	expect(n8n.position).toMatchObject({ from: START + since, filters: [{ since: START + since }] });
	const [fromDate, toDate] = [START - 1000, START].map((time) => new Date(time).toISOString());
	expect(service.asked).toMatchObject({ fromDate, toDate, page: 1, limit: 1 });
});

test.each([
	[0, ['after']],
	[3 * MINUTE, ['after', 'before']],
	[-10 * HOUR, ['after', 'before']],
	[10 * HOUR, ['after', 'before']],
])('a filter widened while the service is %i ms ahead applies from the earlier time', async (...row) => {
	const [aheadMs, expected] = row;
	const { service, n8n, clock } = unpublished();
	const put = (id: string, ms: number) =>
		service.put(id, n8n.now + Math.max(0, aheadMs) + ms, { user: { email: OTHER_USER } });
	await n8n.poll();
	clock.aheadMs = aheadMs;
	n8n.now += HOUR;
	put('before', -1000);
	n8n.filters = {};
	await n8n.poll();
	n8n.now += 2000;
	put('after', 0);
	await n8n.poll();
	expect(idsOf(n8n)).toEqual(expected);
});

test('a filter widened while only the header was ahead lets in what is processed after that', async () => {
	const { service, n8n, clock } = unpublished();
	n8n.options = { lookBackMinutes: 1 };
	await n8n.poll();
	clock.aheadMs = 9 * MINUTE;
	n8n.filters = {};
	await n8n.poll();
	service.put('let in', (n8n.now += 1000), { user: { email: OTHER_USER } });
	service.put('wanted', (n8n.now += 5 * MINUTE));
	await n8n.poll();
	clock.aheadMs = 0;
	await n8n.poll();
	expect(idsOf(n8n)).toEqual(['let in', 'wanted']);
});

test('shows once an hour, and says in the log, that the clocks differ by more than ten minutes', async () => {
	const { n8n, clock } = unpublished();
	for (const [minutes, aheadMs, shown] of [
		[0, 10 * HOUR, 1],
		[1, 10 * HOUR, 1],
		[60, -11 * MINUTE, 2],
		[61, 9 * MINUTE, 2],
		[121, 9 * MINUTE, 2],
	]) {
		n8n.now = START + minutes * MINUTE;
		clock.aheadMs = aheadMs;
		await n8n.poll();
		expect(n8n.shown).toHaveLength(shown);
	}
	expect(n8n.shown).toEqual([
		"The service's clock is 600 minutes ahead of this n8n's",
		"The service's clock is 11 minutes behind this n8n's",
	]);
	expect(n8n.logged.filter((line) => line.includes('sees a wrong clock'))).toHaveLength(2);
});

test.each([
	['by two polls if it is ahead of both clocks', HOUR, 0, 1],
	['by two polls if it is years ahead of both clocks', YEARS, 0, 1],
	['not at all if the service is further ahead', HOUR, 2 * HOUR, 0],
	['not before the service has responded', HOUR, undefined, 0],
])('moves a saved position back %s', async (_when, positionMs, aheadMs, delivered) => {
	const { service, n8n } = unpublished(aheadMs);
	n8n.publishAgain(savedSince(START + positionMs, { users: [WANTED_USER] }));
	service.put('new', START - MINUTE);
	if (aheadMs === undefined) service.status = 503;
	for (const count of [0, delivered, 0])
		await n8n.poll().then(
			(found) => expect(found).toBe(count),
			() => expect(aheadMs).toBeUndefined(),
		);
	expect(n8n.position.from < START).toBe(delivered === 1);
});

test.each([
	[HOUR, 'Asia/Tokyo'],
	[10 * DAY, 'America/New_York'],
])('waits for a Start Date that is still to come, in %i ms by the clock of %s', async (ms, timezone) => {
	const { service, n8n } = unpublished();
	n8n.timezone = timezone;
	n8n.startAt(START + ms);
	service.put('old', START + ms - 1);
	service.put('dated in the future', START + ms + HOUR);
	expect(await n8n.poll()).toBe(1);
	expect(await n8n.poll()).toBe(0);
	service.put('on time', START + ms);
	n8n.now = START + ms + HOUR;
	expect(await n8n.poll()).toBe(1);
});

test('does not pass the clock of a service that is behind, so that what it lists late is delivered', async () => {
	const { service, n8n, clock } = unpublished(-HOUR);
	await n8n.poll();
	for (const [id, ms] of Object.entries({ right: 0, 'of the service': 20 * MINUTE - HOUR })) {
		n8n.now += 20 * MINUTE;
		service.put(id, n8n.now + ms);
		expect(await n8n.poll()).toBe(1);
	}
	clock.aheadMs = 0;
	expect(await n8n.poll()).toBe(0);
});

test('delivers what was dated in the future and is processed again at the right time', async () => {
	const { service, n8n, clock } = unpublished();
	await n8n.poll();
	clock.aheadMs = 10 * HOUR;
	await n8n.poll();
	service.put('one', n8n.now + 10 * HOUR);
	clock.aheadMs = 0;
	expect(await n8n.poll()).toBe(1);
	service.put('one', (n8n.now += MINUTE));
	expect(await n8n.poll()).toBe(1);
	expect(await n8n.poll()).toBe(0);
});
