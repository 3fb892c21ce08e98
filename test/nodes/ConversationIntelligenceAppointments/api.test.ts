import fc from 'fast-check';
import { jsonParse, type IDataObject, type INodeParameters } from 'n8n-workflow';
import { POLICY } from '../../../nodes/shared/http/policy';
import { sentencesOf } from '../../../nodes/ConversationIntelligenceAppointments/errors';
import type { ScriptedResponse } from '../../support/scriptedServer';
import {
	automatic,
	byHand,
	CONVERSATION_ID,
	CREATE,
	DELETE,
	MATCH,
	processingService,
	runAppointments,
	UPDATE,
} from './mapping';

const NO_ROUTE_WORDS = 'No matching route for POST /custom/appointment/';
const NO_ROUTE = JSON.stringify({ message: NO_ROUTE_WORDS });

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
const WRONG_ADDRESSES =
	`<html>Not Found</html> | <h1>Not Found</h1> | <pre>Cannot DELETE /crm/custom/appointment/a</pre> |
	{"message":"Not Found"} | ["Not Found"] | 404 page not found | Page not found | 404: Not Found |
	No Route matched with those values | default backend - 404 | Tunnel x.example not found |
	The deployment could not be found on this host. |
	The requested URL /a was not found on this server. | Cannot DELETE /custom/appointment/a |
	Not Found - Request ID: 01H | error code: 1016 | <error code="404"/> |
	<soap:Fault><code>404</code></soap:Fault> | <meta http-equiv="refresh" content="0;url=/sign-in">`.split(
		/\s+\|\s+/,
	);

const NOT_FOUND = { status: 404, body: 'Not found' };
const MATCHED = 'Successfully matched conversation to event';
const SOON = { 'retry-after': '0' };

