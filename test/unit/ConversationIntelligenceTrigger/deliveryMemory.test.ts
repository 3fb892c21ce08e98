import { DeliveryMemory } from '../../../nodes/ConversationIntelligenceTrigger/deliveryMemory';

let now: number;
let memory: DeliveryMemory;
beforeEach(() => {
	now = 0;
	memory = new DeliveryMemory(3, () => now);
});

/** Whether a delivery goes through; if so, it is acknowledged. */
async function accept(name: string): Promise<boolean> {
	const permit = await memory.acquire(name, 1000);
	permit?.release(true);
	return permit !== undefined;
}

/** The keys that take up memory. */
const keys = () => [...(memory as unknown as { accepted: Map<string, number> }).accepted.keys()];

test('frees the memory of a delivery after its time', async () => {
	await accept('a');
	now = 1000;
	expect(await accept('b')).toBe(true);
	expect(keys()).toHaveLength(1);
});

test('remembers a repeat again, because a copy of it passes for longer than one of the first', async () => {
	await accept('a');
	for (now of [900, 1899]) expect(await accept('a')).toBe(false);
	now = 2899;
	expect(await accept('a')).toBe(true);
});

test('keeps only a few bytes per delivery, however long its name is', async () => {
	const long = 'x'.repeat(1_000_000);
	expect(await accept(`${long}1`)).toBe(true);
	expect(await accept(`${long}2`)).toBe(true);
	expect(await accept(`${long}1`)).toBe(false);
	expect(Math.max(...keys().map(({ length }) => length))).toBeLessThan(100);
});
