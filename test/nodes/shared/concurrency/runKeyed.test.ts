import fc from 'fast-check';
import { runKeyed } from '../../../../nodes/shared/concurrency/runKeyed';

interface Input {
	key: string;
	/** How many turns of the event loop the task takes. */
	turns: number;
}

const inputs = fc.array(
	fc.record({ key: fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f'), turns: fc.nat({ max: 5 }) }),
	{ maxLength: 40 },
);
const keyOf = ({ key }: Input) => key;

async function turns(count: number): Promise<void> {
	for (let turn = 0; turn < count; turn++) await new Promise((resolve) => setImmediate(resolve));
}

describe('runKeyed', () => {
	test('runs every input once within the concurrency, and inputs with the same key in order, one at a time', async () => {
		await fc.assert(
			fc.asyncProperty(inputs, fc.integer({ min: 1, max: 8 }), async (given, concurrency) => {
				const busy = new Set<string>();
				const order = new Map<string, number[]>();
				let most = 0;
				await runKeyed(given, { concurrency, keyOf }, async ({ key, turns: count }, index) => {
					expect(busy.has(key)).toBe(false);
					busy.add(key);
					most = Math.max(most, busy.size);
					order.set(key, [...(order.get(key) ?? []), index]);
					await turns(count);
					busy.delete(key);
				});
				expect([...order.values()].flat().sort((a, b) => a - b)).toEqual(given.map((_, index) => index));
				expect(most).toBeLessThanOrEqual(concurrency);
				for (const indexes of order.values()) expect(indexes).toEqual([...indexes].sort((a, b) => a - b));
			}),
		);
	});

	test('works on as many inputs as allowed while keys are free', async () => {
		const given = Array.from({ length: 12 }, (_, index) => ({ key: String(index), turns: 3 }));
		let atOnce = 0;
		let most = 0;
		await runKeyed(given, { concurrency: 4, keyOf }, async ({ turns: count }) => {
			most = Math.max(most, ++atOnce);
			await turns(count);
			atOnce--;
		});
		expect(most).toBe(4);
	});

	test('makes only inputs of the same key wait', async () => {
		const given = ['a', 'a', 'a', 'b', 'c'].map((key) => ({ key, turns: key === 'a' ? 9 : 0 }));
		const finished: number[] = [];
		await runKeyed(given, { concurrency: 2, keyOf }, async ({ turns: count }, index) => {
			await turns(count);
			finished.push(index);
		});
		expect(finished).toEqual([3, 4, 0, 1, 2]);
	});

	test('after a failure, starts no more tasks, awaits running ones, and throws the first failure in input order', async () => {
		await fc.assert(
			fc.asyncProperty(
				inputs,
				fc.integer({ min: 1, max: 8 }),
				fc.infiniteStream(fc.boolean()),
				async (given, concurrency, draws) => {
					const fails = given.map(() => draws.next().value as boolean);
					let inFlight = 0;
					let startedAfter = 0;
					let failed = false;
					const threw: number[] = [];
					const run = runKeyed(given, { concurrency, keyOf }, async ({ turns: count }, index) => {
						if (failed) startedAfter++;
						inFlight++;
						await turns(count);
						inFlight--;
						if (!fails[index]) return;
						// The workers see a failure when the promise settles, not when the task throws.
						setImmediate(() => (failed = true));
						threw.push(index);
						throw new Error(String(index));
					});
					const outcome = await run.then(
						() => 'done',
						(error: Error) => error.message,
					);
					expect(inFlight).toBe(0);
					expect(startedAfter).toBe(0);
					expect(outcome).toBe(threw.length === 0 ? 'done' : String(Math.min(...threw)));
				},
			),
		);
	});
});
