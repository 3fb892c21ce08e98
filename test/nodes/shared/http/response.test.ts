import fc from 'fast-check';
import type { Tried } from '../../../../nodes/shared/http/policy';
import {
	isWebPage,
	networkError,
	NotSent,
	readableResponse,
	statusError,
	type RequestLabel,
} from '../../../../nodes/shared/http/response';
import { headings } from '../../../../scripts/apiReference';
import { bytes, failed } from './scriptedService';

const explain = () => ({ code: 'own', message: 'Own words', advice: 'Own advice.' });
const EXPORT: RequestLabel = { credentialType: 'conversationExportApi', path: '/export/users' };
const CRM: RequestLabel = { credentialType: 'crmAppointmentApi', path: '/custom/appointment' };
const response = (status: number, body = '') => ({ status, headers: { 'retry-after': '45' }, body });

describe('statusError', () => {
	const [key, later] = ['credential-invalid', 'temporarily-unavailable'];

	// D1-ERR-01
	test.each([
		[199, 'request_refused', 'request_refused', undefined],
		[302, 'redirected', 'redirected', undefined],
		[401, 'api_key_unknown', 'api_key_unknown', key],
		[403, 'api_key_refused', 'request_blocked', key],
		[404, 'address_not_found', 'address_not_found', undefined],
		[406, 'request_refused', 'request_blocked', undefined],
		[408, 'request_timed_out', 'request_timed_out', later],
		[422, 'request_unprocessable', 'request_blocked', undefined],
		[429, 'rate_limited', 'rate_limited', 'rate-limited'],
		[451, 'request_refused', 'request_blocked', undefined],
		[503, 'service_failed', 'service_failed', later],
		[550, 'service_failed', 'service_failed', later],
		[999, 'request_refused', 'request_blocked', undefined],
	])("status %i is %s, from a firewall %s, and to n8n's scheduler %s", (status, code, paged, cause) => {
		const { details, description, failure } = statusError(CRM, response(status));
		const retryable = [408, 429, 503, 550].includes(status);
		expect(details).toEqual({ code, retryable, status });
		expect(description).not.toContain('{');
		expect(failure).toEqual(cause && { cause, ...(retryable && { retryAfterMs: 45_000 }) });
		const own = statusError({ ...CRM, explain }, response(status));
		expect([own.details.code, own.failure]).toEqual(['own', failure]);
		const page = statusError({ ...CRM, explain }, response(status, '<html>Blocked</html>'));
		const other = statusError(CRM, response(status, 'error code: 1020\n'));
		for (const one of [page, other]) {
			expect(one.details.code).toBe(paged);
			expect(one.failure).toEqual(paged === 'request_blocked' ? undefined : failure);
		}
		expect(page.description).toMatch(/^Status \d+: a web page instead of a response\./);
		expect(page.details.response).toBeUndefined();
	});

	// D2-ERR-00
	test('says what is wrong, with status and quoted body, for any status and body', () => {
		const words = fc.string({ unit: fc.constantFrom(...'abc XYZ 019.,:-'), minLength: 1, maxLength: 80 });
		fc.assert(
			fc.property(fc.integer({ min: 300, max: 599 }), words, (status, body) => {
				const error = statusError(EXPORT, response(status, body));
				const said = body.replace(/\s+/g, ' ').trim();
				const end = /[.!?]$/.test(said) ? ' ' : '. ';
				expect(error.message).toMatch(/^The service .*$/);
				expect(error.description).toContain(`Status ${status}${said === '' ? '. ' : `: "${said}"${end}`}`);
				expect(error.details).toMatchObject({ status, ...(said && { response: said }) });
			}),
		);
	});

	test.each([
		['{"message":"Not found"}', 'Not found'],
		['{"error":"Not found","status":404}', 'Not found'],
		['{"message":"","error":{"code":7,"message":"Not found"}}', 'Not found'],
		['{"message":" ","error":"Not found"}', 'Not found'],
		['"Not found"', 'Not found'],
		...['{"code":7}', '[{"message":"Not found"}]', '{"message":', 'no {credential}'].map((as) => [as, as]),
		[' one\r\n  two\t\tthree\n', 'one two three'],
		['see https://m.example/t.json?X-Amz-Signature=5ec7e7', 'see https://m.example/t.json?…'],
		['x'.repeat(300), 'x'.repeat(300)],
		[`${'x'.repeat(299)}yz`, `${'x'.repeat(299)}y…`],
	])('quotes what the body %j says in words, without the query of a link', (body, words) => {
		const { description, details } = statusError(CRM, response(418, body));
		expect(description).toContain(`Status 418: "${words}". `);
		expect(details.response).toBe(words);
	});

	/** The path of every endpoint that the API documentation has. */
	const paths = headings.flatMap((heading) => /^D[12] § [A-Z]+ (\/.*)/.exec(heading)?.[1] ?? []);

	test.each<[RequestLabel, string, string | undefined]>([
		...paths.map((path): [RequestLabel, string, string] => {
			const label = path.startsWith('/export') ? EXPORT : CRM;
			return [label, `https://api.example.com/v1${path}`, path];
		}),
		[EXPORT, 'https://api.example.com/export', '/export'],
		[EXPORT, 'https://a.example.com/custom/appointment', 'CRM Appointment API'],
		[CRM, 'https://a.example.com/v1/export/users/', 'Conversation Export API'],
		[EXPORT, 'https://export.example.com/exports', undefined],
		[CRM, 'https://a.example.com/custom/v1', undefined],
		[EXPORT, 'https://a.example.com/customers/export-api', undefined],
	])(
		'%j: the Base URL %s must not contain the endpoint, or be that of the other API: %s',
		(label, baseUrl, what) => {
			const at = (status: number) => statusError({ ...label, baseUrl, explain }, response(status));
			const isOther = what?.endsWith('API');
			const message = isOther
				? `The Base URL is that of the ${what}`
				: `The Base URL must not contain ${what}`;
			for (const status of [403, 404, 405]) expect(at(status).message).toBe(what ? message : 'Own words');
			// Then the service refuses the key, whatever the address; the export also refuses a request of the other API so.
			expect(at(401).message).toBe(isOther ? message : 'Own words');
		},
	);

	test.each<[Tried | undefined, string]>([
		[undefined, 'Status 418. Repeating'],
		[{ attempts: 1 }, 'Status 418. Tried once. Repeating'],
		[{ attempts: 2 }, 'Status 418. Tried 2 times. Repeating'],
		[{ attempts: 2, askedSeconds: 900 }, '900-second pause, above the 300-second limit. Repeating'],
		[{ attempts: 2, askedSeconds: 300 }, '300-second pause, longer than this request may take. Repeating'],
	])('says how often it tried, and which pause is too long: %j', (tried, words) => {
		expect(statusError(CRM, response(418), tried).description).toContain(words);
	});
});

