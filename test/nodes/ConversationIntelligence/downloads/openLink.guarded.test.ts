import { PassThrough } from 'node:stream';
import { guarded } from '../../../../nodes/ConversationIntelligence/downloads/openLink';
import { failed } from '../../shared/http/scriptedService';

const STALLED_AFTER_MS = 1000;
const NOW = Date.parse('2026-03-01T12:00:00Z');

describe('A guarded body', () => {
	/** The timers that were set. */
	const timers: Array<{ ms: number; fire: () => Promise<void> }> = [];

	beforeEach(() => {
		timers.length = 0;
		jest.spyOn(Date, 'now').mockReturnValue(NOW);
		jest.spyOn(AbortSignal, 'timeout').mockImplementation((ms) => {
			const timer = new AbortController();
			const fire = async () => (timer.abort(), await new Promise<void>((resolve) => setImmediate(resolve)));
			timers.push({ ms, fire });
			return timer.signal;
		});
	});

	/** A body whose first chunk was read. */
	async function started() {
		const body = new PassThrough();
		const broken = jest.fn();
		const close = jest.fn(() => void body.destroy(failed('ERR_CANCELED')));
		const bytes = guarded({ body, close }, STALLED_AFTER_MS, broken);
		body.write('a');
		expect(String((await bytes.next()).value)).toBe('a');
		return { body, bytes, broken, close };
	}

	test('passes on every byte and closes its connection', async () => {
		const { body, bytes, close } = await started();
		body.end('b');

		expect(String((await bytes.next()).value)).toBe('b');
		expect((await bytes.next()).done).toBe(true);
		expect(close).toHaveBeenCalledTimes(1);
	});

	const STALLED = { message: 'The transfer made no progress', code: 'ESTALLED' };

	test('is broken when bytes do not come for the time limit', async () => {
		const { bytes, broken, close } = await started();
		jest.mocked(Date.now).mockReturnValue(NOW + 400);
		const thrown = bytes.next().catch((error: unknown) => error);
		jest.mocked(Date.now).mockReturnValue(NOW + 1000);
		await timers[0].fire();
		expect(close).not.toHaveBeenCalled();
		jest.mocked(Date.now).mockReturnValue(NOW + 1400);
		await timers[1].fire();

		expect(await thrown).toMatchObject(STALLED);
		expect(broken).toHaveBeenCalledWith(expect.objectContaining(STALLED));
		expect(timers.map(({ ms }) => ms)).toEqual([1000, 400]);
	});

	test('is broken when bytes drip for the time limit, and not while they come at a kilobyte a second', async () => {
		const readAt = async ({ body, bytes }: Awaited<ReturnType<typeof started>>, ms: number, size: number) => {
			const next = bytes.next();
			jest.mocked(Date.now).mockReturnValue(NOW + ms);
			body.write('b'.repeat(size));
			return (await next).value?.length;
		};
		const slow = await started();
		for (const ms of [900, 1800, 2700]) expect(await readAt(slow, ms, 900)).toBe(900);

		const drip = await started();
		jest.mocked(Date.now).mockReturnValue(NOW + 2700);
		for (const ms of [3200, 3600]) expect(await readAt(drip, ms, 1)).toBe(1);
		const thrown = drip.bytes.next().catch((error: unknown) => error);
		jest.mocked(Date.now).mockReturnValue(NOW + 3703);
		await timers.at(-1)!.fire();
		expect(await thrown).toMatchObject(STALLED);
	});

	test('is not broken while its reader is busy for longer', async () => {
		const { body, bytes, close } = await started();
		jest.mocked(Date.now).mockReturnValue(NOW + 5000);
		await timers[0].fire();
		expect(close).not.toHaveBeenCalled();
		body.end('b');

		expect(String((await bytes.next()).value)).toBe('b');
		expect((await bytes.next()).done).toBe(true);
		await timers[1].fire();
		expect(timers.map(({ ms }) => ms)).toEqual([1000, 1000]);
	});
});
