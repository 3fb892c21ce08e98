import * as fc from 'fast-check';
import { ListService, OTHER_USER, WANTED_USER } from './listService';
import { LOOK_BACK, PollingN8n, savedSince, START } from './pollingN8n';

jest.setTimeout(900_000);

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const YEARS = 3 * 365 * 24 * HOUR;

/** A trigger that is not published yet, with a service whose clock is so far ahead. */
function unpublished() {
	const service = new ListService();
	const n8n = new PollingN8n(service);
	const clock = { aheadMs: 0 };
	service.clock = () => n8n.now + clock.aheadMs;
	const restore = (saved: object) => {
		n8n.saved = JSON.stringify(saved);
		n8n.publishAgain();
	};
	restore({});
	return { service, n8n, clock, restore };
}

const delivered = ({ deliveries }: PollingN8n) =>
	new Set([...deliveries.keys()].map((name) => name.split('@')[0]));

const offset = fc.constantFrom(
	0,
	0,
	-10 * HOUR,
	-3 * MINUTE,
	MINUTE,
	3 * MINUTE,
	9 * MINUTE,
	10 * HOUR,
	YEARS,
);
const step = fc.record({
	passes: fc.integer({ min: 1000, max: 5 * MINUTE }),
	aheadMs: offset,
	arrivals: fc.nat(60),
	users: fc.option(fc.constantFrom<string[]>([], [WANTED_USER], [WANTED_USER, OTHER_USER])),
});

test('delivers all that is processed after publishing once clocks agree, whatever they said', async () => {
	await fc.assert(
		fc.asyncProperty(
			fc.array(step, { minLength: 1, maxLength: 8 }),
			fc.boolean(),
			fc.constantFrom(LOOK_BACK, MINUTE),
			async (steps, isDating, lookBackMs) => {
				const { service, n8n, clock } = unpublished();
				n8n.limits.lookBackMs = lookBackMs;
				let count = 0;
				let realMs = 0;
				for (const { passes, aheadMs, arrivals, users } of steps) {
					n8n.now += passes;
					clock.aheadMs = aheadMs;
					if (users) n8n.users = users;
					await n8n.poll();
					for (let ended = n8n.running.length; ended > 0; ended--) await n8n.end(0, 'success');
					n8n.now += 1000;
					// A small difference is real; a large one is real, or only in the header.
					const isSmall = aheadMs <= 10 * MINUTE;
					if (isSmall) realMs = Math.max(0, aheadMs);
					const date = n8n.now + (isDating && !isSmall ? aheadMs : realMs);
					for (let n = 0; n < arrivals; n++) service.put(`c${count++}`, date + n);
				}
				clock.aheadMs = 0;
				n8n.now += MINUTE;
				await n8n.settle();
				expect(delivered(n8n).size).toBe(count);
				expect([...n8n.deliveries.values()].filter((times) => times > 1)).toEqual([]);
				expect(n8n.position.from).toBeLessThanOrEqual(n8n.now);
			},
		),
		{ interruptAfterTimeLimit: 300_000 },
	);
});

test.each([
	[3 * MINUTE, ['after']],
	[-10 * HOUR, ['after', 'before']],
	[10 * HOUR, ['after', 'before']],
])(
	'a filter that is widened while the service is %i ms ahead begins at its time unless that is far ahead',
	async (aheadMs, expected) => {
		const { service, n8n, clock } = unpublished();
		service.unwanted.add('before').add('after');
		await n8n.poll();
		n8n.now += HOUR;
		clock.aheadMs = aheadMs;
		await n8n.poll();
		service.put('before', n8n.now + Math.max(0, aheadMs) - 1000);
		n8n.users = [];
		await n8n.poll();
		n8n.now += 2000;
		service.put('after', n8n.now + Math.max(0, aheadMs));
		for (const minutes of [0, 1, 600]) {
			n8n.now += minutes * MINUTE;
			await n8n.poll();
		}
		expect([...delivered(n8n)].sort()).toEqual(expected);
	},
);

