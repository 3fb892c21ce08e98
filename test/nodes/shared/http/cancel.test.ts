import { orAborted } from '../../../../nodes/shared/http';

const forEver = async () => await new Promise<never>(() => {});

describe('orAborted', () => {
	test('settles like its work', async () => {
		const { signal } = new AbortController();
		expect(await orAborted(Promise.resolve('done'), signal)).toBe('done');
		await expect(orAborted(Promise.reject(new Error('failed')), signal)).rejects.toThrow('failed');
	});

	test('rejects immediately when the execution is stopped or has been stopped before', async () => {
		const stop = new AbortController();
		const running = orAborted(forEver(), stop.signal);
		stop.abort(new Error('stopped'));
		await expect(running).rejects.toThrow('stopped');
		await expect(orAborted(forEver(), stop.signal)).rejects.toThrow('stopped');
	});

	test('adds one listener for all that wait, because Node warns of more than ten', async () => {
		const stop = new AbortController();
		const added = jest.spyOn(stop.signal, 'addEventListener');
		const running = Array.from({ length: 20 }, async () => await orAborted(forEver(), stop.signal));
		const ended = Promise.allSettled(running);
		stop.abort(new Error('stopped'));
		expect(new Set((await ended).map(({ status }) => status))).toEqual(new Set(['rejected']));
		expect(added).toHaveBeenCalledTimes(1);
	});
});
