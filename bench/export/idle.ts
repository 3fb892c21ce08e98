import { setTimeout as delay } from 'node:timers/promises';
import { memoryOf } from '../../harness/processes/memory';

/** How long memory must not shrink to count as settled, and the longest wait, in seconds. */
const SETTLED = { for: 15, within: 120 };

/** Waits until a process has released the memory of its last work. */
export async function untilIdle(pid: number): Promise<void> {
	let min = Infinity;
	for (let second = 0, steady = 0; second < SETTLED.within && steady < SETTLED.for; second++) {
		await delay(1000);
		const now = memoryOf(pid).residentMB;
		steady = now > min - 2 ? steady + 1 : 0;
		min = Math.min(min, now);
	}
}
