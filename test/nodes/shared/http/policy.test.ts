import fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';
import {
	innermost,
	isTransientStatus,
	mayHaveArrived,
	networkCode,
	pauseIn,
} from '../../../../nodes/shared/http/policy';

// D2-RETRY-01..03
test('isTransientStatus is true exactly for 408, 429 and 5xx', () => {
	const transient = Array.from({ length: 900 }, (_, index) => index + 100).filter(isTransientStatus);
	expect(transient).toEqual([408, 429, ...Array.from({ length: 100 }, (_, index) => 500 + index)]);
});

describe('The pause of a Retry-After header', () => {
	const pauseOf = (header: unknown, date?: string) => pauseIn({ 'retry-after': header, date } as IDataObject);

	test('is any number of seconds, even with spaces around it; the first of several headers counts', () => {
		fc.assert(
			fc.property(fc.nat(1_000_000), (seconds) => expect(pauseOf(` ${seconds} `)).toBe(seconds * 1000)),
		);
		expect(pauseOf(['3', '9'])).toBe(3000);
	});

	test("lasts until an HTTP date on the service's own clock, and never ends in the past", () => {
		fc.assert(
			fc.property(fc.integer({ min: -100_000, max: 100_000 }), fc.nat(10 ** 12), (seconds, now) => {
				const [sent, until] = [now, now + seconds * 1000].map((time) => new Date(time).toUTCString());
				expect(pauseOf(until, sent)).toBe(Math.max(0, seconds * 1000));
			}),
		);
	});

	test('counts from our own clock without a date of the response', () => {
		jest.useFakeTimers({ now: Date.parse('2026-03-01T12:00:00Z') });
		expect(pauseOf('Sun, 01 Mar 2026 12:00:45 GMT')).toBe(45_000);
		jest.useRealTimers();
	});

	test.each([
		...[undefined, null, {}, [], '', 'soon', '-5', '1.5', '2s'],
		...['2026-03-01', 'Sun, some day', 'next Sun, 01 Mar 2026 12:00:00 GMT'],
	])('is absent for %p', (header) => expect(pauseOf(header)).toBeUndefined());
});

const failed = (code: unknown, more: object = {}) => Object.assign(new Error('failed'), { code, ...more });
const wrapped = (cause: unknown) => new Error('wrapped', { cause });

/** A failure that is the cause of this many others. */
function buried(failure: unknown, depth: number): unknown {
	return depth === 0 ? failure : wrapped(buried(failure, depth - 1));
}

describe('networkCode', () => {
	test.each(['ECONNRESET', 'ERR_HTTP2_STREAM_CANCEL'])('reads %s', (code) => {
		expect(networkCode(failed(code))).toBe(code);
		expect(networkCode(wrapped(failed(code)))).toBe(code);
		expect(networkCode(failed(code, { cause: failed('EPIPE') }))).toBe(code);
	});

	test('reads nothing but system codes', () => {
		const others = [undefined, null, 7, '', ['EPIPE'], '404', 'epipe', ' EPIPE', 'EPIPE at 10.0.0.1', 'E'];
		const failures = [...others.map((code) => failed(code)), undefined, null, 'text', 0];
		expect(failures.map(networkCode).filter((code) => code !== undefined)).toEqual([]);
	});

	test('looks through at most five errors, even in a cyclic chain', () => {
		expect(networkCode(buried(failed('EPIPE'), 4))).toBe('EPIPE');
		expect(networkCode(buried(failed('EPIPE'), 5))).toBeUndefined();
		const circle = new Error('circle');
		circle.cause = circle;
		expect(networkCode(circle)).toBeUndefined();
	});
});

test('mayHaveArrived is false for nothing but what never reached the service', () => {
	const unreachable = ['ECONNREFUSED', 'EHOSTUNREACH', 'ENETUNREACH', 'EADDRNOTAVAIL'];
	const neverSent = [...unreachable, 'ENOTFOUND', 'EAI_AGAIN'];
	const sent = ['ECONNRESET', 'ETIMEDOUT', 'ERR_BAD_RESPONSE', 'X_ECONNREFUSED', 'ENOTFOUND_X', undefined];
	const isNotSent = (code: string | undefined) => !mayHaveArrived(wrapped(failed(code)));
	expect([...neverSent, ...sent].filter(isNotSent)).toEqual(neverSent);
});

test('innermost is the first cause that is an error, without its wrappers', () => {
	const refusal = new Error('refused');
	expect(innermost(wrapped(wrapped(refusal)))).toBe(refusal);
	const error = wrapped({ code: 'ECONNRESET' });
	expect(innermost(error)).toBe(error);
	expect(innermost('text')).toBe('text');
});
