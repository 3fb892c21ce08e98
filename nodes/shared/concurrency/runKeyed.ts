/**
 * Runs a task for each input, a bounded number concurrently, and the inputs of one key one after another, in input order.
 * @param concurrency maximum tasks running concurrently
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
