import { DeliveryMemory } from '../../../nodes/ConversationIntelligenceTrigger/deliveryMemory';

const MAX_ENTRIES = 3;
const LIFETIME_MS = 1000;

async function accept(memory: DeliveryMemory, key: string): Promise<boolean> {
	const permit = await memory.acquire(key, LIFETIME_MS);
	permit?.release(true);
	return permit !== undefined;
}

/** The keys that take up memory. */
const keys = (memory: DeliveryMemory) => [
	...(memory as unknown as { accepted: Map<string, number> }).accepted.keys(),
];
const held = (memory: DeliveryMemory) => keys(memory).length;

describe('DeliveryMemory', () => {
	test('recognizes a repeat of an accepted delivery', async () => {
		const memory = new DeliveryMemory(MAX_ENTRIES);
		expect(await accept(memory, 'a')).toBe(true);
		expect(await memory.acquire('a', LIFETIME_MS)).toBeUndefined();
		expect(await accept(memory, 'b')).toBe(true);
	});

	test('does not remember a delivery that was not acknowledged', async () => {
		const memory = new DeliveryMemory(MAX_ENTRIES);
		(await memory.acquire('a', LIFETIME_MS))?.release(false);
		expect(await accept(memory, 'a')).toBe(true);
	});

	test('makes copies wait for the first, and treats them as repeats once it is accepted', async () => {
		const memory = new DeliveryMemory(MAX_ENTRIES);
		const first = await memory.acquire('a', LIFETIME_MS);
		const copies = [
			memory.acquire('a', LIFETIME_MS),
			memory.acquire('a', LIFETIME_MS),
			memory.acquire('a', LIFETIME_MS),
		];
		first?.release(true);
		expect(await Promise.all(copies)).toEqual([undefined, undefined, undefined]);
	});

	test('lets exactly one copy through when the first is not accepted', async () => {
		const memory = new DeliveryMemory(MAX_ENTRIES);
		const first = await memory.acquire('a', LIFETIME_MS);
		const through: string[] = [];
		const copies = ['one', 'two', 'three'].map(async (name) => {
			const permit = await memory.acquire('a', LIFETIME_MS);
			if (permit) through.push(name);
			permit?.release(true);
		});
		first?.release(false);
		await Promise.all(copies);
		expect(through).toHaveLength(1);
	});

	test('ignores a second call of release()', async () => {
		const memory = new DeliveryMemory(MAX_ENTRIES);
		const first = await memory.acquire('a', LIFETIME_MS);
		first?.release(false);
		const second = await memory.acquire('a', LIFETIME_MS);
		first?.release(true);
		const third = memory.acquire('a', LIFETIME_MS);
		second?.release(false);
		expect(await third).toBeDefined();
	});

	test('forgets the oldest delivery once it is full', async () => {
		const memory = new DeliveryMemory(MAX_ENTRIES);
		for (const key of ['a', 'b', 'c', 'd']) await accept(memory, key);
		expect(held(memory)).toBe(3);
		expect(await accept(memory, 'a')).toBe(true);
		expect(await memory.acquire('d', LIFETIME_MS)).toBeUndefined();
	});

	test('forgets a delivery after the configured time', async () => {
		let now = 0;
		const memory = new DeliveryMemory(MAX_ENTRIES, () => now);
		await accept(memory, 'a');
		now = 1000;
		expect(await accept(memory, 'b')).toBe(true);
		expect(held(memory)).toBe(1);
		expect(await accept(memory, 'a')).toBe(true);
	});

	test('remembers a repeat again, because a copy of it passes for longer than one of the first', async () => {
		let now = 0;
		const memory = new DeliveryMemory(MAX_ENTRIES, () => now);
		await accept(memory, 'a');
		now = 900;
		expect(await accept(memory, 'a')).toBe(false);
		now = 1899;
		expect(await accept(memory, 'a')).toBe(false);
		now = 2899;
		expect(await accept(memory, 'a')).toBe(true);
	});

	test('lets a repeat through once the configured time has passed, also when nothing else arrived', async () => {
		let now = 0;
		const memory = new DeliveryMemory(MAX_ENTRIES, () => now);
		await accept(memory, 'a');
		now = 1000;
		expect(await accept(memory, 'a')).toBe(true);
	});

	test('keeps only a few bytes per delivery, however long its identifier is', async () => {
		const memory = new DeliveryMemory(MAX_ENTRIES);
		const long = 'x'.repeat(1_000_000);
		expect(await accept(memory, `${long}1`)).toBe(true);
		expect(await accept(memory, `${long}2`)).toBe(true);
		expect(await accept(memory, `${long}1`)).toBe(false);
		expect(Math.max(...keys(memory).map(({ length }) => length))).toBeLessThan(100);
	});
});
