import { PacedGate } from '../../../nodes/shared/concurrency/pacedGate';

jest.useFakeTimers();

/** Lets `count` lanes pass and returns when each did, in milliseconds from the start. */
async function passTimes(gate: PacedGate, count: number): Promise<number[]> {
	const start = Date.now();
	const times: number[] = [];
	const lanes = Array.from({ length: count }, async () => {
		await gate.pass();
		times.push(Date.now() - start);
	});
	await jest.runAllTimersAsync();
	await Promise.all(lanes);
	return times;
}

describe('PacedGate', () => {
	test('lets everybody through at once without a cap', async () => {
		expect(await passTimes(new PacedGate(), 50)).toEqual(Array(50).fill(0));
	});

	test('spaces requests out to the cap', async () => {
		expect(await passTimes(new PacedGate(20), 5)).toEqual([0, 50, 100, 150, 200]);
	});

	test('an idle while does not save up requests', async () => {
		const gate = new PacedGate(10);
		await passTimes(gate, 1);
		await jest.advanceTimersByTimeAsync(5000);
		expect(await passTimes(gate, 3)).toEqual([0, 100, 200]);
	});

	test('a 429 holds up every lane, then lets them go one by one, faster and faster', async () => {
		const gate = new PacedGate();
		gate.close(1000);
		gate.close(400);
		const times = await passTimes(gate, 200);
		expect(times[0]).toBe(1000);
		const gaps = times.slice(1).map((time, index) => time - times[index]);
		expect(Math.max(...gaps.slice(0, 3))).toBeLessThanOrEqual(26);
		expect(Math.min(...gaps.slice(0, 3))).toBeGreaterThanOrEqual(23);
		expect(gaps.at(-1)).toBe(0);
	});

	test('several answers of one burst slow the pace once; a 429 after the pause slows it again', async () => {
		const gate = new PacedGate();
		for (let lane = 0; lane < 10; lane++) gate.close(100);
		expect(await passTimes(gate, 2)).toEqual([100, 125]);
		gate.close(100);
		const [first, second] = await passTimes(gate, 2);
		expect(second - first).toBeGreaterThan(40);
	});
});
