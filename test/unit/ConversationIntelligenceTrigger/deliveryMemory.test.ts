import { DeliveryMemory } from '../../../nodes/ConversationIntelligenceTrigger/deliveryMemory';

const LIMITS = { entries: 3, milliseconds: 1000 };

async function accept(memory: DeliveryMemory, key: string): Promise<boolean> {
	const turn = await memory.begin(key);
	turn?.end(true);
	return turn !== undefined;
}

/** The keys that take up memory. */
const keys = (memory: DeliveryMemory) => [
	...(memory as unknown as { accepted: Map<string, number> }).accepted.keys(),
];
const held = (memory: DeliveryMemory) => keys(memory).length;

describe('DeliveryMemory', () => {
	test('recognizes a repeat of an accepted delivery', async () => {
		const memory = new DeliveryMemory(LIMITS);
		expect(await accept(memory, 'a')).toBe(true);
		expect(await memory.begin('a')).toBeUndefined();
		expect(await accept(memory, 'b')).toBe(true);
	});

	test('does not remember a delivery that was not acknowledged', async () => {
		const memory = new DeliveryMemory(LIMITS);
		(await memory.begin('a'))?.end(false);
		expect(await accept(memory, 'a')).toBe(true);
	});

	test('makes copies wait for the first, and treats them as repeats once it is accepted', async () => {
		const memory = new DeliveryMemory(LIMITS);
		const first = await memory.begin('a');
		const copies = [memory.begin('a'), memory.begin('a'), memory.begin('a')];
		first?.end(true);
		expect(await Promise.all(copies)).toEqual([undefined, undefined, undefined]);
	});

	test('lets exactly one copy through when the first is not accepted', async () => {
		const memory = new DeliveryMemory(LIMITS);
		const first = await memory.begin('a');
		const through: string[] = [];
		const copies = ['one', 'two', 'three'].map(async (name) => {
			const turn = await memory.begin('a');
			if (turn) through.push(name);
			turn?.end(true);
		});
		first?.end(false);
		await Promise.all(copies);
		expect(through).toHaveLength(1);
	});

	test('ignores a second call of end()', async () => {
		const memory = new DeliveryMemory(LIMITS);
		const first = await memory.begin('a');
		first?.end(false);
		const second = await memory.begin('a');
		first?.end(true);
		const third = memory.begin('a');
		second?.end(false);
		expect(await third).toBeDefined();
	});

	test('forgets the oldest delivery once it is full', async () => {
		const memory = new DeliveryMemory(LIMITS);
		for (const key of ['a', 'b', 'c', 'd']) await accept(memory, key);
		expect(held(memory)).toBe(3);
		expect(await accept(memory, 'a')).toBe(true);
		expect(await memory.begin('d')).toBeUndefined();
	});

	test('forgets a delivery after the configured time', async () => {
		let now = 0;
		const memory = new DeliveryMemory(LIMITS, () => now);
		await accept(memory, 'a');
		now = 999;
		expect(await memory.begin('a')).toBeUndefined();
		now = 1000;
		expect(await accept(memory, 'b')).toBe(true);
		expect(held(memory)).toBe(1);
		expect(await accept(memory, 'a')).toBe(true);
	});

	test('lets a repeat through once the configured time has passed, also when nothing else arrived', async () => {
		let now = 0;
		const memory = new DeliveryMemory(LIMITS, () => now);
		await accept(memory, 'a');
		now = 1000;
		expect(await accept(memory, 'a')).toBe(true);
	});

	test('keeps only a few bytes per delivery, however long its identifier is', async () => {
		const memory = new DeliveryMemory(LIMITS);
		const long = 'x'.repeat(1_000_000);
		expect(await accept(memory, `${long}1`)).toBe(true);
		expect(await accept(memory, `${long}2`)).toBe(true);
		expect(await accept(memory, `${long}1`)).toBe(false);
		expect(Math.max(...keys(memory).map(({ length }) => length))).toBeLessThan(100);
	});
});
