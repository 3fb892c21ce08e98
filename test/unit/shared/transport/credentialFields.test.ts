import fc from 'fast-check';
import { UserError } from 'n8n-workflow';
import { cleanApiKey, cleanBaseUrl } from '../../../../nodes/shared/transport';

const KEY = fc
	.string({ unit: fc.constantFrom(...'abcXYZ019-_.~+/='), minLength: 1, maxLength: 60 })
	.filter((key) => !/^bearer\b/i.test(key));
const refusalOf = (action: () => unknown): UserError => {
	try {
		action();
	} catch (error) {
		if (error instanceof UserError) return error;
	}
	throw new Error('Nothing was refused.');
};
const BLANK = fc.string({ unit: fc.constantFrom(' ', '\t', '\n', '\r'), maxLength: 4 });

describe('cleanApiKey', () => {
	test('keeps any raw key and trims the spaces around it [D1-AUTH-01]', () => {
		fc.assert(
			fc.property(KEY, BLANK, BLANK, (key, before, after) => {
				expect(cleanApiKey(`${before}${key}${after}`)).toBe(key);
			}),
		);
	});

	test('refuses a pasted Bearer prefix in any capitalization, without the key in the message [D1-AUTH-01]', () => {
		fc.assert(
			fc.property(KEY, fc.constantFrom('Bearer ', 'bearer ', 'BEARER\t', '  Bearer  '), (key, prefix) => {
				const { message, description } = refusalOf(() => cleanApiKey(`${prefix}secret${key}`));
				expect(message).toBe('The API Key of the credential starts with "Bearer"');
				expect(description).toMatch(/^Remove the prefix/);
			}),
		);
	});

	test.each(['', '   ', undefined, null, 7])('refuses %p as empty', (value) => {
		expect(() => cleanApiKey(value)).toThrow(/is empty/);
	});

	test.each(['a b', 'a\nb', 'kéy', 'a\u200bb'])('refuses %p, because a header cannot contain it', (value) => {
		expect(() => cleanApiKey(value)).toThrow(/spaces, line breaks or characters/);
	});
});

describe('cleanBaseUrl', () => {
	test.each([
		['https://api.example.com', 'https://api.example.com'],
		['https://api.example.com///', 'https://api.example.com'],
		[' https://api.example.com/v1/ \n', 'https://api.example.com/v1'],
		['http://127.0.0.1:8790/data', 'http://127.0.0.1:8790/data'],
	])('turns %p into %p', (given, expected) => {
		expect(cleanBaseUrl(given)).toBe(expected);
	});

	test.each([
		['', /is empty/],
		[undefined, /is empty/],
		['api.example.com', /is not an address/],
		['ftp://api.example.com', /does not start with http/],
		['https://api.example.com?x=1', /contains a query/],
		['https://u:p@api.example.com', /contains a user name or password/],
	])('refuses %p', (given, reason) => {
		expect(() => cleanBaseUrl(given)).toThrow(reason);
	});
});
