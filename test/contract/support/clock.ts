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

/** Moves the clock of the test and of its own sandbox to a time; timers and sockets stay real. */
export function itIs(time: number): void {
	jest.useFakeTimers({ now: time, doNotFake: [...real] });
}

export const realTime = () => void jest.useRealTimers();
