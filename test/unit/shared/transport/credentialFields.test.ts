import fc from 'fast-check';
import { cleanApiKey, cleanBaseUrl } from '../../../../nodes/shared/transport';

const KEY = fc
	.string({ unit: fc.constantFrom(...'abcXYZ019-_.~+/='), minLength: 1, maxLength: 60 })
	.filter((key) => !/^bearer\b/i.test(key));
const BLANK = fc.string({ unit: fc.constantFrom(' ', '\t', '\n', '\r'), maxLength: 4 });

describe('cleanApiKey', () => {
	test('[D1-AUTH-01] any raw key survives, whatever blanks were pasted around it', () => {
		fc.assert(
			fc.property(KEY, BLANK, BLANK, (key, before, after) => {
				expect(cleanApiKey(`${before}${key}${after}`)).toBe(key);
			}),
		);
	});

	test('[D1-AUTH-01] a pasted Bearer prefix is refused in words, in any capitalization, and the key is not shown', () => {
		fc.assert(
			fc.property(KEY, fc.constantFrom('Bearer ', 'bearer ', 'BEARER\t', '  Bearer  '), (key, prefix) => {
				expect(() => cleanApiKey(`${prefix}secret${key}`)).toThrow(/remove the prefix/);
				expect(() => cleanApiKey(`${prefix}secret${key}`)).toThrow(
					expect.not.objectContaining({ message: expect.stringContaining(`secret${key}`) }),
				);
			}),
		);
	});

	test.each(['', '   ', undefined, null, 7])('%p is refused as empty', (value) => {
		expect(() => cleanApiKey(value)).toThrow(/is empty/);
	});

	test.each(['a b', 'a\nb', 'kéy', 'a\u200bb'])('%p cannot stand in a header and is refused', (value) => {
		expect(() => cleanApiKey(value)).toThrow(/spaces, line breaks or characters/);
	});
});

describe('cleanBaseUrl', () => {
	test.each([
		['https://api.example.com', 'https://api.example.com'],
		['https://api.example.com///', 'https://api.example.com'],
		[' https://api.example.com/v1/ \n', 'https://api.example.com/v1'],
		['http://127.0.0.1:8790/data', 'http://127.0.0.1:8790/data'],
	])('%p becomes %p', (given, expected) => {
		expect(cleanBaseUrl(given)).toBe(expected);
	});

	test.each([
		['', /is empty/],
		[undefined, /is empty/],
		['api.example.com', /is not an address/],
		['ftp://api.example.com', /does not start with http/],
		['https://api.example.com?x=1', /contains a query/],
		['https://u:p@api.example.com', /contains a user name or password/],
	])('%p is refused', (given, reason) => {
		expect(() => cleanBaseUrl(given)).toThrow(reason);
	});
});
