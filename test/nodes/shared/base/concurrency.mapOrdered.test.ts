import * as fc from 'fast-check';
import { mapOrdered } from '../../../../nodes/shared/base/concurrency';

/** Tasks that end in the order that the test chooses. */
class Tasks {
	running = 0;
	mostRunning = 0;
	started: number[] = [];
	private readonly waiting = new Map<number, () => void>();

	run = async (input: number): Promise<number> => {
		this.started.push(input);
		this.mostRunning = Math.max(this.mostRunning, ++this.running);
		await new Promise<void>((resolve) => this.waiting.set(input, resolve));
		this.running--;
		return input * 10;
	};

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

const turn = async () => await new Promise((resolve) => setImmediate(resolve));

describe('mapOrdered', () => {
	test('yields every result in input order, whatever order tasks end in, and never exceeds the concurrency', async () => {
		await fc.assert(
			fc.asyncProperty(
				fc.integer({ min: 0, max: 40 }),
				fc.integer({ min: 1, max: 8 }),
				fc.infiniteStream(fc.nat(100)),
				async (count, concurrency, picks) => {
					const tasks = new Tasks();
					const results: number[] = [];
					const inputs = Array.from({ length: count }, (_, index) => index);
					const reading = (async () => {
						for await (const result of mapOrdered(inputs, concurrency, tasks.run)) results.push(result);
					})();
					await turn();
					while (tasks.finish(picks.next().value)) await turn();
					await reading;

					expect(results).toEqual(inputs.map((input) => input * 10));
					expect(tasks.mostRunning).toBe(Math.min(count, concurrency));
				},
			),
		);
	});

	test('continues behind a slow first task until as many results wait as tasks may run', async () => {
		const tasks = new Tasks();
		const inputs = Array.from({ length: 20 }, (_, index) => index);
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
	});

	test('after a failure, starts no more tasks, awaits running ones, and throws it in input order', async () => {
		const tasks = new Tasks();
		const results = mapOrdered([0, 1, 2, 3, 4], 3, async (input) => {
			if (input === 1) tasks.started.push(input);
			if (input === 1) throw new Error('second');
			return await tasks.run(input);
		});
		const first = results.next();
		await turn();
		expect(tasks.started).toEqual([0, 1, 2]);
		tasks.finish(0);
		expect(await first).toEqual({ done: false, value: 0 });
		const failed = results.next().catch((error: unknown) => [error, tasks.running]);
		await turn();
		tasks.finish(0);
		expect(await failed).toEqual([new Error('second'), 0]);
		expect(tasks.started).toEqual([0, 1, 2]);
	});

	test('starts no more tasks once the consumer stops', async () => {
		const started: number[] = [];
		for await (const result of mapOrdered([0, 1, 2, 3, 4, 5, 6, 7, 8, 9], 2, async (input) => {
			started.push(input);
			return input;
		})) {
			if (result === 1) break;
		}
		const then = started.length;
		await turn();

		expect(started).toHaveLength(then);
		expect(then).toBeLessThan(8);
	});
});
