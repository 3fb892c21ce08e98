import {
	networkError,
	NotSent,
	statusError,
	type RequestLabel,
} from '../../../../nodes/shared/http/requestErrors';
import { BrokenBody } from '../../../../nodes/shared/http/response';
import { failed } from './scriptedService';

const explain = () => ({ code: 'own', message: 'Own words', advice: 'Own advice.' });
const EXPORT: RequestLabel = { credentialType: 'conversationExportApi' };
const CRM: RequestLabel = { credentialType: 'crmAppointmentApi' };
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
		[408, 'service_failed', 'service_failed', later],
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
		expect(description).toContain(`Status 418: "${words}". The same`);
		expect(details.response).toBe(words);
	});

	test('ends the words with a full stop if they do not end a sentence', () => {
		const said = ['', 'No', 'No.', 'No!', 'No?'].map((body) => statusError(CRM, response(418, body)));
		expect(said.map(({ description }) => description?.split(' The same')[0])).toEqual([
			...['Status 418.', 'Status 418: "No".', 'Status 418: "No."', 'Status 418: "No!"', 'Status 418: "No?"'],
		]);
	});
});

describe('networkError', () => {
	const PLAIN = Object.assign(new Error('wrong version number'), { code: 'EPROTO' });
	const ALERT = Object.assign(new Error('an alert came'), { code: 'EPROTO' });
	const within = (cause: Error) => new Error('Authorization: top-secret', { cause });
	test.each([
		['a failure without a system code', failed(), 'request_impossible', 'unknown'],
		['a refused connection', within(failed('ECONNREFUSED')), 'service_unreachable', 'ECONNREFUSED'],
		['a bad certificate', failed('CERT_HAS_EXPIRED'), 'certificate_refused', 'CERT_HAS_EXPIRED'],
		['a bad list', failed('CRL_HAS_EXPIRED'), 'certificate_refused', 'CRL_HAS_EXPIRED'],
		['no HTTPS', within(PLAIN), 'address_without_https', 'EPROTO'],
		['a body that ends early', new BrokenBody(), 'response_incomplete', 'ERR_BODY_INCOMPLETE'],
		['HTTPS that is refused', within(ALERT), 'request_impossible', 'EPROTO'],
	])('calls %s by its code, and shows nothing else of it', (_what, failure, code, shown) => {
		const error = networkError(CRM, { failure });
		expect(error.details.code).toBe(code);
		expect(error.failure).toEqual({ cause: 'temporarily-unavailable' });
		expect(error.description).toMatch(new RegExp(`^(No response came|It ended early) \\(${shown}\\)\\. `));
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
	expect(error.description).toMatch(/^Status 503\. Run the workflow again later/);
	expect(error.details).toEqual({ code: 'not_sent', retryable: true, status: 503 });
	const details = { code: 'not_sent', retryable: false };
	expect(new NotSent(new Error('Gone'))).toMatchObject({ description: undefined, details });
});
