/**
 * Runs a task for each input, a bounded number concurrently, and yields the results in input order. Tasks continue behind
 * a slow one, but at most as many results as tasks wait for it, so memory stays flat for any number of inputs.
 * @param inputs read lazily
 * @param concurrency maximum tasks running concurrently, at least one
 * @throws what the first failing task threw, in input order; then no other task starts, and running ones are awaited
 */
export async function* mapOrdered<In, Out>(
	inputs: Iterable<In>,
	concurrency: number,
	task: (input: In) => Promise<Out>,
): AsyncGenerator<Out> {
	/** Results in input order, done or not. */
	const pending: Array<Promise<Out>> = [];
	const iterator = inputs[Symbol.iterator]();
	let inFlight = 0;
	let stopped = false;

	const startMore = (): void => {
		// As many results may wait as tasks run, so that a slow task does not hold up the others.
		while (!stopped && inFlight < concurrency && pending.length < concurrency * 2) {
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
