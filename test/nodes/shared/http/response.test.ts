import { isWebPage } from '../../../../nodes/shared/http/bodyText';
import {
	networkError,
	NotSent,
	statusError,
	type RequestLabel,
} from '../../../../nodes/shared/http/requestErrors';
import { readableResponse } from '../../../../nodes/shared/http/response';
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
	test.each([
		...['{"message":"Gone"}', '{"error":"Gone","status":404}', '"Gone"'].map((body) => [body, 'Gone']),
		['{"message":"","error":{"code":7,"message":"Gone"}}', 'Gone'],
		['{"message":" ","error":"Gone"}', 'Gone'],
		...['{"code":7}', '[{"message":"Gone"}]', '{"message":', 'no {credential}'].map((as) => [as, as]),
		[' one\r\n  two\t\tthree\n', 'one two three'],
		['see https://m.example/t.json?X-Amz-Signature=5ec7e7', 'see https://m.example/t.json?…'],
		['x'.repeat(300), 'x'.repeat(300)],
		[`${'x'.repeat(299)}yz`, `${'x'.repeat(299)}y…`],
	])('quotes what the body %j says in words, without the query of a link', (body, words) => {
		const { description, details } = statusError(CRM, response(418, body));
		expect(description).toContain(`Status 418: "${words}". Repeating`);
		expect(details.response).toBe(words);
	});

	test('ends the words with a full stop if they do not end a sentence', () => {
		const said = ['', 'No', 'No.', 'No!', 'No?'].map((body) => statusError(CRM, response(418, body)));
		expect(said.map(({ description }) => description?.split(' Repeating')[0])).toEqual([
			...['Status 418.', 'Status 418: "No".', 'Status 418: "No."', 'Status 418: "No!"', 'Status 418: "No?"'],
		]);
	});

	/** The path of every endpoint that the API documentation has. */
	const paths = headings.flatMap((heading) => /^D[12] § [A-Z]+ (\/.*)/.exec(heading)?.[1] ?? []);

	test.each<[RequestLabel, string, string | undefined]>([
		...paths.map((path): [RequestLabel, string, string] => [
			path.startsWith('/export') ? EXPORT : CRM,
			`https://api.example.com/v1${path}`,
			`must not contain ${path}`,
		]),
		[EXPORT, 'https://api.example.com/export', 'must not contain /export'],
		[EXPORT, 'https://a.example.com/custom/appointment', 'is that of the CRM Appointment API'],
		[CRM, 'https://a.example.com/v1/export/users/', 'is that of the Conversation Export API'],
		[EXPORT, 'https://export.example.com/exports', undefined],
		[CRM, 'https://a.example.com/custom/v1', undefined],
		[EXPORT, 'https://a.example.com/customers/export-api', undefined],
	])('of %j, the Base URL %s has the defect %p', (label, baseUrl, defect) => {
		const at = (status: number) => statusError({ ...label, baseUrl, explain }, response(status)).message;
		const message = defect ? `The Base URL ${defect}` : 'Own words';
		expect([403, 404, 405].map(at)).toEqual(Array(3).fill(message));
		// Then the service refuses the key, whatever the address; the export also refuses a request of the other API so.
		expect(at(401)).toBe(defect?.endsWith('API') ? message : 'Own words');
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
		['a bad list', failed('CRL_HAS_EXPIRED'), PUBLIC, 'certificate_refused', 'CRL_HAS_EXPIRED'],
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

	test('says its time limit in whole seconds', () => {
		const times = [1499, 1500].map(
			(limitMs) => networkError(EXPORT, { limitMs }).message.split(' within ')[1],
		);
		expect(times).toEqual(['a second', '2 seconds']);
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
