import { getEventListeners } from 'node:events';
import { orAborted } from '../../../../nodes/shared/http/requestRun';

const forEver = async () => await new Promise<never>(() => {});

describe('orAborted', () => {
	test('settles like its work, and then leaves nothing behind that would keep its result until the end', async () => {
		const stop = new AbortController();
		const asked = jest.spyOn(stop.signal, 'reason', 'get');
		expect(await orAborted(Promise.resolve('done'), stop.signal)).toBe('done');
		await expect(orAborted(Promise.reject(new Error('failed')), stop.signal)).rejects.toThrow('failed');
		stop.abort();
		expect(asked).not.toHaveBeenCalled();
	});

	test('rejects immediately when the execution is stopped or has been stopped before', async () => {
		const stop = new AbortController();
		const running = Array.from({ length: 20 }, async () => await orAborted(forEver(), stop.signal));
		// One for all, because Node warns of more than ten.
		expect(getEventListeners(stop.signal, 'abort')).toHaveLength(1);
		stop.abort(new Error('stopped'));
		const ended = await Promise.allSettled([...running, orAborted(forEver(), stop.signal)]);
		expect(ended).toEqual(Array(21).fill({ status: 'rejected', reason: new Error('stopped') }));
	});
});
