/**
 * Runs a task for each input, a bounded number concurrently. Inputs start in input order, but one whose key is busy waits
 * while later ones go ahead.
 *
 * @param inputs read one by one, no faster than tasks start
 * @param concurrency most tasks running concurrently, at least 1
 * @param keyOf inputs with the same key run one after another, in input order
 * @throws what reading the inputs throws, or the first failing task in input order; then no other task starts, and running
 *   ones are awaited
 */
export async function runKeyed<In>(
	inputs: Iterable<In> | AsyncIterable<In>,
	{ concurrency, keyOf }: { concurrency: number; keyOf: (input: In) => string | number },
	task: (input: In, index: number) => Promise<void>,
): Promise<void> {
	const failures: Array<{ index: number; reason: unknown }> = [];
	/** Busy keys, each with the inputs that wait for it. */
	const queues = new Map<string | number, Array<{ input: In; index: number }>>();
	const workers = new Set<Promise<void>>();
	let index = 0;
	let workerEnds = (): void => {};

	/** Runs an input and then those that wait for its key. */
	const work = async (key: string | number, first: { input: In; index: number }): Promise<void> => {
		const queue = [first];
		queues.set(key, queue);
		for (let next = queue.shift(); next && failures.length === 0; next = queue.shift()) {
			try {
				await task(next.input, next.index);
			} catch (reason) {
				failures.push({ index: next.index, reason });
			}
		}
		queues.delete(key);
	};

	try {
		for await (const input of inputs) {
			if (failures.length > 0) break;
			const [key, next] = [keyOf(input), { input, index: index++ }];
			const queue = queues.get(key);
			if (queue) {
				queue.push(next);
				continue;
			}
			const worker = work(key, next).then(() => {
				workers.delete(worker);
				workerEnds();
			});
			workers.add(worker);
			if (workers.size < concurrency) continue;
			await new Promise<void>((resolve) => {
				workerEnds = resolve;
			});
		}
	} finally {
		await Promise.all(workers);
	}
	if (failures.length > 0) throw failures.sort((a, b) => a.index - b.index)[0].reason;
}
