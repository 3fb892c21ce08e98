export const hour = 3_600_000;

const real = [
	'hrtime',
	'nextTick',
	'performance',
	'queueMicrotask',
	'setImmediate',
	'clearImmediate',
	'setInterval',
	'clearInterval',
	'setTimeout',
	'clearTimeout',
] as const;

/** Sets the clock of the test and its sandbox. Timers and sockets stay real. */
export function itIs(time: number): void {
	jest.useFakeTimers({ now: time, doNotFake: [...real] });
}

export const realTime = () => void jest.useRealTimers();
