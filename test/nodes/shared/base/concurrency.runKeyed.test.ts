import fc from 'fast-check';
import { runKeyed } from '../../../../nodes/shared/base/concurrency';

interface Input {
	index: number;
	key: string;
	/** How many turns of the event loop the task takes. */
	turns: number;
	fails?: boolean;
}

const anyInputs = fc
	.array(fc.record({ key: fc.constantFrom(...'abcdef'), turns: fc.nat(5), fails: fc.boolean() }), {
		maxLength: 40,
	})
	.map((inputs) => inputs.map((input, index) => ({ ...input, index })));
const anyConcurrency = fc.integer({ min: 1, max: 8 });

/** Runs tasks that take their turns, and records what happened. */
async function run(inputs: Input[], concurrency: number) {
	const busy = new Set<string>();
	const [started, ended]: number[][] = [[], []];
	let [highest, hasFailed, startedLate] = [0, false, false];
	const error = await runKeyed(inputs, { concurrency, keyOf: ({ key }) => key }, async (input) => {
		const { index, key, turns, fails } = input;
		expect(busy.has(key)).toBe(false);
		busy.add(key);
		highest = Math.max(highest, busy.size);
		started.push(index);
		startedLate ||= hasFailed;
		for (let turn = 0; turn < turns; turn++) await new Promise(setImmediate);
		busy.delete(key);
		ended.push(index);
		if (!fails) return;
		// The workers see a failure when the promise settles, not when the task throws.
		setImmediate(() => (hasFailed = true));
		throw new Error(String(index));
	}).catch(({ message }: Error) => message);
	return { error, started, ended, highest, startedLate, inFlight: busy.size };
}

test('runs every input once within the concurrency, and inputs with the same key in order, one at a time', async () => {
	await fc.assert(
		fc.asyncProperty(anyInputs, anyConcurrency, async (given, concurrency) => {
			const inputs = given.map((input) => ({ ...input, fails: false }));
			const { started, highest } = await run(inputs, concurrency);
			const byKey = (indexes: number[]) =>
				[...'abcdef'].map((key) => indexes.filter((index) => inputs[index].key === key));
			expect(byKey(started)).toEqual(byKey(inputs.map(({ index }) => index)));
			expect(highest).toBeLessThanOrEqual(concurrency);
		}),
	);
});

test('makes only inputs of the same key wait, and works on as many others as allowed', async () => {
	const inputs = [...'aaabc'].map((key, index) => ({ index, key, turns: key === 'a' ? 9 : 0 }));
	expect(await run(inputs, 2)).toMatchObject({ ended: [3, 4, 0, 1, 2], highest: 2 });
	const free = [...'abcdef'].map((key, index) => ({ index, key, turns: 3 }));
	expect(await run(free, 4)).toMatchObject({ highest: 4 });
});

test('after a failure, starts no more tasks, awaits running ones, and throws the first failure', async () => {
	await fc.assert(
		fc.asyncProperty(anyInputs, anyConcurrency, async (inputs, concurrency) => {
			const { error, ended, ...rest } = await run(inputs, concurrency);
			expect(rest).toMatchObject({ inFlight: 0, startedLate: false });
			expect(error).toBe(ended.find((index) => inputs[index].fails)?.toString());
		}),
	);
});
