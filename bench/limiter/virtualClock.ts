import { install } from '@sinonjs/fake-timers';
import { Random } from '../../sandbox/data/random';

/**
 * Runs a task on a clock that jumps from timer to timer, so that hours pass in milliseconds, with a seeded `Math.random`.
 */
export async function onVirtualClock<T>(seed: number, task: () => Promise<T>): Promise<T> {
	const { random } = Math;
	const seeded = new Random(seed);
	const clock = install({ toFake: ['setTimeout', 'clearTimeout', 'performance', 'Date'] });
	Math.random = () => seeded.next();
	try {
		let isDone = false;
		const done = task().finally(() => (isDone = true));
		done.catch(() => {});
		while (!isDone) {
			// Lets all promises settle before the clock moves on.
			await new Promise((resolve) => setImmediate(resolve));
			if (isDone) break;
			if (clock.countTimers() === 0)
				throw new Error('Nothing is left to wait for, and the task is not done.');
			clock.next();
		}
		return await done;
	} finally {
		clock.uninstall();
		Math.random = random;
	}
}
