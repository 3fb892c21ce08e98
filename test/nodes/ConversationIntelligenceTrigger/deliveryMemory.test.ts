import { DeliveryMemory } from '../../../nodes/ConversationIntelligenceTrigger/deliveryMemory';

let now: number;
let memory: DeliveryMemory;
beforeEach(() => {
	now = 0;
	memory = new DeliveryMemory(3, () => now);
});

/** Whether a delivery goes through; if so, it is acknowledged. */
async function accept(content: string, node = 'node'): Promise<boolean> {
	const permit = await memory.acquire(node, content, 1000);
	permit?.release(true);
	return permit !== undefined;
}

/** The keys that take up memory. */
const keys = () =>
	[...(memory as unknown as { accepted: Map<string, Map<string, number>> }).accepted.values()].flatMap(
		(entries) => [...entries.keys()],
	);

test('frees the memory of a delivery after its time, of another trigger too', async () => {
	await accept('a');
	await accept('a', 'other');
	now = 1000;
	expect(await accept('b')).toBe(true);
	expect(keys()).toHaveLength(1);
});

test('the trigger with the most forgets its oldest, so that a busy one makes no other forget', async () => {
	await accept('quiet', 'other');
	for (const content of ['1', '2', '3', '4', '5']) await accept(content, 'busy');
	expect(keys()).toHaveLength(3);
	expect(await accept('quiet', 'other')).toBe(false);
	expect([await accept('5', 'busy'), await accept('4', 'busy')]).toEqual([false, false]);
	expect(await accept('3', 'busy')).toBe(true);
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
