import fc from 'fast-check';
import { mapOrdered, oneAfterAnother, runKeyed } from '../../../../nodes/shared/base/concurrency';

const turn = async () => await new Promise((resolve) => setImmediate(resolve));

/** Tasks that end in the order that the test chooses; those of `failing` fail. */
class Tasks {
	started: number[] = [];
	ended: number[] = [];
	mostRunning = 0;
	startedLate = false;
	readonly running = new Map<number, () => void>();

	constructor(private readonly failing: number[] = []) {}

	run = async (input: number): Promise<number> => {
		this.startedLate ||= this.failure !== undefined;
		this.started.push(input);
		const ends = new Promise<void>((resolve) => this.running.set(input, resolve));
		this.mostRunning = Math.max(this.mostRunning, this.running.size);
		await ends;
		if (this.failing.includes(input)) throw new Error(String(input));
		return input * 10;
	};

	/** The first task that failed. */
	get failure() {
		return this.ended.find((input) => this.failing.includes(input));
	}

	/** Ends the running tasks, one in each turn of the event loop, as `picks` selects them. */
	async end(picks: (running: number) => number) {
		await turn();
		while (this.running.size > 0) {
			const inputs = [...this.running.keys()];
			const input = inputs[picks(inputs.length) % inputs.length];
			this.running.get(input)!();
			this.running.delete(input);
			this.ended.push(input);
			await turn();
		}
	}
}

const inputs = Array.from({ length: 40 }, (_, index) => index);
const anyRun = fc.record({
	count: fc.nat(40),
	concurrency: fc.integer({ min: 1, max: 8 }),
	failing: fc.oneof(fc.constant<number[]>([]), fc.array(fc.nat(60), { maxLength: 20 })),
	picks: fc.infiniteStream(fc.nat(100)).map((stream) => () => stream.next().value),
});

describe('mapOrdered', () => {
	test('yields results in input order until the first failure, which waits for what runs, and starts no more', async () => {
		await fc.assert(
			fc.asyncProperty(anyRun, async ({ count, concurrency, failing, picks }) => {
				const tasks = new Tasks(failing);
				const results: unknown[] = [];
				const read = async () => {
					const given = inputs.slice(0, count);
					for await (const result of mapOrdered(given, concurrency, tasks.run)) results.push(result);
				};
				const reading = read().catch(({ message }: Error) => results.push(message, tasks.running.size));
				await tasks.end(picks);
				await reading;
				const first = Math.min(...failing.filter((input) => tasks.started.includes(input)), count);
				const expected = inputs.slice(0, first).map((input) => input * 10);
				expect(results).toEqual(first < count ? [...expected, String(first), 0] : expected);
				expect(tasks.startedLate).toBe(false);
				expect(tasks.mostRunning).toBeLessThanOrEqual(concurrency);
				if (first === count) expect(tasks.mostRunning).toBe(Math.min(count, concurrency));
			}),
		);
	});

	test('continues behind a slow first task until as many results wait as may run, and stops with its reader', async () => {
		const tasks = new Tasks();
		const results = mapOrdered(inputs, 2, tasks.run);
		const first = results.next();
		// The second running task ends each time, until the first is alone.
		await tasks.end((running) => running - 1);
		expect(tasks.ended).toEqual([1, 2, 3, 0, 4]);
		expect(await first).toEqual({ done: false, value: 0 });
		await results.return(undefined);
		expect(tasks.started).toEqual([0, 1, 2, 3, 4]);
	});
});

describe('runKeyed', () => {
	test('runs inputs of one key in order, one at a time, and ends with the first failure once nothing runs', async () => {
		const anyKeys = fc.array(fc.constantFrom(...'abcdef'), { minLength: 40, maxLength: 40 });
		await fc.assert(
			fc.asyncProperty(anyKeys, anyRun, async (keys, { count, concurrency, failing, picks }) => {
				const tasks = new Tasks(failing);
				const keyOf = (input: number) => keys[input];
				const running = runKeyed(inputs.slice(0, count), { concurrency, keyOf }, async (input) => {
					expect([...tasks.running.keys()].map(keyOf)).not.toContain(keyOf(input));
					await tasks.run(input);
				}).catch(({ message }: Error) => [message, tasks.running.size]);
				await tasks.end(picks);
				const { failure } = tasks;
				expect(await running).toEqual(failure === undefined ? undefined : [String(failure), 0]);
				expect(tasks.startedLate).toBe(false);
				expect(tasks.mostRunning).toBeLessThanOrEqual(concurrency);
				for (const key of 'abcdef') {
					const started = tasks.started.filter((input) => keyOf(input) === key);
					const wanted = inputs.slice(0, count).filter((input) => keyOf(input) === key);
					expect(started).toEqual(failure === undefined ? wanted : wanted.slice(0, started.length));
				}
			}),
		);
	});

	test('makes only inputs of the same key wait, and works on as many others as allowed', async () => {
		const tasks = new Tasks();
		const keyOf = (input: number) => 'aaabc'[input];
		const running = runKeyed(
			[0, 1, 2, 3, 4],
			{ concurrency: 2, keyOf },
			async (input) => void (await tasks.run(input)),
		);
		await tasks.end((open) => open - 1);
		await running;
		expect(tasks).toMatchObject({ ended: [3, 4, 0, 1, 2], mostRunning: 2 });
	});
});

test('tasks run one after another in their order, also after one that failed', async () => {
	const tasks = new Tasks([1]);
	const inTurn = oneAfterAnother();
	const results = Promise.allSettled([0, 1, 2].map(async (input) => await inTurn(() => tasks.run(input))));
	await tasks.end(() => 0);
	expect((await results).map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
	expect(tasks).toMatchObject({ started: [0, 1, 2], mostRunning: 1 });
});
