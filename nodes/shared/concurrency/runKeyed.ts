/**
 * Runs a task for each input, a bounded number concurrently. Inputs start in input order, but one whose key is busy waits
 * while later ones go ahead.
 *
 * @param concurrency most tasks running concurrently, at least 1
 * @param keyOf inputs with the same key run one after another, in input order
 * @throws what the first failing task threw, in input order; then no other task starts, and running ones are awaited
 */
export async function runKeyed<In>(
	inputs: readonly In[],
	{ concurrency, keyOf }: { concurrency: number; keyOf: (input: In) => string | number },
	task: (input: In, index: number) => Promise<void>,
): Promise<void> {
	const failures: Array<{ index: number; reason: unknown }> = [];
	/** Busy keys, each with the positions that wait for it. */
	const waiting = new Map<string | number, number[]>();
	let cursor = 0;

	const takeNew = (): number | undefined => {
		for (; cursor < inputs.length; cursor++) {
			const queue = waiting.get(keyOf(inputs[cursor]));
			if (queue === undefined) {
				waiting.set(keyOf(inputs[cursor]), []);
				return cursor++;
			}
			queue.push(cursor);
		}
		return undefined;
	};

	/** Next queued input for this key; frees the key when none is left. */
	const takeFollowing = (index: number): number | undefined => {
		const key = keyOf(inputs[index]);
		const following = waiting.get(key)!.shift();
		if (following === undefined) waiting.delete(key);
		return following;
	};

	const work = async (): Promise<void> => {
		for (let index = takeNew(); index !== undefined; index = takeFollowing(index) ?? takeNew()) {
			if (failures.length > 0) return;
			try {
				await task(inputs[index], index);
			} catch (reason) {
				failures.push({ index, reason });
			}
		}
	};

	const workers = Math.max(1, Math.min(concurrency, inputs.length));
	await Promise.all(Array.from({ length: workers }, work));
	if (failures.length > 0) throw failures.sort((a, b) => a.index - b.index)[0].reason;
}
