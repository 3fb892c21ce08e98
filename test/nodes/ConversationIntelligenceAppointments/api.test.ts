import fc from 'fast-check';
import { jsonParse, type IDataObject, type INodeParameters } from 'n8n-workflow';
import { POLICY } from '../../../nodes/shared/http/policy';
import { sentencesOf } from '../../../nodes/ConversationIntelligenceAppointments/errors';
import {
	automatic,
	byHand,
	CONVERSATION_ID,
	CREATE,
	DELETE,
	MATCH,
	processingService,
	runAppointments,
	texts,
	UPDATE,
} from './mapping';

const NO_ROUTE = JSON.stringify({ message: 'No matching route for POST /custom/appointment/' });
const OPERATIONS: Record<string, INodeParameters> = { update: UPDATE, delete: DELETE, match: MATCH };

/** Each response of D2 § Errors: the operation, the status, the code for the next node, and bodies. */
const PERMANENT: Array<[string, number, string, string[]]> = [
	['update', 400, 'appointment_refused', ['user_email must be a non-empty string']],
	['update', 400, 'appointment_refused', ['attendee_emails must be an array of non-empty strings']],
	['update', 400, 'attendees_with_media', ['attendee_emails cannot be combined with media_url']],
	['update', 403, 'api_key_refused', ['Forbidden']],
	['update', 404, 'address_not_found', [NO_ROUTE]],
	['update', 422, 'attendees_unknown', ['User email is not in Acme']],
	// The documented body begins with these words.
	['update', 422, 'request_unprocessable', ['Invalid: User email is not in Acme']],
	['delete', 400, 'event_id_refused', ['Invalid parameters']],
	['delete', 404, 'appointment_not_found', ['Not found', '?', 'Nothing{}', 'Appointment page-5 not found']],
	['delete', 404, 'appointment_not_found', ['[crm-5] not found', '<crm-5> not found', '{crm-5} not found']],
	['delete', 409, 'appointment_has_recording', ['Appointment has a recording', '']],
	['delete', 409, 'request_refused', ['{"message":"Conflict"}']],
	['delete', 422, 'request_unprocessable', ['']],
	['match', 400, 'request_refused', ['Invalid JSON data', 'Missing some required parameters in the body']],
	['match', 403, 'api_key_refused', ['Forbidden']],
	['match', 404, 'appointment_not_found', ['Event not found']],
	['match', 404, 'conversation_not_found', ['Conversation not found']],
	['match', 404, 'address_not_found', [NO_ROUTE]],
	['match', 422, 'conversation_without_recording', ['Conversation has no recording to link']],
	['match', 422, 'recording_gone', ["Conversation's recording could not be found to link"]],
	['match', 422, 'request_unprocessable', ['No organization']],
];

/** What routers, hosts, gateways and tunnels say with 404. */
const WRONG_ADDRESSES = texts(
	`<html>Not Found</html> | <h1>Not Found</h1> | <pre>Cannot DELETE /crm/custom/appointment/a</pre> | ${NO_ROUTE} |
	{"message":"Not Found"} | ["Not Found"] | 404 page not found | Page not found | 404: Not Found |
	No Route matched with those values | default backend - 404 | Tunnel x.example not found |
	The deployment could not be found on this host. |
	The requested URL /a was not found on this server. | Cannot DELETE /custom/appointment/a |
	Not Found - Request ID: 01H | error code: 1016 | <error code="404"/> |
	<soap:Fault><code>404</code></soap:Fault> | <meta http-equiv="refresh" content="0;url=/sign-in">`,
);

const MATCHED = 'Successfully matched conversation to event';
const SOON = { 'retry-after': '0' };

