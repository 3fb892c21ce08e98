import type { IDataObject } from 'n8n-workflow';
import {
	backoffMs,
	isTransientCode,
	mayHaveArrived,
	networkCode,
	pauseIn,
} from '../../../../nodes/shared/http/policy';
import { failed } from './scriptedService';

test('the backoff has jitter between three quarters and all of it', () => {
	const drawing = (drawn: number) => (
		jest.spyOn(Math, 'random').mockReturnValue(drawn),
		[1, 2, 7, 40].map(backoffMs)
	);
	expect([0, 0.5, 1].map(drawing)).toEqual([
		[375, 750, 22_500, 22_500],
		[438, 875, 26_250, 26_250],
		[500, 1000, 30_000, 30_000],
	]);
});

describe('The pause of a Retry-After header', () => {
	const pauseOf = (header: unknown, date?: string) => pauseIn({ 'retry-after': header, date } as IDataObject);

	test("lasts until an HTTP date on the service's own clock, and never ends in the past", () => {
		const sent = 'Sun, 01 Mar 2026 12:00:00 GMT';
		expect(pauseOf('Sun, 01 Mar 2026 12:00:45 GMT', sent)).toBe(45_000);
		expect(pauseOf('Tue, 03 Mar 2026 12:00:00 GMT', sent)).toBe(172_800_000);
		expect(pauseOf('Sun, 01 Mar 2026 11:59:59 GMT', sent)).toBe(0);
		expect(pauseOf(' 45 ', sent)).toBe(45_000);
	});

	test('counts from our own clock without a date of the response; the first of several headers counts', () => {
		jest.spyOn(Date, 'now').mockReturnValue(Date.parse('2026-03-01T12:00:00Z'));
		expect(pauseOf('Sun, 01 Mar 2026 12:00:45 GMT')).toBe(45_000);
		expect(pauseOf(['3', '9'])).toBe(3000);
		expect(pauseOf('5.5')).toBe(5500);
	});

	test('is read from seconds and milliseconds since 1970, too, and ignored above a day', () => {
		const now = Date.parse('2026-03-01T12:00:00Z');
		jest.spyOn(Date, 'now').mockReturnValue(now);
		const until = [now + 45_000, now - 45_000, now + 90_000_000];
		expect(until.map((time) => pauseOf(String(time)))).toEqual([45_000, 0, undefined]);
		expect(until.map((time) => pauseOf(String(time / 1000)))).toEqual([45_000, 0, undefined]);
		expect(['86400', '86401'].map((header) => pauseOf(header))).toEqual([86_400_000, undefined]);
	});

	test.each([
		...[undefined, null, {}, [], '', 'soon', '-5', '1.5.2', '1e3', '2s', '2026-03-01', 'Sun, some day'],
		'next Sun, 01 Mar 2026 12:00:00 GMT',
	])('is absent for %p', (header) => expect(pauseOf(header)).toBeUndefined());
});

const wrapped = (cause: unknown, code?: string) => Object.assign(new Error('wrapped', { cause }), { code });

test('networkCode reads the outermost system code of five errors at most, and nothing else', () => {
	const deep = wrapped(wrapped(wrapped(wrapped(failed('EPIPE')))));
	const known = [failed('ERR_HTTP2_STREAM_CANCEL'), wrapped(failed('EPIPE'), 'ECONNRESET'), deep];
	expect(known.map(networkCode)).toEqual(['ERR_HTTP2_STREAM_CANCEL', 'ECONNRESET', 'EPIPE']);
	const circle = new Error('circle');
	circle.cause = circle;
	const codes = [undefined, null, 7, '', ['EPIPE'], '404', 'epipe', ' EPIPE', 'EPIPE at 10.0.0.1', 'E'];
	const others = [...codes.map((code) => failed(code as string)), undefined, null, 'text', 0, circle];
	expect([...others, wrapped(deep)].filter((error) => networkCode(error) !== undefined)).toEqual([]);
});

test.each([
	[false, true, 'ECONNREFUSED EHOSTUNREACH ENETUNREACH EADDRNOTAVAIL ENOTFOUND EAI_AGAIN'],
	[true, true, 'ECONNRESET ECONNABORTED ETIMEDOUT EPIPE ERR_BAD_RESPONSE ERR_STREAM_PREMATURE_CLOSE'],
	[true, false, 'X_ECONNREFUSED ENOTFOUND_X Z_DATA_ERROR CERT_HAS_EXPIRED'],
])('a request may have arrived: %p, and is repeated: %p, if it fails with %s', (arrived, repeated, codes) => {
	for (const code of codes.split(' ')) {
		expect([code, mayHaveArrived(wrapped(failed(code)))]).toEqual([code, arrived]);
		expect([code, isTransientCode(code)]).toEqual([code, repeated]);
	}
	expect([mayHaveArrived(failed()), isTransientCode()]).toEqual([true, false]);
});
