import { cancelSignal, orCancelled, wait } from '../../../../nodes/shared/http';

const forEver = async () => await new Promise<never>(() => {});

describe('orCancelled', () => {
	test('settles like its work, with or without a signal', async () => {
		for (const signal of [undefined, new AbortController().signal]) {
			expect(await orCancelled(Promise.resolve('done'), signal)).toBe('done');
			await expect(orCancelled(Promise.reject(new Error('failed')), signal)).rejects.toThrow('failed');
		}
	});

	test('rejects immediately when the execution is stopped or has been stopped before', async () => {
		const stop = new AbortController();
		const running = orCancelled(forEver(), stop.signal);
		stop.abort(new Error('stopped'));
		await expect(running).rejects.toThrow('stopped');
		await expect(orCancelled(forEver(), stop.signal)).rejects.toThrow('stopped');
	});

	test('removes its listener, so that listeners do not pile up in a long execution', async () => {
		const { signal } = new AbortController();
		const added = jest.spyOn(signal, 'addEventListener');
		const removed = jest.spyOn(signal, 'removeEventListener');
		await orCancelled(Promise.resolve(), signal);
		expect(added).toHaveBeenCalledTimes(1);
		expect(removed).toHaveBeenCalledWith('abort', added.mock.calls[0][1]);
	});
});

test('wait lasts as long as asked', async () => {
	const start = performance.now();
	await wait(30);
	expect(performance.now() - start).toBeGreaterThanOrEqual(29);
});

test('cancelSignal is undefined where n8n cannot stop an execution', () => {
	const { signal } = new AbortController();
	expect(cancelSignal({})).toBeUndefined();
	expect(cancelSignal({ getExecutionCancelSignal: () => signal })).toBe(signal);
});