describe('the appointment API', () => {
	const { service, engine, bodies } = processingService(' secret-key-1\n');
	beforeEach(() => {
		jest.replaceProperty(POLICY as { baseDelayMs: number }, 'baseDelayMs', 20);
		jest.replaceProperty(POLICY as { maxDelayMs: number }, 'maxDelayMs', 20);
		service.respond([{ status: 200 }]);
	});

	const run = async (parameters: INodeParameters, ids = ['a'], continueOnFail = false) => {
		const rows = ids.map((id) => ({ id }));
		return await runAppointments(engine, parameters, rows, { continueOnFail });
	};
	const codeOf = async (parameters: INodeParameters, ids?: string[]) =>
		(await run(parameters, ids)).error?.context?.details;

	// D2-HEAD-01..03, D2-AUTH-01, D2-DOES-06, D2-POST-01, D2-DEL-02, D2-ERR-01
	test('gets the key as x-api-key, is asked for plain text, and gets JSON where there is a body', async () => {
		service.respond([{ status: 200, body: ' "As it says"\n' }]);
		for (const [index, parameters] of [byHand(CREATE), UPDATE, DELETE, MATCH].entries()) {
			const { items } = await run(parameters, [`e-${index}`]);
			expect(items[0].json).toMatchObject({ status: 200, response: 'As it says' });
		}
		const json = 'application/json';
		expect(
			service.seen.map(({ method, url, headers, body }) => [
				`${method} ${url}`,
				...['x-api-key', 'authorization', 'accept', 'content-type'].map((name) => headers[name]),
				body?.event_id,
			]),
		).toEqual([
			['POST /crm/custom/appointment', 'secret-key-1', undefined, 'text/plain', json, 'crm-1'],
			['POST /crm/custom/appointment', 'secret-key-1', undefined, 'text/plain', json, 'e-1'],
			['DELETE /crm/custom/appointment/e-2', 'secret-key-1', undefined, 'text/plain', undefined, undefined],
			['POST /crm/custom/appointment/match', 'secret-key-1', undefined, 'text/plain', json, 'e-3'],
		]);
		expect(bodies().at(-1)).toEqual({ event_id: 'e-3', conversation_id: CONVERSATION_ID });
	});

	// D2-APPT-15
	test('gets every key and value of custom fields, in UTF-8', async () => {
		const text = fc.string({ unit: 'grapheme' });
		const name = fc.oneof(text, fc.constantFrom('__proto__', 'constructor', 'prototype'));
		const value = fc.oneof(text, fc.integer(), fc.boolean(), fc.constant(null));
		const objectOf = (values: fc.Arbitrary<unknown>) =>
			fc.array(fc.tuple(name, values)).map((entries) => Object.fromEntries(entries) as IDataObject);
		await fc.assert(
			fc.asyncProperty(objectOf(fc.oneof(value, objectOf(value))), fc.boolean(), async (custom, isText) => {
				service.respond([{ status: 200 }]);
				const custom_fields = isText ? JSON.stringify(custom) : custom;
				await runAppointments(engine, automatic(), [{ ...CREATE, custom_fields }]);
				expect(service.seen[0].text).toContain(`"custom_fields":${JSON.stringify(custom)}`);
			}),
			{ numRuns: 30, examples: [[JSON.parse('{"__proto__":{"constructor":"ä"},"prototype":1}'), true]] },
		);
	});

	// D2-RETRY-01, D2-BODY-01..11, D2-DEL-03, D2-ERR-02, D2-ERR-05, D2-ERR-14, D2-ERR-19, D2-STATE-04, D2-DEL-04, D2-DEL-06, D2-ERR-11, D2-ERR-16, D2-ERR-18, D2-AUTH-02..04
	test.each(
		PERMANENT.flatMap(([name, status, code, all]) => all.map((body) => [name, status, body, code] as const)),
	)(
		'is quoted, and not asked again, when it responds to %s with %i %s',
		async (operation, status, body, code) => {
			service.respond(({ url, body: sent }) =>
				url.endsWith('/b') || sent?.event_id === 'b' ? { status, body } : { status: 200 },
			);
			const { items } = await run(OPERATIONS[operation], ['a', 'b', 'c'], true);
			const response = (body.startsWith('{"') ? jsonParse<IDataObject>(body).message : body) || undefined;
			const details = { code, retryable: false, status, eventId: 'b', ...(response && { response }) };
			expect(items.map(({ json }) => json.event_id ?? json.details)).toMatchObject(['a', details, 'c']);
			const said = `${String(items[1].json.error)} ${String(items[1].json.message)}`;
			expect(said).toContain(`Status ${status}`);
			expect(said).not.toContain('secret-key-1');
			expect(service.seen).toHaveLength(3);
		},
	);

	// D2-RETRY-02..03, D2-ERR-20..21
	test.each([
		['update', ['event_id', 'user_email', 'status', 'response', 'sent', 'warnings']],
		['delete', ['deleted', 'existed', 'event_id', 'status', 'response', 'warnings']],
		['match', ['matched', 'event_id', 'conversation_id', 'status', 'response', 'warnings']],
	])('is asked for the same %s again after 429, 500, another 5xx and a lost response', async (name, keys) => {
		const failed = [429, 500, 503].map((status) => ({ status, headers: SOON }));
		service.respond([...failed, 'reset', { status: 200, body: 'Processed' }]);
		const { items } = await run(OPERATIONS[name]);
		expect(items[0].json).toMatchObject({ event_id: 'a', status: 200, response: 'Processed' });
		expect(Object.keys(items[0].json)).toEqual(keys);
		const [first, ...others] = service.seen.map(({ method, url, body }) => [method, url, body]);
		expect(others).toEqual(Array(4).fill(first));
	});

	const MEDIA = { media_url: 'https://m.example.com/a', recording_type: 'CALL_AUDIO', attendee_emails: '' };
	const ALONE = sentencesOf({ attendees_missing: ['attendee_emails'] });
	const TWICE = sentencesOf({ attendees_missing: ['attendee_emails'], media_maybe_twice: [CREATE.event_id] });
	const IN_DOUBT = { deleted: true, existed: true, warnings: sentencesOf({ delete_in_doubt: ['a'] }) };
	const ALL: INodeParameters = { ...DELETE, options: { missingIsDeleted: true } };
	const MISSING = { code: 'appointment_not_found' };
	const KEPT = { code: 'appointment_has_recording' };

	// D2-STATE-01, D2-STATE-03, D2-RETRY-02
	test.each<[string, INodeParameters, Array<number | 'reset'>, number, object]>([
		['a recording', byHand({ ...CREATE, ...MEDIA }), ['reset'], 200, { warnings: TWICE }],
		['a recording', byHand({ ...CREATE, ...MEDIA }), [500], 200, { warnings: TWICE }],
		["a recording after a proxy's", byHand({ ...CREATE, ...MEDIA }), [524], 200, { warnings: TWICE }],
		['a recording', byHand({ ...CREATE, ...MEDIA }), [504, 429], 200, { warnings: TWICE }],
		['a recording', byHand({ ...CREATE, ...MEDIA }), [429, 503], 200, { warnings: ALONE }],
		['a recording', byHand({ ...CREATE, ...MEDIA }), [], 200, { warnings: ALONE }],
		['an appointment alone', byHand(CREATE), [500], 200, { warnings: [] }],
		['a delete', DELETE, ['reset'], 404, IN_DOUBT],
		['a delete', DELETE, [500], 404, IN_DOUBT],
		['a delete', DELETE, [500, 503], 200, { existed: true, warnings: [] }],
		['a delete', DELETE, [429], 404, MISSING],
		['a delete', DELETE, [503], 404, MISSING],
		['a delete', DELETE, [500], 409, KEPT],
		['a delete of what may be missing', ALL, [], 404, { deleted: true, existed: false, warnings: [] }],
		['a delete of what may be missing', ALL, [500], 404, IN_DOUBT],
		['a delete of what may be missing', ALL, [], 409, KEPT],
		['a match', MATCH, ['reset'], 404, MISSING],
	])(
		'says of %s (%j) what attempts with %j and then %i leave in doubt: %j',
		async (_, parameters, before, last, expected) => {
			const body = { 200: MATCHED, 404: 'Event not found', 409: 'Has a recording' }[last];
			const failed = before.map((status) => (status === 'reset' ? status : { status, headers: SOON }));
			service.respond([...failed, { status: last, body }]);
			const { items, error } = await run(parameters);
			expect(error?.context?.details ?? items[0].json).toMatchObject(expected);
			expect(service.seen).toHaveLength(before.length + 1);
		},
	);

	test.each([
		['ends the run after 5 requests when it explains none', 'No organization', 5],
		['concerns one item when it names a user', 'User email is not in Acme', 20],
	])('with 422 %s', async (_what, body, requests) => {
		service.respond([{ status: 422, body }]);
		const ids = Array.from({ length: 20 }, (_, index) => `e-${index}`);
		const { items } = await run({ ...UPDATE, options: { concurrency: 1 } }, ids, true);
		expect([items.length, service.seen.length]).toEqual([20, requests]);
	});

	test('confirms 404 to a delete only for the items with Treat Missing as Deleted', async () => {
		service.respond([{ status: 404, body: 'Not found' }]);
		const options = { missingIsDeleted: '={{ $json.id !== "a" && $json.id !== "c" }}' };
		const { items } = await run({ ...DELETE, options }, ['a', 'b', 'c', 'd'], true);
		const [a, c] = ['a', 'c'].map((eventId): unknown => expect.objectContaining({ ...MISSING, eventId }));
		expect(items.map(({ json }) => json.existed ?? json.details)).toEqual([a, false, c, false]);
	});

	// D2-ERR-12, D2-ERR-13
	test('with 404 to a delete is a wrong address, whatever the options, unless it is plain words', async () => {
		for (const body of ['\n\n<html>Not Found</html>', ' ', ...WRONG_ADDRESSES]) {
			service.respond([{ status: 404, body }]);
			expect(await codeOf(ALL)).toMatchObject({ code: 'address_not_found', eventId: 'a' });
		}
	});

	test.each([
		'<!DOCTYPE html><title>Sign in, secret-key-1</title>',
		'{"errorMessage":"Task timed out","errorType":"Error"}',
		'{"error":{"code":7}}',
	])('fails with status 200 and no confirmation, and a web page is not shown: %s', async (body) => {
		service.respond([{ status: 200, body }]);
		for (const parameters of Object.values(OPERATIONS)) {
			const { error } = await run(parameters);
			expect(error?.context?.details).toMatchObject({ code: 'response_unreadable', status: 200 });
			expect(`${error?.message} ${error?.description}`).not.toContain('secret-key-1');
		}
		expect(service.seen).toHaveLength(3);
	});

	test.each([
		['', ''],
		['"two\nlines"', 'two\nlines'],
		['"hi" he said', '"hi" he said'],
		['{"ok":true}', '{"ok":true}'],
	])('confirms with 200 and any words, because D2 does not specify them: %j', async (body, response) => {
		service.respond([{ status: 200, body }]);
		expect((await run(DELETE)).items[0].json).toMatchObject({ event_id: 'a', status: 200, response });
	});

	// D2-MATCH-01
	test.each<[string, boolean]>([
		[MATCHED, true],
		[JSON.stringify(MATCHED), true],
		[`${MATCHED}\n`, true],
		['Welcome', false],
		[`${MATCHED} later`, false],
	])('to a match with %j is expected: %p, else each item says so', async (body, isExpected) => {
		service.respond([{ status: 200, body }]);
		const ids = [CONVERSATION_ID, CONVERSATION_ID.replace('3', '4')];
		const { items } = await run({ ...MATCH, conversationId: '={{ $json.id }}' }, ids);
		const warnings = isExpected ? [] : sentencesOf({ match_unconfirmed: [body] });
		expect(items.map(({ json }) => [json.matched, json.warnings])).toEqual(Array(2).fill([true, warnings]));
	});

	const BY_LINK = { __rl: true, mode: 'url', value: `={{ "https://app.example.com/c/${CONVERSATION_ID}" }}` };
	// D2-MATCHBODY-01..02, D2-ERR-10
	test.each<[INodeParameters, string, object]>([
		[{ ...MATCH, conversationId: '={{ null }}' }, 'a', { field: 'Conversation', eventId: 'a' }],
		[{ ...MATCH, conversationId: 'abc' }, 'a', { field: 'Conversation', eventId: 'a' }],
		[{ ...MATCH, conversationId: BY_LINK }, 'a', { event_id: 'a', conversation_id: CONVERSATION_ID }],
		[MATCH, '', { field: 'Event ID', code: 'field_missing' }],
		[MATCH, 'null', { field: 'Event ID', code: 'id_invalid' }],
		...['.', '..', 'a\ud83d'].map((id): [INodeParameters, string, object] => [
			DELETE,
			id,
			{ field: 'Event ID', code: 'event_id_unsendable' },
		]),
		[DELETE, '', { field: 'Event ID', code: 'field_missing' }],
	])('of %j for the Event ID %j gets %j, or nothing', async (parameters, id, expected) => {
		const details = await codeOf(parameters, [id]);
		expect(details ?? bodies()[0]).toMatchObject(expected);
		expect(service.seen).toHaveLength(details ? 0 : 1);
	});
});
