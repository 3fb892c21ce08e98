/** How the inputs are spread over lanes. */
export interface KeyedLanes<In> {
	/** Tasks under way at once; at least 1. */
	concurrency: number;
	/** Inputs with the same key run one after another, in input order; different keys side by side. */
	keyOf: (input: In) => string;
}

/**
 * Runs a task for each input on a bounded number of lanes. Inputs start in input order, except that one whose
 * key is still busy waits for its predecessor while later ones go ahead.
 *
 * @throws what the first failing task threw, in input order; nothing further is started then, and what is under way is awaited
 */
export async function runKeyedLanes<In>(
	inputs: readonly In[],
	{ concurrency, keyOf }: KeyedLanes<In>,
	task: (input: In, index: number) => Promise<void>,
): Promise<void> {
	const failures: Array<{ index: number; reason: unknown }> = [];
	/** Busy keys, each with the positions that wait for it. */
	const waiting = new Map<string, number[]>();
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

	/** The next one of the same key, which is older than anything new; else the key is free again. */
	const takeFollowing = (index: number): number | undefined => {
		const key = keyOf(inputs[index]);
		const following = waiting.get(key)?.shift();
		if (following === undefined) waiting.delete(key);
		return following;
	};

	const runLane = async (): Promise<void> => {
		for (let index = takeNew(); index !== undefined; index = takeFollowing(index) ?? takeNew()) {
			if (failures.length > 0) return;
			try {
				await task(inputs[index], index);
			} catch (reason) {
				failures.push({ index, reason });
			}
		}
	};

	const lanes = Math.max(1, Math.min(concurrency, inputs.length));
	await Promise.all(Array.from({ length: lanes }, runLane));
	if (failures.length > 0) throw failures.reduce((a, b) => (b.index < a.index ? b : a)).reason;
}
