import { sleep } from 'n8n-workflow';

/**
 * Runs a task for each input, so many concurrently, and yields the results in input order. Inputs are read lazily, and at
 * most as many results as tasks wait for a slow one, so memory stays flat.
 * @param concurrency a number, or what returns it before each task; with 0, no other task starts
 * @throws what the first failing task threw, in input order; then no other task starts, and running ones are awaited
 */
export async function* mapOrdered<In, Out>(
	inputs: Iterable<In>,
	concurrency: number | (() => number),
	task: (input: In) => Promise<Out>,
): AsyncGenerator<Out> {
	const pending: Array<Promise<Out>> = [];
	const iterator = inputs[Symbol.iterator]();
	let inFlight = 0;
	let stopped = false;

	const startMore = (): void => {
		// As many results may wait as tasks run, so that a slow task does not hold up the others.
		while (!stopped) {
			const most = typeof concurrency === 'number' ? concurrency : concurrency();
			if (inFlight >= most || pending.length >= most * 2) return;
			const next = iterator.next();
			if (next.done) return;
			inFlight++;
			const running = task(next.value);
			// Avoids an unhandled rejection while earlier results are awaited; the consumer still gets the error.
			running.then(end, () => {
				stopped = true;
			});
			pending.push(running);
		}
	};
	const end = () => {
		inFlight--;
		startMore();
	};

	try {
		startMore();
		while (pending.length > 0) {
			const result = await pending[0];
			void pending.shift();
			startMore();
			yield result;
		}
	} finally {
		stopped = true;
		await Promise.allSettled(pending);
	}
}

/**
 * Runs a task for each input, so many concurrently, and the inputs of one key one after another, in input order.
 * @throws what the first task to fail threw; then no other task starts, and running ones are awaited
 */
export async function runKeyed<In>(
	inputs: readonly In[],
	{ concurrency, keyOf }: { concurrency: number; keyOf: (input: In) => string | number },
	task: (input: In) => Promise<void>,
): Promise<void> {
	const groups = new Map<string | number, In[]>();
	for (const input of inputs) {
		const key = keyOf(input);
		const group = groups.get(key);
		if (group) group.push(input);
		else groups.set(key, [input]);
	}
	/** One iterator, from which each worker takes its next group. */
	const waiting = groups.values();
	const failures: unknown[] = [];
	const work = async (): Promise<void> => {
		for (const group of waiting) {
			for (const input of group) {
				if (failures.length > 0) return;
				await task(input).catch((error: unknown) => failures.push(error));
			}
		}
	};
	await Promise.all(Array.from({ length: concurrency }, work));
	if (failures.length > 0) throw failures[0];
}

/** Returns what runs tasks one after another, whether the ones before fail or not. */
export function oneAfterAnother(): <Out>(task: () => Promise<Out>) => Promise<Out> {
	let last: Promise<unknown> = Promise.resolve();
	return async (task) => {
		const result = last.then(task);
		last = result.catch(() => {});
		return await result;
	};
}

/** Several lists can be worked through at the same time, so that each one holds n8n's event loop only for a moment. */
const MAX_BUSY_MS = 8;

/**
 * Works through a list, however long, and lets n8n serve others meanwhile.
 * @param perLook entries between two looks at the clock, which takes as long as a word of a transcript
 */
export async function forEachYielding<Entry>(
	entries: Iterable<Entry>,
	work: (entry: Entry) => void,
	perLook = 8,
): Promise<void> {
	let [since, done] = [performance.now(), 0];
	for (const entry of entries) {
		work(entry);
		if (++done % perLook > 0 || performance.now() - since < MAX_BUSY_MS) continue;
		await sleep(0);
		since = performance.now();
	}
}
