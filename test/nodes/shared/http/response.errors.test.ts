import fc from 'fast-check';
import {
	isWebPage,
	networkError,
	NotSent,
	statusError,
	type RequestLabel,
} from '../../../../nodes/shared/http/response';
import type { Tried } from '../../../../nodes/shared/http/policy';

const EXPORT: RequestLabel = { credentialType: 'conversationExportApi', path: '/export/users' };
const CRM: RequestLabel = { credentialType: 'crmAppointmentApi', path: '/custom/appointment' };
const response = (status: number, body = '') => ({ status, headers: {}, body });

describe('statusError', () => {
	// D2-ERR-00
	test('says what is wrong, with status, quoted body and item, for any status and body', () => {
		const words = fc.string({ unit: fc.constantFrom(...'abc XYZ 019.,:-'), minLength: 1, maxLength: 80 });
		fc.assert(
			fc.property(fc.integer({ min: 300, max: 599 }), words, (status, body) => {
				const error = statusError(EXPORT, response(status, body));
				const said = body.replace(/\s+/g, ' ').trim();

				expect(error.message).toMatch(/^The service .*$/);
				const end = /[.!?]$/.test(said) ? ' ' : '. ';
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
		['{"code":7}', '{"code":7}'],
		['[{"message":"Not found"}]', '[{"message":"Not found"}]'],
		['{"message":', '{"message":'],
		['no {credential}', 'no {credential}'],
		['see https://m.example/t.json?X-Amz-Signature=5ec7e7', 'see https://m.example/t.json?…'],
	])('quotes what the body %s says in words, without the query of a link', (body, words) => {
		const { description, details } = statusError(CRM, response(418, body));
		expect(description).toContain(`Status 418: "${words}". `);
		expect(details.response).toBe(words);
	});

	test.each([
		['https://api.example.com/v1/export/conversations', '/export/conversations'],
		['https://api.example.com/export', '/export'],
		['https://export.example.com/exports', undefined],
		['https://a.example.com/custom/v1', undefined],
		['https://a.example.com/customers/export-api', undefined],
	])('says which endpoint the Base URL %s must not contain: %s', (baseUrl, endpoint) => {
		const explain = () => ({ code: 'gone', message: 'Gone', advice: 'Look.' });
		const at = (status: number) => statusError({ ...EXPORT, baseUrl, explain }, response(status));
		for (const status of [403, 404, 405]) {
			expect(at(status).details.code).toBe(endpoint ? 'base_url_has_endpoint' : 'gone');
			const advice = `Leave out ${endpoint} in the Conversation Export API credential.`;
			if (endpoint) expect(at(status).description).toBe(`Status ${status}. ${advice}`);
		}
		// Then the service refuses the key, whatever the address.
		expect(at(401).details.code).toBe('gone');
	});

	// D1-ERR-01
	test.each([
		[199, 'request_refused', false],
		[302, 'redirected', false],
		[401, 'api_key_unknown', false],
		[403, 'api_key_refused', false],
		[404, 'address_not_found', false],
		[408, 'request_timed_out', true],
		[418, 'request_refused', false],
		[422, 'request_unprocessable', false],
		[429, 'rate_limited', true],
		[503, 'service_failed', true],
		[600, 'request_refused', false],
		[999, 'request_refused', false],
	])('status %i has the code %s; whether it is retryable is %p', (status, code, retryable) => {
		const { details, description } = statusError(CRM, response(status));
		expect(details).toEqual({ code, retryable, status });
		expect(description).not.toContain('{');
	});

	test.each([
		[401, 'api_key_unknown'],
		[403, 'request_blocked'],
		[404, 'address_not_found'],
		[406, 'request_blocked'],
		[422, 'request_blocked'],
		[451, 'request_blocked'],
		[503, 'service_failed'],
	])("tells a firewall's page with status %i from the service's words: %s", (status, code) => {
		const explain = () => ({ code: 'own', message: 'Own words', advice: 'Own advice.' });
		const error = statusError({ ...CRM, explain }, response(status, '<html>Request blocked</html>'));
		expect(error.details.code).toBe(code);
		if (code !== 'request_blocked') return;
		expect(error.failure).toBeUndefined();
		expect(statusError(CRM, response(status, 'error code: 1020\n')).details.code).toBe(code);
	});

	test.each([
		[401, { cause: 'credential-invalid' }],
		[403, { cause: 'credential-invalid' }],
		[429, { cause: 'rate-limited', retryAfterMs: 45_000 }],
		[503, { cause: 'temporarily-unavailable', retryAfterMs: 45_000 }],
		[400, undefined],
	])("passes the cause of status %i and the wait to n8n's scheduler", (status, failure) => {
		const explain = () => ({ code: 'own', message: 'Own words', advice: 'Own advice.' });
		const busy = { ...response(status), headers: { 'retry-after': '45' } };

		expect(statusError({ ...CRM, explain }, busy).failure).toEqual(failure);
	});

	test('cuts a long body and names a web page instead of quoting it', () => {
		const quoteOf = (body: string) => /"(.*)"/.exec(statusError(CRM, response(500, body)).description!)?.[1];
		expect(quoteOf('x'.repeat(300))).toBe('x'.repeat(300));
		expect(quoteOf('x'.repeat(299) + 'yz')).toBe(`${'x'.repeat(299)}y…`);
		expect(quoteOf(' one\r\n  two\t\tthree\n')).toBe('one two three');
		const page = statusError(CRM, response(502, '<html><body>Bad</body></html>'));
		expect(page.description).toMatch(/^Status 502: a web page instead of a response\./);
		expect(page.details.response).toBeUndefined();
	});

	test.each<[Tried | undefined, string]>([
		[undefined, 'Status 418. Repeating'],
		[{ attempts: 1 }, 'Status 418. Tried once. Repeating'],
		[{ attempts: 6 }, 'Status 418. Tried 6 times. Repeating'],
		[{ attempts: 2, askedSeconds: 900 }, '900-second pause, above the 300-second limit. Repeating'],
		[{ attempts: 2, askedSeconds: 300 }, '300-second pause, longer than this request may take. Repeating'],
	])('says how often it tried, and which pause is too long: %j', (tried, words) => {
		expect(statusError(CRM, response(418), tried).description).toContain(words);
	});
});

describe('networkError', () => {
	const failed = (code?: string, message = '') => Object.assign(new Error(message), { code });

	test('shows the system code of a nested cause and nothing else of the failure', () => {
		const cause = failed('ECONNREFUSED', 'connect to secret-host');
		const error = networkError(EXPORT, { failure: new Error('Authorization: top-secret', { cause }) });
		expect(error.description).toMatch(/^No response came \(ECONNREFUSED\)\. Check the Base URL/);
		expect(error.failure).toEqual({ cause: 'temporarily-unavailable' });
		expect(`${error.message} ${error.description}`).not.toMatch(/secret/);
		expect(networkError(CRM, { failure: failed() }).description).toMatch(/^No response came \(unknown\)\. R/);
	});

	const PLAIN = failed('EPROTO', 'wrong version number');
	const ALERT = failed('EPROTO', 'an alert came');
	test.each([
		['a failure without a system code', failed(), undefined, 'request_impossible'],
		['no HTTPS at a public host', PLAIN, 'https://api.example.com', 'address_without_https'],
		['no HTTPS at a private host', PLAIN, 'https://sandbox:8790', 'private_address_without_https'],
		['no HTTPS by another code', failed('ERR_SSL_WRONG_VERSION_NUMBER'), undefined, 'address_without_https'],
		['no HTTPS at an unknown host', new Error('no', { cause: PLAIN }), undefined, 'address_without_https'],
		['HTTPS that is refused', new Error('no', { cause: ALERT }), 'https://sandbox', 'request_impossible'],
	])('calls %s by its code', (_what, failure, baseUrl, code) => {
		expect(networkError({ ...CRM, baseUrl }, { failure }).details.code).toBe(code);
	});

	test.each([
		[1000, 'a second'],
		[1499, 'a second'],
		[1500, '2 seconds'],
		[300_000, '300 seconds'],
	])('says that %i ms are %s', (limitMs, words) => {
		const error = networkError(CRM, { limitMs }, { attempts: 2 });
		expect(error.message).toBe(`The service did not answer within ${words}`);
		expect(error.description).toBe('Tried 2 times. Run the workflow again later.');
		expect(error.failure).toEqual({ cause: 'temporarily-unavailable' });
	});
});

test('NotSent says how the others of its run ended', () => {
	const error = new NotSent(statusError(CRM, response(503)));
	expect(error.message).toBe(
		'Skipped because earlier requests failed: the service could not process the request',
	);
	expect(error.description).toMatch(/^Status 503\. This may be transient/);
	expect(error.details).toEqual({ code: 'not_sent', retryable: true, status: 503 });
	const details = { code: 'not_sent', retryable: false };
	expect(new NotSent(new Error('Gone'))).toMatchObject({ description: undefined, details });
});

const PAGES = [
	'<html>',
	' \n<HTML lang="de">',
	'<!doctype html>',
	'<head>',
	'<body>',
	'<?xml ?>',
	'<!---->',
	'<h1 id="a">No</h1>',
	' <P>\nNo</P>',
	'<meta http-equiv="refresh" content="0; url=/sign-in">',
	'<div class="login">',
	'<error code="1"/>',
	'<br/>',
	'<soap:Fault a="/"><code>7</code></soap:Fault>',
];
const NO_PAGES = [
	'',
	'html',
	'Bad <html>',
	'<htmlish>',
	'<p>',
	'<none>',
	'{"a":"<html>"}',
	'< html>',
	'<crm-1> is not </crm-1>',
	'<b> is not </a>',
	'<divider>',
	'<a b <c/>',
	'<crm-1/> is not',
];

test('isWebPage is true for nothing but the beginning of a web page', () => {
	expect([...PAGES, ...NO_PAGES].filter(isWebPage)).toEqual(PAGES);
});