test('shows once an hour, and says in the log, that the clocks differ by more than ten minutes', async () => {
	const { n8n, clock } = unpublished();
	const shown: number[] = [];
	for (const [minutes, aheadMs] of [
		[0, 10 * HOUR],
		[1, 10 * HOUR],
		[60, -11 * MINUTE],
		[61, 9 * MINUTE],
		[121, 9 * MINUTE],
	]) {
		n8n.now = START + minutes * MINUTE;
		clock.aheadMs = aheadMs;
		await n8n.poll();
		shown.push(n8n.shown.length);
	}
	expect(shown).toEqual([1, 1, 2, 2, 2]);
	expect(n8n.shown).toEqual([
		"The service's clock is 600 minutes ahead of this n8n's",
		"The service's clock is 11 minutes behind this n8n's",
	]);
	expect(n8n.logged.filter((line) => line.includes('waits until both clocks agree'))).toHaveLength(2);
});

test.each([HOUR, YEARS])('mends a saved position that is %i ms ahead of both clocks', async (aheadMs) => {
	const { service, n8n, restore } = unpublished();
	restore(savedSince(START + aheadMs, { users: [WANTED_USER] }));
	service.put('new', START - MINUTE);
	expect(await n8n.poll()).toBe(1);
	expect(n8n.position.from).toBeLessThan(START);
	expect(await n8n.poll()).toBe(0);
});

test('leaves a position that only one clock is behind, and a Start Date that is still to come', async () => {
	const { service, n8n, clock, restore } = unpublished();
	restore(savedSince(START + HOUR, { users: [WANTED_USER] }));
	clock.aheadMs = 2 * HOUR;
	service.put('old', START - MINUTE);
	expect(await n8n.poll()).toBe(0);
	expect(n8n.position.from).toBe(START + HOUR);
	clock.aheadMs = 0;
	n8n.startDate = new Date(START + HOUR).toISOString();
	restore({});
	expect(await n8n.poll()).toBe(0);
	service.put('on time', START + HOUR + MINUTE);
	n8n.now = START + 2 * HOUR;
	expect(await n8n.poll()).toBe(1);
});

test('delivers what was dated in the future and is processed again at the right time', async () => {
	const { service, n8n, clock } = unpublished();
	await n8n.poll();
	clock.aheadMs = 10 * HOUR;
	n8n.now += MINUTE;
	await n8n.poll();
	service.put('one', n8n.now + 10 * HOUR);
	clock.aheadMs = 0;
	expect(await n8n.poll()).toBe(1);
	service.put('one', (n8n.now += MINUTE));
	expect(await n8n.poll()).toBe(1);
	expect(await n8n.poll()).toBe(0);
});

test('goes on when the service refuses to look for what is dated in the future, and says so', async () => {
	const { service, n8n } = unpublished();
	await n8n.poll();
	service.put('one', (n8n.now += MINUTE));
	service.failAt = service.requests + 2;
	expect(await n8n.poll()).toBe(1);
	expect(n8n.logged.join()).toContain('cannot look for conversations dated in the future');
});

test('two main processes that poll in turn lose nothing, and deliver each conversation at most once each', async () => {
	const turn = fc.record({
		main: fc.integer({ min: 0, max: 1 }),
		passes: fc.integer({ min: 1000, max: 5 * MINUTE }),
		arrivals: fc.nat(3),
		ends: fc.nat(2),
	});
	await fc.assert(
		fc.asyncProperty(fc.array(turn, { maxLength: 20 }), async (turns) => {
			const service = new ListService();
			const mains = [new PollingN8n(service), new PollingN8n(service)];
			let { now, saved } = mains[0];
			let count = 0;
			const poll = async (n8n: PollingN8n) => {
				Object.assign(n8n, { now, saved });
				n8n.publishAgain();
				await n8n.poll();
				({ saved } = n8n);
			};
			for (const { main, passes, arrivals, ends } of turns) {
				now += passes;
				for (let n = 0; n < arrivals; n++) service.put(`c${count++}`, now - n);
				await poll(mains[main]);
				for (let n = 0; n < ends; n++) await mains[main].end(0, 'success');
			}
			for (let n = 0; n < 12; n++) {
				now += HOUR;
				await poll(mains[n % 2]);
				for (const n8n of mains) while (n8n.running.length > 0) await n8n.end(0, 'success');
			}
			expect(new Set(mains.flatMap((n8n) => [...n8n.ended])).size).toBe(count);
			for (const { deliveries } of mains)
				expect([...deliveries.values()].filter((times) => times > 1)).toEqual([]);
		}),
	);
});
