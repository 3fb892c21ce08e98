import fc from 'fast-check';
import { UserError } from 'n8n-workflow';
import { cleanApiKey, cleanBaseUrl, withKey } from '../../../../nodes/shared/http';

const KEY = fc
	.string({ unit: fc.constantFrom(...'abcXYZ019-_.~+/='), minLength: 1, maxLength: 60 })
	.filter((key) => !/^bearer\b/i.test(key));
const refusal = (message: string, description: string) =>
	expect.objectContaining({ constructor: UserError, message, description });
const BLANK = fc.string({ unit: fc.constantFrom(' ', '\t', '\n', '\r'), maxLength: 4 });

describe('cleanApiKey', () => {
	// D1-AUTH-01
	test('keeps any raw key and trims the spaces around it', () => {
		fc.assert(
			fc.property(KEY, BLANK, BLANK, (key, before, after) => {
				expect(cleanApiKey(`${before}${key}${after}`)).toBe(key);
			}),
		);
	});

	// D1-AUTH-01
	test('refuses a pasted Bearer prefix in any capitalization, without the key in the message', () => {
		fc.assert(
			fc.property(KEY, fc.constantFrom('Bearer ', 'bearer ', 'BEARER\t', '  Bearer  '), (key, prefix) => {
				expect(() => cleanApiKey(`${prefix}secret${key}`)).toThrow(
					refusal(
						'The API Key of the credential starts with "Bearer"',
						'Remove the prefix and save the credential again: the service takes the raw key.',
					),
				);
			}),
		);
	});

	const EMPTY = ['is empty', 'Paste the key that the web app showed once when it was created.'];
	const UNFIT = [
		'contains spaces, line breaks or characters that no header can carry',
		'Copy the key again without them.',
	];
	test.each([
		...['', '   ', undefined, null, 7].map((value) => [value, ...EMPTY]),
		...['a b', 'a\nb', 'kéy', 'a\u200bb'].map((value) => [value, ...UNFIT]),
	])('refuses %p, because it %s', (value, defect, advice) => {
		expect(() => cleanApiKey(value)).toThrow(refusal(`The API Key of the credential ${defect}`, `${advice}`));
	});
});

describe('withKey', () => {
	const request = { url: 'https://api.example.com', headers: { accept: '*/*', 'x-api-key': 'another' } };

	test('adds the cleaned key to what the request says already', () => {
		expect(withKey('authorization', { apiKey: ' abc ' }, request)).toStrictEqual({
			url: 'https://api.example.com',
			headers: { accept: '*/*', 'x-api-key': 'another', authorization: 'abc' },
		});
		expect(withKey('x-api-key', { apiKey: 'abc' }, request).headers).toEqual({
			accept: '*/*',
			'x-api-key': 'abc',
		});
	});

	test('leaves the given request as it is', () => {
		const given = { url: 'https://api.example.com' };
		expect(withKey('x-api-key', { apiKey: 'abc' }, given).headers).toEqual({ 'x-api-key': 'abc' });
		expect(given).toStrictEqual({ url: 'https://api.example.com' });
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
		['', 'is empty'],
		[' \n', 'is empty'],
		[undefined, 'is empty'],
		[7, 'is empty'],
		['api.example.com', 'is not an address'],
		['ftp://api.example.com', 'does not start with http:// or https://'],
		['xhttps://api.example.com', 'does not start with http:// or https://'],
		['httpsx://api.example.com', 'does not start with http:// or https://'],
		['https://api.example.com?x=1', 'contains a query (?) or a fragment (#)'],
		['https://api.example.com#x', 'contains a query (?) or a fragment (#)'],
		['https://api.example.com?x=1#x', 'contains a query (?) or a fragment (#)'],
		['https://u:p@api.example.com', 'contains a user name or password'],
		['https://u@api.example.com', 'contains a user name or password'],
		['https://:p@api.example.com', 'contains a user name or password'],
	])('refuses %p and shows an example', (given, defect) => {
		expect(() => cleanBaseUrl(given)).toThrow(
			refusal(
				`The Base URL of the credential ${defect}`,
				'Enter the address of the service, e.g. https://api.example.com.',
			),
		);
	});
});
