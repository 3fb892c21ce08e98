import * as fc from 'fast-check';
import { ListService } from './listService';
import { LOOK_BACK, PollingN8n, START, type Outcome } from './pollingN8n';

/** Each run is a life of a trigger, so that many take longer than other properties. */
const LIVES = { interruptAfterTimeLimit: 300_000 };
jest.setTimeout(900_000);

const outcome = fc.constantFrom<Outcome>(
	'success',
	'error',
	'stopped',
	'worker lost',
	'not queued',
	'crashed',
);

/** What happens to the service, the poll and the executions from one poll to the next. */
const step = fc.record({
	passes: fc.integer({ min: 1, max: LOOK_BACK / 2 }),
	/** How many milliseconds ago they were processed (at most the look back), and how many together: a few, or more than a page. */
	arrivals: fc.array(fc.tuple(fc.nat(LOOK_BACK / 2), fc.constantFrom(1, 2, 5, 60)), { maxLength: 2 }),
	removed: fc.option(fc.nat(200)),
	processedAgain: fc.option(fc.nat(200)),
	failsAt: fc.option(fc.integer({ min: 1, max: 8 })),
	isLate: fc.boolean(),
	ends: fc.array(fc.tuple(fc.nat(2), outcome), { maxLength: 3 }),
	then: fc.constantFrom('nothing', 'nothing', 'nothing', 'crash', 'publish again'),
});

type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never;

/** Conversations with the version that the service lists. */
const listed = ({ rows }: ListService) => [...rows].map(([id, row]) => `${id}@${String(row.processedDate)}`);

async function live(n8n: PollingN8n, steps: Array<Step>): Promise<void> {
	const { service } = n8n;
	let count = 0;
	for (const { passes, arrivals, removed, processedAgain, failsAt, isLate, ends, then } of steps) {
		n8n.now += passes;
		for (const [ago, size] of arrivals) {
			const processed = Math.max(START, n8n.now - ago);
			for (let n = 0; n < size; n++) service.put(`c${count++}`, processed + (n % 7));
		}
		if (removed !== null) service.rows.delete(`c${removed}`);
		if (processedAgain !== null && service.rows.has(`c${processedAgain}`)) {
			service.put(`c${processedAgain}`, n8n.now);
		}
		service.failAt = failsAt === null ? Infinity : service.requests + failsAt;
		n8n.limits.isLate = () => isLate;
		await n8n.poll().catch((error: Error) => expect(error.message).toBe('The service refused the request'));
		for (const [index, how] of ends) await n8n.end(index, how);
		if (then === 'crash') n8n.crash();
		if (then === 'publish again') n8n.publishAgain();
	}
	// Later polls do not look back this far, so they still deliver only what was lost.
	n8n.now += 3 * LOOK_BACK;
	service.put('the last', n8n.now);
}

test('delivers each conversation until its execution has ended, and none that n8n saved as ended', async () => {
	await fc.assert(
		fc.asyncProperty(
			fc.array(step, { maxLength: 12 }),
			fc.boolean(),
			fc.integer({ min: 10, max: 120 }),
			async (steps, newestFirst, maxRows) => {
				const n8n = new PollingN8n(new ListService(newestFirst));
				n8n.limits.maxRows = maxRows;
				await live(n8n, steps);
				await n8n.settle();
				expect(listed(n8n.service).filter((one) => !n8n.ended.has(one))).toEqual([]);
				expect(n8n.repeated).toEqual([]);
			},
		),
		LIVES,
	);
});

test.each([false, true])(
	'does not repeat what ended after the last save when the workflow is published again, while a poll reads: %s',
	async (isReading) => {
		const n8n = new PollingN8n(new ListService(false));
		n8n.service.put('one', START);
		await n8n.poll();
		if (isReading) await n8n.end(0, 'success');
		n8n.now += 3 * LOOK_BACK;
		n8n.service.put('two', n8n.now);
		if (isReading) {
			n8n.service.beforeResponse = () => {
				n8n.service.beforeResponse = () => {};
				n8n.publishAgain();
			};
		}
		// Otherwise, n8n saves a position in which "one" has not ended, and the next poll finds nothing to save.
		await n8n.poll();
		await n8n.end(0, 'success');
		if (!isReading) {
			await n8n.poll();
			n8n.publishAgain();
		}
		await n8n.settle();
		expect([...n8n.deliveries.values()]).toEqual([1, 1]);
	},
);

test('delivers each version of a conversation once while n8n keeps running and loses no execution', async () => {
	const calm = fc
		.tuple(step, fc.array(fc.tuple(fc.nat(2), fc.constantFrom<Outcome>('success', 'error', 'stopped'))))
		.map(([one, ends]) => ({ ...one, ends, then: one.then === 'crash' ? 'nothing' : one.then }));
	await fc.assert(
		fc.asyncProperty(fc.array(calm, { maxLength: 12 }), fc.boolean(), async (steps, newestFirst) => {
			const n8n = new PollingN8n(new ListService(newestFirst));
			await live(n8n, steps);
			await n8n.settle();
			expect([...n8n.deliveries].filter(([, times]) => times > 1)).toEqual([]);
			expect(listed(n8n.service).filter((one) => !n8n.deliveries.has(one))).toEqual([]);
		}),
		LIVES,
	);
});

test('delivers every conversation, and at most twice, whatever processedDate says', async () => {
	const date = fc.constantFrom<(processed: number) => unknown>(
		(processed) => new Date(processed).toISOString(),
		(processed) => new Date(processed).toISOString().replace('Z', ''),
		(processed) => new Date(processed + 5 * 3_600_000).toISOString(),
		(processed) => new Date(processed - 5 * 3_600_000).toISOString(),
		() => '9999-12-31T00:00:00Z',
		() => '1970-01-01T00:00:00Z',
		() => 'yesterday',
		() => null,
		() => undefined,
	);
	const arrivals = fc.array(fc.tuple(fc.nat(LOOK_BACK / 2), fc.integer({ min: 1, max: 12 }), date), {
		maxLength: 3,
	});
	const minutes = fc.array(fc.record({ passes: fc.integer({ min: 1, max: LOOK_BACK / 2 }), arrivals }), {
		maxLength: 8,
	});
	await fc.assert(
		fc.asyncProperty(minutes, fc.integer({ min: 4, max: 60 }), async (steps, maxRows) => {
			const n8n = new PollingN8n(new ListService());
			n8n.limits.maxRows = maxRows;
			let count = 0;
			for (const { passes, arrivals } of steps) {
				n8n.now += passes;
				for (const [ago, size, dateOf] of arrivals) {
					const processed = Math.max(START, n8n.now - ago);
					for (let n = 0; n < size; n++) n8n.service.put(`c${count++}`, processed, dateOf(processed));
				}
				await n8n.poll();
				await n8n.end(0, 'success');
				expect(n8n.position.from).toBeLessThanOrEqual(n8n.now);
			}
			await n8n.settle();
			n8n.crash();
			await n8n.settle();
			expect(listed(n8n.service).filter((one) => !n8n.ended.has(one))).toEqual([]);
			expect([...n8n.deliveries].filter(([, times]) => times > 2)).toEqual([]);
			expect(await n8n.poll()).toBe(0);
		}),
		LIVES,
	);
});
