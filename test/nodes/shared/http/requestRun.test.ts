import { getEventListeners } from 'node:events';
import { orAborted, requestRun, stopRequests } from '../../../../nodes/shared/http/requestRun';

// What a run sends, repeats and gives up: request.test.ts.

/** A node's context in an execution that this signal stops. */
const contextOf = (signal: AbortSignal) => ({ getExecutionCancelSignal: () => signal });

test('a run adds no listener to its execution, which would keep the run of each round of a loop until its end', () => {
	const { signal } = new AbortController();
	for (let round = 1; round <= 11; round++) requestRun(contextOf(signal));
	expect(getEventListeners(signal, 'abort')).toHaveLength(0);
});

test('an execution has one run for each host, which end together when an item fails, but not for another node', () => {
	const { signal } = new AbortController();
	const [one, other] = [contextOf(signal), contextOf(signal)];
	const hosts = [requestRun(one, 'service'), requestRun(one, 'media')];
	stopRequests(one);
	expect(hosts.map((run) => run.signal.aborted)).toEqual([true, true]);
	expect(requestRun(other).signal.aborted).toBe(false);
	expect(requestRun(one)).toBe(hosts[0]);
	expect(requestRun(one, 'media')).toBe(hosts[1]);
	expect(hosts[0]).not.toBe(hosts[1]);
});

describe('orAborted', () => {
	test('settles like its work, and then leaves nothing behind that would keep its result until the end', async () => {
		const stop = new AbortController();
		const asked = jest.spyOn(stop.signal, 'reason', 'get');
		expect(await orAborted(Promise.resolve('done'), stop.signal)).toBe('done');
		await expect(orAborted(Promise.reject(new Error('failed')), stop.signal)).rejects.toThrow('failed');
		stop.abort();
		expect(asked).not.toHaveBeenCalled();
	});

	test('rejects at once when the execution is stopped or has been before, all with one listener', async () => {
		const [stop, stopped] = [new AbortController(), new Error('stopped')];
		const work = async () => await orAborted(new Promise<never>(() => {}), stop.signal);
		const running = Array.from({ length: 20 }, work);
		// Node warns of more than ten.
		expect(getEventListeners(stop.signal, 'abort')).toHaveLength(1);
		stop.abort(stopped);
		const ended = await Promise.allSettled([...running, work()]);
		expect(ended).toEqual(Array(21).fill({ status: 'rejected', reason: stopped }));
	});
});
