import { getEventListeners } from 'node:events';
import { onVirtualClock } from '../../../../bench/limiter/virtualClock';
import { NotSent, requestRun, RequestRun, stopRequests } from '../../../../nodes/shared/http';

/** A node's context in an execution that this signal stops. */
const contextOf = (signal: AbortSignal) => ({ getExecutionCancelSignal: () => signal });

describe('The run of all requests of a node', () => {
	test('adds no listener to its execution, which would keep the run of each round of a loop until its end', () => {
		const { signal } = new AbortController();
		for (let round = 1; round <= 11; round++) requestRun(contextOf(signal));
		expect(getEventListeners(signal, 'abort')).toHaveLength(0);
	});

	test.each(['before', 'after'])('ends with its execution, which is stopped %s it begins', (when) => {
		const execution = new AbortController();
		const context = contextOf(execution.signal);
		const stop = () => execution.abort(new Error('stopped'));
		if (when === 'before') stop();
		const { signal } = requestRun(context);
		if (when === 'after') stop();
		expect(signal.reason).toEqual(new Error('stopped'));
	});

	test('is given up once the service is down and five requests have failed, not by the retries of four', async () => {
		await onVirtualClock(1, async () => {
			const run = new RequestRun(new AbortController().signal);
			const fail = async (attempt: number) => {
				const release = await run.limiter.acquire();
				run.end(release, attempt, { response: { status: 500, headers: {} } });
				run.giveUpIfHopeless(new Error('down'));
			};
			for (const attempt of [1, 1, 1, 1, ...Array<number>(10).fill(2)]) await fail(attempt);
			expect(run.limiter.acceptsNothing).toBe(true);
			expect(run.signal.aborted).toBe(false);
			await fail(1);
			expect(run.signal.reason).toEqual(new NotSent(new Error('down')));
		});
	});

	test('ends for both hosts when an item fails, but not for another node', () => {
		const { signal } = new AbortController();
		const [one, other] = [contextOf(signal), contextOf(signal)];
		const hosts = [requestRun(one, 'service'), requestRun(one, 'media')];
		stopRequests(one);
		expect(hosts.map((run) => run.signal.aborted)).toEqual([true, true]);
		expect(requestRun(other).signal.aborted).toBe(false);
	});
});
