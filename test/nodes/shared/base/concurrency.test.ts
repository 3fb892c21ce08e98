import fc from 'fast-check';
import { mapOrdered, runKeyed } from '../../../../nodes/shared/base/concurrency';

const turn = async () => await new Promise((resolve) => setImmediate(resolve));
const anyConcurrency = fc.integer({ min: 1, max: 8 });

/** Tasks that end in the order that the test chooses; those of `failing` fail. */
class Tasks {
	running = 0;
	mostRunning = 0;
	started: number[] = [];
	private readonly waiting = new Map<number, () => void>();

	constructor(private readonly failing: number[] = []) {}

	run = async (input: number): Promise<number> => {
		this.started.push(input);
		this.mostRunning = Math.max(this.mostRunning, ++this.running);
		await new Promise<void>((resolve) => this.waiting.set(input, resolve));
		this.running--;
		if (this.failing.includes(input)) throw new Error(String(input));
		return input * 10;
	};

	isWaiting = (input: number) => this.waiting.has(input);

	/** Ends the running task that `pick` selects. */
	finish(pick: number): boolean {
		const inputs = [...this.waiting.keys()];
		if (inputs.length === 0) return false;
		const input = inputs[pick % inputs.length];
		this.waiting.get(input)!();
		this.waiting.delete(input);
		return true;
	}
}

describe('mapOrdered', () => {
	const inputs = Array.from({ length: 20 }, (_, index) => index);

	test('yields results in input order until the first failure, which waits for what runs, and starts no more', async () => {
		const failing = fc.array(fc.nat(40), { maxLength: 2 });
		const picks = fc.infiniteStream(fc.nat(100));
		await fc.assert(
			fc.asyncProperty(
				fc.nat(20),
				anyConcurrency,
				failing,
				picks,
				async (count, concurrency, fail, order) => {
					const tasks = new Tasks(fail);
					const results: unknown[] = [];
					const reading = (async () => {
						for await (const result of mapOrdered(inputs.slice(0, count), concurrency, tasks.run))
							results.push(result);
					})().catch(({ message }: Error) => results.push(message, tasks.running));
					await turn();
					let startedAtFailure: number | undefined;
					while (tasks.finish(order.next().value)) {
						await turn();
						const hasFailed = fail.some((input) => tasks.started.includes(input) && !tasks.isWaiting(input));
						if (hasFailed) startedAtFailure ??= tasks.started.length;
					}
					await reading;
					const first = Math.min(...fail.filter((input) => tasks.started.includes(input)), count);
					const read = inputs.slice(0, first).map((input) => input * 10);
					expect(results).toEqual(first < count ? [...read, String(first), 0] : read);
					expect(tasks.mostRunning).toBeLessThanOrEqual(concurrency);
					if (fail.length === 0) expect(tasks.mostRunning).toBe(Math.min(count, concurrency));
					expect(tasks.started).toHaveLength(startedAtFailure ?? count);
				},
			),
		);
	});

	test('continues behind a slow first task until as many results wait as tasks may run, and stops with its reader', async () => {
		const tasks = new Tasks();
		const results = mapOrdered(inputs, 2, tasks.run);
		const first = results.next();
		await turn();
		// Ends the second running task each time; the first one keeps running.
		for (const input of [1, 2, 3]) {
			expect(tasks.started).toContain(input);
			tasks.finish(1);
			await turn();
		}
		expect(tasks.started).toEqual([0, 1, 2, 3]);
		tasks.finish(0);
		expect(await first).toEqual({ done: false, value: 0 });
		const closing = results.return(undefined);
		while (tasks.finish(0)) await turn();
		await closing;
		expect(tasks.started).toEqual([0, 1, 2, 3, 4]);
	});
});

describe('runKeyed', () => {
	/** Runs a task for each key, which takes some turns of the event loop, and records what happened. */
	async function run(
		keys: string[],
		concurrency: number,
		turns: (index: number) => number,
		fails: number[] = [],
	) {
		const busy = new Set<string>();
		const [started, ended]: number[][] = [[], []];
		let [highest, hasFailed, startedLate] = [0, false, false];
		const inputs = [...keys.entries()];
		const error = await runKeyed(inputs, { concurrency, keyOf: ([, key]) => key }, async ([index, key]) => {
			expect(busy.has(key)).toBe(false);
			highest = Math.max(highest, busy.add(key).size);
			started.push(index);
			startedLate ||= hasFailed;
			for (let left = turns(index); left > 0; left--) await turn();
			busy.delete(key);
			ended.push(index);
			if (!fails.includes(index)) return;
			// The workers see a failure when the promise settles, not when the task throws.
			setImmediate(() => (hasFailed = true));
			throw new Error(String(index));
		}).catch(({ message }: Error) => message);
		return { error, started, ended, highest, startedLate, inFlight: busy.size };
	}

	test('runs inputs of one key in order, one at a time, and ends with the first failure once nothing runs', async () => {
		const anyKeys = fc.array(fc.constantFrom(...'abcdef'), { maxLength: 40 });
		const anyTurns = fc.func(fc.nat(5));
		const anyFails = fc.array(fc.nat(40), { maxLength: 2 });
		await fc.assert(
			fc.asyncProperty(
				anyKeys,
				anyConcurrency,
				anyTurns,
				anyFails,
				async (keys, concurrency, turns, fails) => {
					const { error, started, ended, highest, ...rest } = await run(keys, concurrency, turns, fails);
					expect(rest).toEqual({ startedLate: false, inFlight: 0 });
					expect(highest).toBeLessThanOrEqual(concurrency);
					expect(error).toBe(ended.find((index) => fails.includes(index))?.toString());
					for (const key of 'abcdef') {
						const of = started.filter((index) => keys[index] === key);
						const wanted = [...keys.keys()].filter((index) => keys[index] === key);
						expect(of).toEqual(error === undefined ? wanted : wanted.slice(0, of.length));
					}
				},
			),
		);
	});

	test('makes only inputs of the same key wait, and works on as many others as allowed', async () => {
		const slow = await run([...'aaabc'], 2, (index) => (index < 3 ? 9 : 0));
		expect(slow).toMatchObject({ ended: [3, 4, 0, 1, 2], highest: 2 });
		expect(await run([...'abcdef'], 4, () => 3)).toMatchObject({ highest: 4 });
	});
});
