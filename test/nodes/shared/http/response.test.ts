import { readableResponse, type RequestLabel } from '../../../../nodes/shared/http/response';
import { bytes } from './scriptedService';

const LABEL: RequestLabel = { credentialType: 'conversationExportApi', path: '/export/users' };
const respondWith = (body: unknown, key = 'raw-key-of-the-service') =>
	readableResponse(LABEL, { statusCode: 207, headers: { date: 'today' }, body }, key);

test.each([
	['bytes', bytes('köln'), 'köln'],
	['text', 'köln', 'köln'],
	['nothing', undefined, ''],
	['null', null, ''],
	['a parsed object', { a: 1 }, '{"a":1}'],
])(
	'a response has the status, the headers and the text of the HTTP helper, which returns %s',
	(_, body, text) => {
		expect(respondWith(body)).toMatchObject({ status: 207, headers: { date: 'today' }, body: text });
		expect(readableResponse(LABEL, { statusCode: 200, body }, '').headers).toEqual({});
	},
);

describe('The key of the request', () => {
	test.each([
		['is hidden', 'abcdefgh', '***'],
		['stays if it is as short as a word', 'abcdefg', 'abcdefg'],
	])('%s', (_, key, shown) => {
		expect(respondWith(bytes(`${key} and ${key}`), key).body).toBe(`${shown} and ${shown}`);
		expect(respondWith(bytes({ said: key }), key).json()).toEqual({ said: shown });
	});

	test.each([
		['in JSON', String.raw`a\"key\\of\/it`],
		['in JSON with plain slashes', String.raw`a\"key\\of/it`],
		['in a query', 'a%22key%5Cof%2Fit'],
		['in a path', 'a%22key%5Cof/it'],
	])('is hidden as it is written %s', (_, written) => {
		expect(respondWith(bytes(`Key ${written}!`), String.raw`a"key\of/it`).body).toBe('Key ***!');
	});
});

describe('json', () => {
	test('returns an object, with or without a byte-order mark before it', () => {
		expect(respondWith(bytes('\uFEFF{"a":7}')).json()).toEqual({ a: 7 });
		expect(respondWith(bytes({ a: [1, null] })).json()).toEqual({ a: [1, null] });
	});

	test.each([
		['is not a JSON object', ['[]', '[{"a":1}]', 'null', '7', '"text"', 'true']],
		['is not valid JSON', ['', 'oops', '{"a":', '{"a": "<b>', 'oops <b>', '1 < 2']],
		['is a web page, not JSON', ['<html>', ' <html>', '\r\n\t <p>', '<?xml version="1.0"?>']],
	])('says that any other body %s, and quotes it', (defect, bodies) => {
		const error = expect.objectContaining({
			message: `The service's response ${defect}`,
			description: expect.stringMatching(/^Status 207.*\. Check the Base URL in the Conversation Export API/),
			details: { code: 'response_unreadable', retryable: false, status: 207 },
		});
		for (const body of bodies) expect(() => respondWith(bytes(body)).json()).toThrow(error);
	});
});
