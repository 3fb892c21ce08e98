/**
 * Runs a task for each input, at most `concurrency` at a time, and yields the results in input order.
 * Not more than `concurrency` results wait to be taken, so memory stays flat however many inputs there are.
 *
 * @param inputs taken lazily, one per free lane
 * @param concurrency at least 1
 * @param task called with each input and its position
 * @throws what the first failing task threw, in input order; later inputs are not started, those under way are awaited
 */
export async function* mapOrdered<In, Out>(
	inputs: Iterable<In>,
	concurrency: number,
	task: (input: In, index: number) => Promise<Out>,
): AsyncGenerator<Out> {
	const underWay: Array<Promise<Out>> = [];
	const iterator = inputs[Symbol.iterator]();
	let started = 0;
	let failed = false;

	const startNext = (): boolean => {
		if (failed) return false;
		const next = iterator.next();
		if (next.done) return false;
		const running = task(next.value, started++);
		// Marks the failure at once, so that no further input starts; the consumer still meets it in order.
		running.catch(() => (failed = true));
		underWay.push(running);
		return true;
	};

	try {
		while (underWay.length < Math.max(1, concurrency) && startNext());
		for (let head = underWay.shift(); head !== undefined; head = underWay.shift()) {
			const result = await head;
			startNext();
			yield result;
		}
	} finally {
		failed = true;
		await Promise.allSettled(underWay);
	}
}
