import { innermost, mayHaveArrived, networkCode } from '../../../../nodes/shared/http';

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
	const neverSent = [
		'ECONNREFUSED',
		'ENOTFOUND',
		'EAI_AGAIN',
		'EHOSTUNREACH',
		'ENETUNREACH',
		'EADDRNOTAVAIL',
	];
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
