import { innermost, mayHaveArrived, networkCode } from '../../../../nodes/shared/http';

const failed = (code: unknown, more: object = {}) => Object.assign(new Error('failed'), { code, ...more });
const wrapped = (cause: unknown) => new Error('wrapped', { cause });

/** A failure that is the cause of this many others. */
function buried(failure: unknown, depth: number): unknown {
	return depth === 0 ? failure : wrapped(buried(failure, depth - 1));
}

describe('networkCode', () => {
	test.each(['ECONNRESET', 'ERR_BAD_RESPONSE', 'ERR_HTTP2_STREAM_CANCEL', 'UND_ERR_SOCKET'])(
		'reads %s',
		(code) => {
			expect(networkCode(failed(code))).toBe(code);
			expect(networkCode(failed(undefined, { httpCode: code }))).toBe(code);
			expect(networkCode(wrapped(failed(code)))).toBe(code);
		},
	);

	test.each([
		undefined,
		null,
		7,
		'',
		['ECONNRESET'],
		'404',
		'econnreset',
		' ECONNRESET',
		'ECONNRESET at 10.0.0.1',
		'E',
	])('does not read %p as a system code', (code) => expect(networkCode(failed(code))).toBeUndefined());

	test('treats an incomplete response, which n8n 2.31 reports with a status of success, as a broken connection', () => {
		expect(networkCode(failed(undefined, { httpCode: '200' }))).toBe('ERR_BAD_RESPONSE');
		expect(networkCode(failed(undefined, { httpCode: '404' }))).toBeUndefined();
	});

	test('prefers the outermost of several codes', () => {
		expect(networkCode(failed('EPIPE', { cause: failed('ECONNRESET') }))).toBe('EPIPE');
	});

	test('looks through at most five errors, even in a cyclic chain', () => {
		expect(networkCode(buried(failed('EPIPE'), 4))).toBe('EPIPE');
		expect(networkCode(buried(failed('EPIPE'), 5))).toBeUndefined();
		const circle = new Error('circle');
		circle.cause = circle;
		expect(networkCode(circle)).toBeUndefined();
	});

	test.each([undefined, null, 'text', 0])('finds none in %p', (failure) => {
		expect(networkCode(failure)).toBeUndefined();
	});
});

describe('mayHaveArrived', () => {
	test.each(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH', 'EADDRNOTAVAIL'])(
		'is false for %s: the request never reached the service',
		(code) => {
			expect(mayHaveArrived(failed(code))).toBe(false);
			expect(mayHaveArrived(wrapped(failed(code)))).toBe(false);
		},
	);

	test.each(['ECONNRESET', 'ETIMEDOUT', 'ERR_BAD_RESPONSE', 'X_ECONNREFUSED', 'ENOTFOUND_X', undefined])(
		'is true for %s',
		(code) => expect(mayHaveArrived(failed(code))).toBe(true),
	);
});

describe('innermost', () => {
	test('returns the first cause without its wrappers', () => {
		const refusal = new Error('refused');
		expect(innermost(wrapped(wrapped(refusal)))).toBe(refusal);
		expect(innermost(refusal)).toBe(refusal);
	});

	test('skips a cause that is not an error', () => {
		const error = wrapped({ code: 'ECONNRESET' });
		expect(innermost(error)).toBe(error);
		expect(innermost('text')).toBe('text');
	});
});
