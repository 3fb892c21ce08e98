import type { RequestLabel } from '../../../../nodes/shared/http/requestErrors';
import { readableResponse } from '../../../../nodes/shared/http/response';
import { bytes } from './scriptedService';

const EXPORT: RequestLabel = { credentialType: 'conversationExportApi' };
const read = async (body: string | object, maxRows?: number, isTooLarge = false) => {
	const received = { statusCode: 207, headers: { date: 'today' }, body: bytes(body), isTooLarge };
	return await readableResponse(EXPORT, received, (text) => text.replaceAll('secret', '***'), maxRows);
};

describe('A readable response', () => {
	test('is an object, with or without a byte-order mark, and so many rows of each list, without the key', async () => {
		expect(await (await read('\uFEFF{"a":7}', 1)).json()).toEqual({ a: 7 });
		const response = await read({ a: [1, 'a secret', 3], secret: [[4], [5]], b: { c: [6, 7, 8] } }, 2);
		expect(await response.json()).toEqual({ a: [1, 'a ***'], '***': [[4], [5]], b: { c: [6, 7, 8] } });
		expect(response.rows).toBe(3);
	});

	test('is a text, of which the beginning is read, without the key and the NUL of other encodings', async () => {
		const utf16 = Buffer.from('a secret', 'utf16le').toString('latin1');
		expect((await read(utf16)).body).toBe('a ***');
		expect((await read('x'.repeat(70_000))).body).toHaveLength(65_536);
	});

	test.each([
		['is not a JSON object', ['[]', '[{"a":1}]', 'null', '7', '"text"', 'true', 'oops <b>']],
		['is not valid JSON', ['{} x', '{"a":[1,]}', '{"a":[,1]}', '{"a":[1,,2]}', '{"a" 1}']],
		['is a web page, not JSON', ['<html>', ' <html>', '\r\n\t <p>', '<?xml version="1.0"?>']],
	])('says that any other body %s, and quotes it', async (defect, bodies) => {
		const error = expect.objectContaining({
			message: `The service's response ${defect}`,
			description: expect.stringMatching(/^Status 207.*\. Check the Base URL in the Conversation Export API/),
			details: { code: 'response_unreadable', retryable: false, status: 207 },
		});
		for (const body of bodies) {
			const response = await read(body, 50);
			const { fault } = response;
			if (fault) expect(response.unreadable(...fault)).toEqual(error);
			else await expect(response.json()).rejects.toEqual(error);
		}
	});

	test.each(['', ' ', '{', '{"a":1', '{"a":"}', '{"a":"\\"}', '{"a":[{"b":1}', '{"a":[1}', '{}}'])(
		'is incomplete if it ends in the middle or never began: %j',
		async (body) => {
			await expect(read(body, 50)).rejects.toThrow('The body is incomplete');
			expect((await read(body)).fault).toBeUndefined();
		},
	);

	test('that is too large is not searched for rows', async () => {
		const { fault, unreadable } = await read('{"a":', 50, true);
		expect(unreadable(...fault!)).toMatchObject({
			message: "The service's response is larger than 0.005 kB",
			details: { code: 'response_too_large' },
		});
	});
});
