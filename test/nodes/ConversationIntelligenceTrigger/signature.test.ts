import * as fc from 'fast-check';
import { sameSecret, verifySignature } from '../../../nodes/ConversationIntelligenceTrigger/signature';
import { sign } from '../../../harness/webhook/sign';

const bytes = fc.uint8Array({ maxLength: 200 }).map((array) => Buffer.from(array));
const secret = fc.string({ minLength: 1, maxLength: 40, unit: 'binary' });

describe('verifySignature', () => {
	// D1-SIG-01
	test('agrees with a signature computed by another program', () => {
		// printf '{"a":1}' | openssl dgst -sha256 -hmac s3cret
		const header = 'sha256=5910e62016ef5034272c926c27071992a465c2335cecf41851bda071577f4f6d';
		expect(verifySignature(Buffer.from('{"a":1}'), header, ['s3cret'])).toBe(true);
		expect(verifySignature(Buffer.from('{"a":2}'), header, ['s3cret'])).toBe(false);
	});

	// D1-SIG-02
	test('accepts any body signed with the current or the previous secret', () => {
		fc.assert(
			fc.property(bytes, secret, secret, fc.boolean(), (body, current, previous, byPrevious) => {
				const header = sign(body, byPrevious ? previous : current);
				expect(verifySignature(body, header, [current, previous])).toBe(true);
			}),
		);
	});

	// D1-SIG-03
	test('refuses a body with any single bit changed', () => {
		fc.assert(
			fc.property(
				fc.uint8Array({ minLength: 1, maxLength: 100 }),
				secret,
				fc.nat(),
				fc.nat(7),
				(array, key, at, bit) => {
					const header = sign(Buffer.from(array), key);
					const changed = Buffer.from(array);
					changed[at % changed.length] ^= 1 << bit;
					expect(verifySignature(changed, header, [key])).toBe(false);
				},
			),
		);
	});

	// D1-SIG-03
	test('refuses a signature with any single digit changed', () => {
		fc.assert(
			fc.property(bytes, secret, fc.nat(63), fc.integer({ min: 1, max: 15 }), (body, key, at, by) => {
				const digits = [...sign(body, key).slice('sha256='.length)];
				digits[at] = ((parseInt(digits[at], 16) + by) % 16).toString(16);
				expect(verifySignature(body, `sha256=${digits.join('')}`, [key])).toBe(false);
			}),
		);
	});

	test.each<[string, (right: string) => unknown]>([
		['nothing', () => undefined],
		['an empty text', () => ''],
		['a list with the right value', (right) => [right]],
		['the right value twice, as repeated headers are joined', (right) => `${right}, ${right}`],
		['a number', () => 42],
		['an object', (right) => ({ toString: () => right })],
		['uppercase digits', (right) => right.replace(/[a-f]/g, (digit) => digit.toUpperCase())],
		['an uppercase prefix', (right) => right.replace('sha256', 'SHA256')],
		['no prefix', (right) => right.slice('sha256='.length)],
		['another algorithm', (right) => right.replace('sha256', 'sha1')],
		['one digit fewer', (right) => right.slice(0, -1)],
		['one digit more', (right) => `${right}0`],
		['a space before', (right) => ` ${right}`],
		['a line break after', (right) => `${right}\n`],
		['Base64 in place of hex', (right) => `sha256=${Buffer.from(right.slice(7), 'hex').toString('base64')}`],
		['very many digits', () => `sha256=${'a'.repeat(100_000)}`],
	])('refuses %s', (_, change) => {
		// The digits hold letters, so that changing their case changes the value.
		const body = Buffer.from('{"a":1}');
		const right = sign(body, 's3cret');
		expect(right).toMatch(/[a-f]/);
		expect(verifySignature(body, change(right), ['s3cret'])).toBe(false);
	});

	test('never accepts an empty secret, although it can sign', () => {
		const body = Buffer.from('{}');
		expect(verifySignature(body, sign(body, ''), [''])).toBe(false);
		expect(verifySignature(body, sign(body, ''), [])).toBe(false);
	});
});

describe('sameSecret', () => {
	// D1-SIG-02
	test('is true exactly for equal texts, whatever their lengths', () => {
		fc.assert(
			fc.property(fc.string(), fc.string(), (given, wanted) => {
				expect(sameSecret(given, wanted)).toBe(given === wanted);
				expect(sameSecret(wanted, wanted)).toBe(true);
			}),
		);
	});

	test.each([[undefined], [null], [7], [['secret']], [{ secret: 'secret' }]])('refuses %p', (given) => {
		expect(sameSecret(given, 'secret')).toBe(false);
		expect(sameSecret(given, '')).toBe(false);
	});
});
