import * as fc from 'fast-check';
import { ListService } from './listService';
import { HOUR, LOOK_BACK, MINUTE, PollingN8n, START, versionOf, type Outcome } from './pollingN8n';

/** Each run is a life of a trigger, so that many take longer than other properties. */
const LIVES = { interruptAfterTimeLimit: 300_000 };
jest.setTimeout(900_000);

const step = fc.record({
	passes: fc.integer({ min: 1, max: LOOK_BACK / 2 }),
	/** How many milliseconds ago they were processed (at most the look back), and how many together: a few, or more than a page. */
	arrivals: fc.array(fc.tuple(fc.nat(LOOK_BACK / 2), fc.constantFrom(1, 2, 5, 60)), { maxLength: 2 }),
	removed: fc.option(fc.nat(200)),
	processedAgain: fc.option(fc.nat(200)),
	failsAt: fc.option(fc.integer({ min: 1, max: 8 })),
	isLate: fc.boolean(),
	ends: fc.array(
		fc.tuple(
			fc.nat(2),
			fc.constantFrom<Outcome>('success', 'error', 'stopped'),
			fc.option(fc.constantFrom<Outcome>('worker lost', 'not queued', 'crashed')),
		),
		{ maxLength: 3 },
	),
	isPublishedWhileReading: fc.boolean(),
	then: fc.constantFrom('nothing', 'publish again', 'crash'),
});
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never;

/** Conversations with the version that the service lists. */
const listed = ({ rows }: ListService) => [...rows.values()].map(({ row }) => versionOf(row));

/** What happens to the service, the poll and the executions from one poll to the next; if it is calm, nothing is lost. */
async function live(n8n: PollingN8n, steps: Step[], isCalm: boolean) {
	const { service } = n8n;
	let count = 0;
	for (const { passes, arrivals, removed, processedAgain, failsAt, ends, then, ...step } of steps) {
		n8n.now += passes;
		for (const [ago, size] of arrivals) {
			const processed = Math.max(START, n8n.now - ago);
			for (let n = 0; n < size; n++) service.put(`c${count++}`, processed + (n % 7));
		}
		service.rows.delete(`c${removed}`);
		if (service.rows.has(`c${processedAgain}`)) service.put(`c${processedAgain}`, n8n.now);
		service.failAt = failsAt === null ? Infinity : service.requests + failsAt;
		n8n.responseMs = step.isLate ? MINUTE / 2 : 0;
		service.beforeResponse = () => {
			if (step.isPublishedWhileReading) n8n.publishAgain();
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
	const life = fc.tuple(fc.array(step, { maxLength: 12 }), fc.boolean(), room, fc.boolean());
	await fc.assert(
		fc.asyncProperty(life, async ([steps, newestFirst, maxConversationsPerPoll, isCalm]) => {
			const n8n = new PollingN8n(new ListService(newestFirst));
			n8n.options = { maxConversationsPerPoll };
			await live(n8n, steps, isCalm);
			expect(listed(n8n.service).filter((one) => !n8n.ended.has(one))).toEqual([]);
			expect(n8n.repeated).toEqual([]);
			if (isCalm) expect([...n8n.deliveries].filter(([, times]) => times > 1)).toEqual([]);
		}),
		{ ...LIVES, numRuns: 2 * Number(process.env.RUNS ?? 100) },
	);
});

test('delivers every conversation, and at most twice, whatever processedDate says', async () => {
	const date = fc.constantFrom<(processed: number) => unknown>(
		(processed) => new Date(processed).toISOString(),
		(processed) => new Date(processed).toISOString().replace('Z', ''),
		(processed) => new Date(processed + 5 * HOUR).toISOString(),
		(processed) => new Date(processed - 5 * HOUR).toISOString(),
		...['9999-12-31T00:00:00Z', '1970-01-01T00:00:00Z', 'yesterday', null, undefined].map(
			(text) => () => text,
		),
	);
	const arrivals = fc.array(fc.tuple(fc.nat(LOOK_BACK / 2), fc.integer({ min: 1, max: 12 }), date), {
		maxLength: 3,
	});
	const minutes = fc.array(fc.record({ passes: fc.integer({ min: 1, max: LOOK_BACK / 2 }), arrivals }), {
		maxLength: 8,
	});
	await fc.assert(
		fc.asyncProperty(minutes, fc.integer({ min: 4, max: 60 }), async (steps, maxConversationsPerPoll) => {
			const n8n = new PollingN8n(new ListService());
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
			n8n.crash();
			await n8n.settle();
			expect(listed(n8n.service).filter((one) => !n8n.ended.has(one))).toEqual([]);
			expect([...n8n.deliveries].filter(([, times]) => times > 2)).toEqual([]);
			expect(await n8n.poll()).toBe(0);
		}),
		LIVES,
	);
});
