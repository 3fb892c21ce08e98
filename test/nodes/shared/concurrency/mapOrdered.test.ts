import * as fc from 'fast-check';
import { mapOrdered } from '../../../../nodes/shared/concurrency/mapOrdered';

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

	test('throws the first failure in input order, starts no more tasks, and waits for running ones', async () => {
		const started: number[] = [];
		const ended: number[] = [];
		const read = async () => {
			const seen: number[] = [];
			const task = async (input: number) => {
				started.push(input);
				await turn();
				if (input === 3) throw new Error('third');
				ended.push(input);
				return input;
			};
			for await (const result of mapOrdered([0, 1, 2, 3, 4, 5, 6, 7, 8, 9], 3, task)) seen.push(result);
			return seen;
		};

		await expect(read()).rejects.toThrow('third');
		expect(started.length).toBeLessThan(8);
		expect(ended).toEqual(started.filter((input) => input !== 3));
	});

	test('starts no more tasks after a failure, even while an earlier task is running', async () => {
		let finishFirst = (): void => {};
		const started: number[] = [];
		const results = mapOrdered([0, 1, 2, 3], 2, async (input) => {
			started.push(input);
			if (input === 1) throw new Error('second');
			await new Promise<void>((resolve) => (finishFirst = resolve));
			return input;
		});
		const first = results.next();
		await turn();
		expect(started).toEqual([0, 1]);
		finishFirst();
		expect(await first).toEqual({ done: false, value: 0 });
		await expect(results.next()).rejects.toThrow('second');
		expect(started).toEqual([0, 1]);
	});

	test('passes each task its index, and asks for the concurrency again as tasks end', async () => {
		const tasks = new Tasks();
		const positions: number[] = [];
		let concurrency = 1;
		const reading = (async () => {
			const run = async (input: string, index: number) => {
				positions.push(index);
				await tasks.run(index);
				return input;
			};
			const results: string[] = [];
			for await (const result of mapOrdered(['a', 'b', 'c'], () => concurrency, run)) results.push(result);
			return results;
		})();
		await turn();
		expect(positions).toEqual([0]);
		concurrency = 2;
		tasks.finish(0);
		await turn();
		expect(positions).toEqual([0, 1, 2]);
		while (tasks.finish(0)) await turn();
		expect(await reading).toEqual(['a', 'b', 'c']);
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
