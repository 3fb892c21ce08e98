import { getEventListeners } from 'node:events';
import { PassThrough } from 'node:stream';
import { guarded } from '../../../../nodes/ConversationIntelligence/downloads/mediaBody';
import { failed } from '../../shared/http/scriptedService';

const STALLED_AFTER_MS = 1000;
const NOW = Date.parse('2026-03-01T12:00:00Z');

describe('A guarded body', () => {
	beforeEach(() => jest.spyOn(Date, 'now').mockReturnValue(NOW));

	/** A body whose first chunk was read. */
	async function started(signal?: AbortSignal) {
		const body = new PassThrough();
		const broken = jest.fn();
		const bytes = guarded(body, STALLED_AFTER_MS, broken, signal);
		body.write('a');
		expect(String((await bytes.next()).value)).toBe('a');
		return { body, bytes, broken };
	}

	test('passes on every byte and leaves nothing behind', async () => {
		const { signal } = new AbortController();
		const { body, bytes } = await started(signal);
		body.end('b');

		expect(String((await bytes.next()).value)).toBe('b');
		expect((await bytes.next()).done).toBe(true);
		expect(getEventListeners(signal, 'abort')).toEqual([]);
	});

	test('ends while it waits for bytes when the execution is stopped', async () => {
		const stop = new AbortController();
		const { body, bytes } = await started(stop.signal);
		const next = bytes.next();
		stop.abort(new Error('stopped'));

		await expect(next).rejects.toBe(stop.signal.reason);
		expect(body.destroyed).toBe(true);
		expect(getEventListeners(stop.signal, 'abort')).toEqual([]);
	});

	test('is closed unread when the execution was stopped before', async () => {
		const body = new PassThrough();
		const bytes = guarded(body, STALLED_AFTER_MS, () => {}, AbortSignal.abort(new Error('stopped')));

		await expect(bytes.next()).rejects.toThrow('stopped');
		expect(body.destroyed).toBe(true);
	});

	test.each([
		[900, 'stays', { message: 'failed', code: 'ECONNRESET' }],
		[901, 'says so', { message: 'The transfer made no progress', code: 'ESTALLED' }],
	])(
		'that breaks after a pause of %d of 1,000 milliseconds: the error %s',
		async (pause, _what, expected) => {
			const { body, bytes } = await started();
			const next = bytes.next();
			jest.mocked(Date.now).mockReturnValue(NOW + pause);
			body.destroy(failed('ECONNRESET'));

			await expect(next).rejects.toMatchObject(expected);
		},
	);

	test('counts the pause from the latest bytes', async () => {
		const { body, bytes } = await started();
		jest.mocked(Date.now).mockReturnValue(NOW + 5000);
		body.write('b');
		await bytes.next();
		const next = bytes.next();
		body.destroy(failed('ECONNRESET'));

		await expect(next).rejects.toMatchObject({ code: 'ECONNRESET' });
	});
});
