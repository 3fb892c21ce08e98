interface Timer {
	at: number;
	id: number;
	run: () => void;
}

/**
 * Runs a task on a clock that jumps from timer to timer, so that hours pass in milliseconds. It replaces `setTimeout`,
 * `performance.now`, `Date.now` and `Math.random` meanwhile, and so drives any code without changing it.
 *
 * @param seed of `Math.random`
 * @returns what the task returns
 */
export async function onVirtualClock<T>(seed: number, task: () => Promise<T>): Promise<T> {
	const real = { setTimeout, clearTimeout, now: performance.now, date: Date.now, random: Math.random };
	const clock = new Timers();
	const from = real.date();
	Object.assign(globalThis, {
		setTimeout: (run: () => void, delay = 0) => clock.add(run, delay),
		clearTimeout: (timer: unknown) => clock.remove(timer),
	});
	performance.now = () => clock.now;
	Date.now = () => from + clock.now;
	Math.random = seededRandom(seed);
	try {
		let isDone = false;
		const done = task().finally(() => (isDone = true));
		done.catch(() => {});
		while (!isDone) {
			// Lets all promises settle before the clock moves on.
			await new Promise((resolve) => setImmediate(resolve));
			if (!isDone && !clock.runNext())
				throw new Error('Nothing is left to wait for, and the task is not done.');
		}
		return await done;
	} finally {
		Object.assign(globalThis, { setTimeout: real.setTimeout, clearTimeout: real.clearTimeout });
		performance.now = real.now;
		Date.now = real.date;
		Math.random = real.random;
	}
}

/** Timers by the time at which they fire: a binary heap. */
class Timers {
	now = 0;
	private lastId = 0;
	private readonly heap: Timer[] = [];
	private readonly removed = new Set<number>();

	add(run: () => void, delay: number): { id: number; unref(): void } {
		const timer = { at: this.now + Math.max(1, Math.floor(delay)), id: ++this.lastId, run };
		let index = this.heap.push(timer) - 1;
		for (; index > 0 && isBefore(timer, this.heap[(index - 1) >> 1]); index = (index - 1) >> 1) {
			this.heap[index] = this.heap[(index - 1) >> 1];
		}
		this.heap[index] = timer;
		return { id: timer.id, unref: () => {} };
	}

	remove(timer: unknown): void {
		const id = (timer as { id?: number } | undefined)?.id;
		if (id !== undefined) this.removed.add(id);
	}

	/** Moves the clock to the next timer and runs it. False when there is none. */
	runNext(): boolean {
		for (let timer = this.take(); timer !== undefined; timer = this.take()) {
			if (this.removed.delete(timer.id)) continue;
			this.now = timer.at;
			timer.run();
			return true;
		}
		return false;
	}

	private take(): Timer | undefined {
		const [first] = this.heap;
		const last = this.heap.pop();
		if (first === undefined || last === undefined || this.heap.length === 0) return first;
		let index = 0;
		for (;;) {
			let child = 2 * index + 1;
			if (child >= this.heap.length) break;
			if (child + 1 < this.heap.length && isBefore(this.heap[child + 1], this.heap[child])) child++;
			if (!isBefore(this.heap[child], last)) break;
			this.heap[index] = this.heap[child];
			index = child;
		}
		this.heap[index] = last;
		return first;
	}
}

const isBefore = (a: Timer, b: Timer) => a.at < b.at || (a.at === b.at && a.id < b.id);

/** Numbers in [0, 1): mulberry32. */
function seededRandom(seed: number): () => number {
	let state = seed >>> 0;
	return () => {
		state = (state + 0x6d2b79f5) >>> 0;
		let mixed = Math.imul(state ^ (state >>> 15), state | 1);
		mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
		return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
	};
}