describe('networkError', () => {
	const PLAIN = Object.assign(new Error('wrong version number'), { code: 'EPROTO' });
	const ALERT = Object.assign(new Error('an alert came'), { code: 'EPROTO' });
	const within = (cause: Error) => new Error('Authorization: top-secret', { cause });
	const [PUBLIC, PRIVATE] = ['https://api.example.com', 'https://sandbox:8790'];
	test.each([
		['a failure without a system code', failed(), PUBLIC, 'request_impossible', 'unknown'],
		['a refused connection', within(failed('ECONNREFUSED')), PUBLIC, 'service_unreachable', 'ECONNREFUSED'],
		['a bad certificate', failed('CERT_HAS_EXPIRED'), PUBLIC, 'certificate_refused', 'CERT_HAS_EXPIRED'],
		[
			'a bad list of certificates',
			failed('CRL_HAS_EXPIRED'),
			PUBLIC,
			'certificate_refused',
			'CRL_HAS_EXPIRED',
		],
		['no HTTPS at a public host', PLAIN, PUBLIC, 'address_without_https', 'EPROTO'],
		['no HTTPS at a private host', within(PLAIN), PRIVATE, 'private_address_without_https', 'EPROTO'],
		['no HTTPS at an unknown host', PLAIN, undefined, 'address_without_https', 'EPROTO'],
		['HTTPS that is refused', within(ALERT), PRIVATE, 'request_impossible', 'EPROTO'],
	])('calls %s by its code, and shows nothing else of it', (_what, failure, baseUrl, code, shown) => {
		const error = networkError({ ...CRM, baseUrl }, { failure });
		expect(error.details.code).toBe(code);
		expect(error.failure).toEqual({ cause: 'temporarily-unavailable' });
		expect(error.description).toContain(`No response came (${shown}). `);
		expect(`${error.message} ${error.description}`).not.toMatch(/secret/);
	});

	test.each([
		[1000, 'a second', false],
		[1499, 'a second', true],
		[1500, '2 seconds', false],
		[300_000, '300 seconds', true],
	])('says that %i ms are %s, and whether a shorter range helps: %p', (limitMs, words, hasDateRange) => {
		const error = networkError({ ...EXPORT, hasDateRange }, { limitMs }, { attempts: 2 });
		expect(error.message).toBe(`The service did not answer within ${words}`);
		const advice = hasDateRange ? 'Use a shorter date range.' : 'Run the workflow again later.';
		expect(error.description).toBe(`Tried 2 times. ${advice}`);
		expect(error.failure).toEqual({ cause: 'temporarily-unavailable' });
	});
});

