import { readableResponse, type RequestLabel } from '../../../../nodes/shared/http';
import { bytes } from './scriptedService';

const LABEL: RequestLabel = { credentialType: 'conversationExportApi', path: '/export/users' };
const respondWith = (body: unknown, key = 'raw-key-of-the-service') =>
	readableResponse(LABEL, { statusCode: 207, headers: { date: 'today' }, body }, key);

describe('A response', () => {
	test('has the status, the headers and the text of the HTTP helper', () => {
		const response = respondWith(bytes('köln'));
		expect(response).toMatchObject({ status: 207, headers: { date: 'today' }, body: 'köln' });
		expect(readableResponse(LABEL, { statusCode: 200, body: '' }, '').headers).toEqual({});
	});

	test.each([
		['text', 'köln', 'köln'],
		['nothing', undefined, ''],
		['null', null, ''],
		['a parsed object', { a: 1 }, '{"a":1}'],
	])('whose body the HTTP helper returns as %s can be read as well', (_, body, text) => {
		expect(respondWith(body).body).toBe(text);
	});

	test.each([
		['hides', 'abcdefgh', '***'],
		['keeps words as short as', 'abcdefg', 'abcdefg'],
	])('%s the key "%s"', (_, key, shown) => {
		expect(respondWith(bytes(`${key} and ${key}`), key).body).toBe(`${shown} and ${shown}`);
		expect(respondWith(bytes({ said: key }), key).json()).toEqual({ said: shown });
	});

	test.each([
		['in JSON', String.raw`a\"key\\of\/it`],
		['in JSON with plain slashes', String.raw`a\"key\\of/it`],
		['in a query', 'a%22key%5Cof%2Fit'],
		['in a path', 'a%22key%5Cof/it'],
	])('hides the key as it is written %s', (_, written) => {
		const key = String.raw`a"key\of/it`;
		expect(respondWith(bytes(`Key ${written}!`), key).body).toBe('Key ***!');
	});
});

describe('json', () => {
	test.each([{}, { a: [1, null] }])('returns the object %j', (object) => {
		expect(respondWith(bytes(object)).json()).toEqual(object);
	});

	test.each(['[]', '[{"a":1}]', 'null', '7', '"text"', 'true'])('refuses %s, which is no object', (body) => {
		expect(() => respondWith(bytes(body)).json()).toThrow("The service's response is not a JSON object");
	});

	test.each(['', 'oops', '{"a":', '{"a": "<b>', 'oops <b>', 'a<b', '1 < 2'])(
		'refuses %j as no JSON',
		(body) => {
			expect(() => respondWith(bytes(body)).json()).toThrow("The service's response is not valid JSON");
		},
	);

	test.each(['<html>', ' <html>', '\r\n\t <p>', '<?xml version="1.0"?>'])('names the web page %j', (body) => {
		expect(() => respondWith(bytes(body)).json()).toThrow("The service's response is a web page, not JSON");
	});
});

test('unreadable makes an error of the node that says why and quotes the response', () => {
	const error = respondWith(bytes('{"a":1}')).unreadable('has no field "users"');
	expect(error).toMatchObject({
		message: `The service's response has no field "users"`,
		description: expect.stringContaining('Status 207: "{"a":1}". Check the Base URL'),
	});
});