describe('the appointment API', () => {
	const { service, engine, bodies } = processingService(' secret-key-1\n');
	beforeEach(() => {
		jest.replaceProperty(POLICY as { baseDelayMs: number }, 'baseDelayMs', 20);
		jest.replaceProperty(POLICY as { maxDelayMs: number }, 'maxDelayMs', 20);
		service.respond([{ status: 200 }]);
	});

	const run = async (parameters: INodeParameters, ids = ['a'], continueOnFail = false) =>
		await runAppointments(
			engine,
			parameters,
			ids.map((id) => ({ id })),
			{ continueOnFail },
		);
	const codeOf = async (parameters: INodeParameters, ids?: string[]) =>
		(await run(parameters, ids)).error?.context?.details;

	// D2-HEAD-01..03, D2-AUTH-01, D2-DOES-06, D2-POST-01, D2-DEL-02, D2-ERR-01
	test('gets the key as x-api-key, is asked for plain text, and gets JSON where there is a body', async () => {
		service.respond([{ status: 200, body: ' "As it says"\n' }]);
		for (const [index, parameters] of [byHand(CREATE), UPDATE, DELETE, MATCH].entries()) {
			const { items, error } = await run(parameters, [`e-${index}`]);
			expect(error).toBeUndefined();
			expect(items[0].json).toMatchObject({ status: 200, response: 'As it says' });
		}
		const json = 'application/json';
		expect(
			service.seen.map(({ method, url, headers, body }) => [
				`${method} ${url}`,
				headers['x-api-key'],
				headers.authorization,
				headers.accept,
				headers['content-type'],
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
		const name = fc.oneof(
			fc.string({ unit: 'grapheme' }),
			fc.constantFrom('__proto__', 'constructor', 'prototype'),
		);
		const value = fc.oneof(fc.string({ unit: 'grapheme' }), fc.integer(), fc.boolean(), fc.constant(null));
		const nested = fc.array(fc.tuple(name, value)).map((entries) => Object.fromEntries(entries));
		const fields = fc
			.array(fc.tuple(name, fc.oneof(value, nested)))
			.map((entries) => Object.fromEntries(entries));
		const rows = fc.tuple(fields, fc.boolean());
		await fc.assert(
			fc.asyncProperty(rows, async ([custom, isText]) => {
				service.respond([{ status: 200 }]);
				const custom_fields = (isText ? JSON.stringify(custom) : custom) as IDataObject;
				const { error } = await runAppointments(engine, automatic(), [{ ...CREATE, custom_fields }]);
				expect(error).toBeUndefined();
				expect(service.seen[0].text).toContain(`"custom_fields":${JSON.stringify(custom)}`);
			}),
			{ numRuns: 30, examples: [[[JSON.parse('{"__proto__":{"constructor":"ä"},"prototype":1}'), true]]] },
		);
	});

	// D2-RETRY-01, D2-BODY-01..11, D2-DEL-03, D2-ERR-02, D2-ERR-05, D2-ERR-14, D2-ERR-19, D2-STATE-04, D2-DEL-04, D2-DEL-06, D2-ERR-11, D2-ERR-16, D2-ERR-18, D2-AUTH-02..04
	test.each(
		PERMANENT.flatMap(([name, status, code, bodies]) =>
			bodies.map((body) => [name, status, body, code] as const),
		),
	)(
		'is quoted, and not asked again, when it responds to %s with %i %s',
		async (operation, status, body, code) => {
			service.respond(({ url, body: sent }) =>
				url.endsWith('/b') || sent?.event_id === 'b' ? { status, body } : { status: 200 },
			);
			const { items } = await run(OPERATIONS[operation], ['a', 'b', 'c'], true);
			const response = (body.startsWith('{"') ? jsonParse<IDataObject>(body).message : body) || undefined;
			const details = { code, retryable: false, status, eventId: 'b', ...(response && { response }) };
			expect(items).toMatchObject([
				{ json: { event_id: 'a' }, pairedItem: { item: 0 } },
				{ json: { error: expect.any(String), details }, pairedItem: { item: 1 } },
				{ json: { event_id: 'c' }, pairedItem: { item: 2 } },
			]);
			const { error, message } = items[1].json;
			expect(`${String(error)} ${String(message)}`).toContain(`Status ${status}`);
			expect(`${String(error)} ${String(message)}`).not.toContain('secret-key-1');
			expect(service.seen).toHaveLength(3);
		},
	);

	// D2-RETRY-02..03
	test.each([
		['update', ['event_id', 'user_email', 'status', 'response', 'sent', 'warnings']],
		['delete', ['deleted', 'existed', 'event_id', 'status', 'response', 'warnings']],
		['match', ['matched', 'event_id', 'conversation_id', 'status', 'response', 'warnings']],
	])('is asked for the same %s again after 429, 500, another 5xx and a lost response', async (name, keys) => {
		service.respond([
			{ status: 429, headers: SOON },
			{ status: 500, body: 'Oops', headers: SOON },
			{ status: 503, headers: SOON },
			'reset',
			{ status: 200, body: 'Processed' },
		]);
		const { items, error } = await run(OPERATIONS[name]);
		expect(error).toBeUndefined();
		expect(items[0].json).toMatchObject({ event_id: 'a', status: 200, response: 'Processed' });
		expect(Object.keys(items[0].json)).toEqual(keys);
		const [first, ...others] = service.seen.map(({ method, url, body }) => [method, url, body]);
		expect(others).toEqual(Array(4).fill(first));
	});

	// D2-STATE-01, D2-RETRY-02
	test.each<[string, ScriptedResponse[], boolean]>([
		['a lost response', ['reset'], true],
		['a 500', [{ status: 500, headers: SOON }], true],
		["a proxy's 524", [{ status: 524, headers: SOON }], true],
		['a 504 and a 429', [504, 429].map((status) => ({ status, headers: SOON })), true],
		['nothing', [], false],
		['a 429 and a 503', [429, 503].map((status) => ({ status, headers: SOON })), false],
	])(
		'may have ingested a recording twice after %s, which the item says',
		async (_what, before, isInDoubt) => {
			const media = {
				media_url: 'https://m.example.com/a',
				recording_type: 'CALL_AUDIO',
				attendee_emails: '',
			};
			for (const row of [{ ...CREATE, ...media }, CREATE]) {
				service.respond([...before, { status: 200 }]);
				const { items } = await run(byHand(row));
				expect(service.seen).toHaveLength(before.length + 1);
				const warned =
					isInDoubt && row !== CREATE ? sentencesOf({ media_maybe_twice: [CREATE.event_id] }) : [];
				expect(items[0].json.warnings).toEqual(expect.arrayContaining(warned));
				expect(JSON.stringify(items[0].json.warnings).includes('ingested twice')).toBe(warned.length > 0);
			}
		},
	);

	// D2-ERR-20..21
	test.each([
		[429, 11, 'rate_limited'],
		[500, 6, 'service_failed'],
	])('may work later when every attempt gets %i', async (status, attempts, code) => {
		service.respond([{ status, body: 'Busy', headers: SOON }]);
		expect(await codeOf(UPDATE)).toMatchObject({ code, status, response: 'Busy', retryable: true });
		expect(service.seen).toHaveLength(attempts);
	});

	test.each([
		['ends the run after 5 requests when it explains none', 'No organization', 5],
		['concerns one item when it names a user', 'User email is not in Acme', 20],
	])('with 422 %s', async (_what, body, requests) => {
		service.respond([{ status: 422, body }]);
		const ids = Array.from({ length: 20 }, (_, index) => `e-${index}`);
		const { items } = await run({ ...UPDATE, options: { concurrency: 1 } }, ids, true);
		expect(items).toHaveLength(20);
		expect(service.seen).toHaveLength(requests);
	});

	describe('with 404 to a delete', () => {
		// D2-STATE-03
		test.each<[string, ScriptedResponse]>([
			['a lost response', 'reset'],
			['a 500', { status: 500, headers: SOON }],
		])('confirms it after %s', async (_name, doubtful) => {
			service.respond([doubtful, NOT_FOUND]);
			expect((await run(DELETE)).items[0].json).toEqual({
				deleted: true,
				existed: true,
				event_id: 'a',
				status: 404,
				response: 'Not found',
				warnings: sentencesOf({ delete_in_doubt: ['a'] }),
			});
		});

		test('is no longer in doubt once another attempt is confirmed', async () => {
			const failed = [500, 503].map((status) => ({ status, headers: SOON }));
			service.respond([...failed, { status: 200 }]);
			expect((await run(DELETE)).items[0].json).toMatchObject({ existed: true, status: 200, warnings: [] });
		});

		test.each([429, 503])('refuses it after %i, which did not apply it', async (status) => {
			service.respond([{ status, headers: SOON }, NOT_FOUND]);
			expect(await codeOf(DELETE)).toMatchObject({ code: 'appointment_not_found' });
		});

		test('confirms it only for the items with Treat Missing as Deleted', async () => {
			service.respond([NOT_FOUND]);
			const options = { missingIsDeleted: '={{ $json.id !== "a" && $json.id !== "c" }}' };
			const { items } = await run({ ...DELETE, options }, ['a', 'b', 'c', 'd'], true);
			expect(items.map(({ json }) => json.existed ?? json.details)).toEqual([
				expect.objectContaining({ code: 'appointment_not_found', eventId: 'a' }),
				false,
				expect.objectContaining({ code: 'appointment_not_found', eventId: 'c' }),
				false,
			]);
		});

		// D2-ERR-12, D2-ERR-13
		test('is a wrong address, whatever the options, unless it is plain words', async () => {
			for (const body of [NO_ROUTE, '\n\n<html>Not Found</html>', ' ', ...WRONG_ADDRESSES]) {
				service.respond([{ status: 404, body }]);
				const details = await codeOf({ ...DELETE, options: { missingIsDeleted: true } });
				expect(details).toMatchObject({ code: 'address_not_found', eventId: 'a' });
			}
		});
	});

	test('with 404 to a match refuses it, also after a lost response', async () => {
		service.respond(['reset', { status: 404, body: 'Event not found' }]);
		expect(await codeOf(MATCH)).toMatchObject({ code: 'appointment_not_found' });
	});

	test('fails with a web page and status 200, whose words are not shown', async () => {
		service.respond([{ status: 200, body: '<!DOCTYPE html><title>Sign in, secret-key-1</title>' }]);
		const { error } = await run(DELETE);
		expect(error?.context?.details).toMatchObject({ code: 'response_unreadable', status: 200 });
		expect(error?.message).toContain('is a web page, not a confirmation');
		expect(`${error?.message} ${error?.description}`).not.toContain('secret-key-1');
		expect(service.seen).toHaveLength(1);
	});

	test.each(['{"errorMessage":"Task timed out","errorType":"Error"}', '{"error":{"code":7}}'])(
		'fails with the error that a gateway sends with status 200: %s',
		async (body) => {
			service.respond([{ status: 200, body }]);
			for (const parameters of Object.values(OPERATIONS)) {
				expect(await codeOf(parameters)).toMatchObject({ code: 'response_unreadable', status: 200 });
			}
		},
	);

	test.each([
		['', ''],
		['He said "hi"', 'He said "hi"'],
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
		const { items } = await run({ ...MATCH, conversationId: '={{ $json.id }}' }, [
			CONVERSATION_ID,
			CONVERSATION_ID.replace('3', '4'),
		]);
		const warnings = isExpected ? [] : sentencesOf({ match_unconfirmed: [body] });
		expect(items.map(({ json }) => [json.matched, json.warnings])).toEqual(Array(2).fill([true, warnings]));
	});

	test('gets two matches of one conversation, in whatever letter case, one after the other', async () => {
		const conversationId = '={{ $json.id }}';
		for (const [other, inFlight] of [
			[CONVERSATION_ID.toUpperCase(), 1],
			[CONVERSATION_ID.replace('3', '4'), 2],
		] as const) {
			service.respond([{ status: 200, body: MATCHED, delayMs: 50 }]);
			await run({ ...MATCH, eventId: 'e-1', conversationId }, [CONVERSATION_ID, other]);
			expect([service.maxInFlight, service.seen.length]).toEqual([inFlight, 2]);
		}
	});

	// D2-MATCHBODY-02; test/nodes/shared/exportApi/conversationId.test.ts holds every other form.
	test.each([
		['={{ null }}', undefined],
		['abc', undefined],
		[CONVERSATION_ID, CONVERSATION_ID],
		[
			{ __rl: true, mode: 'url', value: `={{ "https://app.example.com/c/${CONVERSATION_ID}" }}` },
			CONVERSATION_ID,
		],
	])('gets the conversation that %j names, unless it names none', async (conversationId, id) => {
		service.respond([{ status: 200, body: MATCHED }]);
		const { error } = await run({ ...MATCH, conversationId });
		expect(bodies()).toEqual(id === undefined ? [] : [{ event_id: 'a', conversation_id: id }]);
		expect(error?.context?.details).toEqual(
			id === undefined ? expect.objectContaining({ field: 'Conversation', eventId: 'a' }) : undefined,
		);
	});

	// D2-MATCHBODY-01, D2-ERR-10
	test.each([
		['delete', '.', 'event_id_unsendable'],
		['delete', '..', 'event_id_unsendable'],
		['delete', 'a\ud83d', 'event_id_unsendable'],
		['delete', '', 'field_missing'],
		['match', '', 'field_missing'],
		['match', 'null', 'id_invalid'],
	])('gets no %s whose Event ID is %j', async (operation, id, code) => {
		expect(await codeOf(OPERATIONS[operation], [id])).toMatchObject({ code, field: 'Event ID' });
		expect(service.seen).toEqual([]);
	});
});