test('NotSent says how the others of its run ended', () => {
	const error = new NotSent(statusError(CRM, response(503)));
	const ended = 'the service could not process the request';
	expect(error.message).toBe(`Skipped because earlier requests failed: ${ended}`);
	expect(error.description).toMatch(/^Status 503\. This may be transient/);
	expect(error.details).toEqual({ code: 'not_sent', retryable: true, status: 503 });
	const details = { code: 'not_sent', retryable: false };
	expect(new NotSent(new Error('Gone'))).toMatchObject({ description: undefined, details });
});

const PAGES = [
	...['<html>', ' \n<HTML lang="de">', '<!doctype html>', '<head>', '<body>', '<?xml ?>', '<!---->'],
	...['<h1 id="a">No</h1>', ' <P>\nNo</P>', '<meta http-equiv="refresh" content="0; url=/sign-in">'],
	...['<div class="login">', '<error code="1"/>', '<br/>', '<soap:Fault a="/"><code>7</code></soap:Fault>'],
];
const NO_PAGES = [
	...['', 'html', 'Bad <html>', '<htmlish>', '<p>', '<none>', '{"a":"<html>"}', '< html>', '<divider>'],
	...['<crm-1> is not </crm-1>', '<b> is not </a>', '<a b <c/>', '<crm-1/> is not'],
];

test('isWebPage is true for nothing but the beginning of a web page', () => {
	expect([...PAGES, ...NO_PAGES].filter(isWebPage)).toEqual(PAGES);
});

describe('A readable response', () => {
	const respondWith = (body: unknown, key = 'raw-key-of-the-service') =>
		readableResponse(EXPORT, { statusCode: 207, headers: { date: 'today' }, body }, key);

	test.each([
		['bytes', bytes('köln'), 'köln'],
		['text', 'köln', 'köln'],
		['nothing', undefined, ''],
		['null', null, ''],
		['a parsed object', { a: 1 }, '{"a":1}'],
	])('has the status, the headers and the text of the HTTP helper, which returns %s', (_, body, text) => {
		expect(respondWith(body)).toMatchObject({ status: 207, headers: { date: 'today' }, body: text });
		expect(readableResponse(EXPORT, { statusCode: 200, body }, '').headers).toEqual({});
	});

	const KEY = String.raw`a"key\of/it`;
	test.each([
		['as it is', 'abcdefgh', 'abcdefgh', '***'],
		['not if it is as short as a word', 'abcdefg', 'abcdefg', 'abcdefg'],
		['in JSON', KEY, String.raw`a\"key\\of\/it`, '***'],
		['in JSON with plain slashes', KEY, String.raw`a\"key\\of/it`, '***'],
		['in a query', KEY, 'a%22key%5Cof%2Fit', '***'],
		['in a path', KEY, 'a%22key%5Cof/it', '***'],
	])('hides the key wherever it is written, %s', (_, key, written, shown) => {
		expect(respondWith(bytes(`Key ${written}! ${written}`), key).body).toBe(`Key ${shown}! ${shown}`);
	});

	test('is read as an object, with or without a byte-order mark before it, and without the key', () => {
		expect(respondWith(bytes('\uFEFF{"a":7}')).json()).toEqual({ a: 7 });
		expect(respondWith(bytes({ a: [1, null, 'abcdefgh'] }), 'abcdefgh').json()).toEqual({
			a: [1, null, '***'],
		});
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
