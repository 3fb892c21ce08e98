import { jsonParse, type IDataObject, type INodeParameters } from 'n8n-workflow';
import { sentencesOf } from '../../../nodes/ConversationIntelligenceAppointments/itemWarnings';
import {
	automatic,
	byHand,
	CONVERSATION_ID,
	CREATE,
	DELETE,
	MATCH,
	processingService,
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
	The deployment could not be found on this host. | \n\n<html>Not Found</html> |
	The requested URL /a was not found on this server. | Cannot DELETE /custom/appointment/a |
	Not Found - Request ID: 01H | error code: 1016 | <error code="404"/> |
	<soap:Fault><code>404</code></soap:Fault> | <meta http-equiv="refresh" content="0;url=/sign-in">`,
);

const MATCHED = 'Successfully matched conversation to event';

describe('the appointment API', () => {
	const { service, run, bodies } = processingService(' secret-key-1\n');
	beforeEach(() => service.respond([{ status: 200 }]));

	const ofIds = (...ids: string[]) => ids.map((id) => ({ id }));
	/** The details of the refusal of one item, or else its output. */
	const resultOf = async (parameters: INodeParameters, id = 'a') => {
		const { error, items } = await run(parameters, [{ id }]);
		return (error?.context?.details ?? items[0].json) as IDataObject;
	};

	// D2-HEAD-01..03, D2-AUTH-01, D2-DOES-06, D2-POST-01, D2-DEL-02, D2-ERR-01
	test('gets the key as x-api-key, is asked for plain text, and gets JSON where there is a body', async () => {
		service.respond([{ status: 200, body: ' "As it says"\n' }]);
		for (const [index, parameters] of [byHand(CREATE), UPDATE, DELETE, MATCH].entries())
			expect(await resultOf(parameters, `e-${index}`)).toMatchObject({ status: 200, response: 'As it says' });
		const requests = service.seen.map(({ method, url, headers, body }) => [
			`${method} ${url}`,
			...['x-api-key', 'authorization', 'accept', 'content-type'].map((name) => headers[name]),
			body?.event_id,
		]);
		const common = ['secret-key-1', undefined, 'text/plain'];
		expect(requests).toEqual([
			['POST /crm/custom/appointment', ...common, 'application/json', 'crm-1'],
			['POST /crm/custom/appointment', ...common, 'application/json', 'e-1'],
			['DELETE /crm/custom/appointment/e-2', ...common, undefined, undefined],
			['POST /crm/custom/appointment/match', ...common, 'application/json', 'e-3'],
		]);
		expect(bodies().at(-1)).toEqual({ event_id: 'e-3', conversation_id: CONVERSATION_ID });
	});

	// D2-APPT-15
	test('gets every key and value of custom fields, in UTF-8', async () => {
		const text = '{"__proto__":{"constructor":"ä"},"prototype":[1.5,null,true,""],"":"🎉","2":{"1":"\\n"}}';
		for (const custom_fields of [text, JSON.parse(text) as IDataObject]) {
			service.respond([{ status: 200 }]);
			await run(automatic(), [{ ...CREATE, custom_fields }]);
			expect(service.seen[0].text).toContain(`"custom_fields":${JSON.stringify(JSON.parse(text))}`);
		}
	});

	// D2-RETRY-01, D2-BODY-01..11, D2-DEL-03..06, D2-ERR-02, D2-ERR-05, D2-ERR-11, D2-ERR-13..16, D2-ERR-18..19, D2-STATE-04, D2-AUTH-02..04, D2-DOES-05, D2-MATCH-03
	test.each(
		PERMANENT.flatMap(([name, status, code, all]) => all.map((body) => [name, status, body, code] as const)),
	)(
		'is quoted, and not asked again, when it responds to %s with %i %s',
		async (operation, status, body, code) => {
			service.respond(({ url, body: sent }) =>
				url.endsWith('/b') || sent?.event_id === 'b' ? { status, body } : { status: 200 },
			);
			const { items } = await run(OPERATIONS[operation], ofIds('a', 'b', 'c'), { continueOnFail: true });
			const response = (body.startsWith('{"') ? jsonParse<IDataObject>(body).message : body) || undefined;
			const details = { code, retryable: false, status, eventId: 'b', ...(response && { response }) };
			expect(items.map(({ json }) => json.event_id ?? json.details)).toMatchObject(['a', details, 'c']);
			const said = `${String(items[1].json.error)} ${String(items[1].json.message)}`;
			expect(said).toContain(`Status ${status}`);
			expect(said).not.toContain('secret-key-1');
			expect(service.seen).toHaveLength(3);
		},
	);

	const MEDIA = { media_url: 'https://m.example.com/a', recording_type: 'CALL_AUDIO', attendee_emails: '' };
	const RECORDING = byHand({ ...CREATE, ...MEDIA });
	const ALONE = sentencesOf({ attendees_missing: ['attendee_emails'] });
	const TWICE = sentencesOf({ attendees_missing: ['attendee_emails'], media_maybe_twice: [CREATE.event_id] });
	const IN_DOUBT = { deleted: true, existed: true, warnings: sentencesOf({ delete_in_doubt: ['a'] }) };
	const ALL: INodeParameters = { ...DELETE, options: { missingIsDeleted: true } };
	const MISSING = { code: 'appointment_not_found' };
	const KEPT = { code: 'appointment_has_recording' };

	// D2-STATE-01, D2-STATE-03, D2-RETRY-02..03, D2-ERR-20..21
	test.each<[string, INodeParameters, Array<number | 'reset'>, number, object]>([
		['a recording', RECORDING, ['reset'], 200, { warnings: TWICE }],
		['a recording', RECORDING, [500], 200, { warnings: TWICE }],
		["a recording after a proxy's", RECORDING, [524], 200, { warnings: TWICE }],
		['a recording', RECORDING, [504, 429], 200, { warnings: TWICE }],
		['a recording', RECORDING, [429, 503], 200, { warnings: ALONE }],
		['a recording', RECORDING, [], 200, { warnings: ALONE }],
		['an appointment alone', UPDATE, [429, 500, 503, 'reset'], 200, { event_id: 'a', warnings: [] }],
		['a delete', DELETE, ['reset'], 404, IN_DOUBT],
		['a delete', DELETE, [500], 404, IN_DOUBT],
		['a delete', DELETE, [500, 503], 200, { existed: true, warnings: [] }],
		['a delete', DELETE, [429], 404, MISSING],
		['a delete', DELETE, [503], 404, MISSING],
		['a delete', DELETE, [500], 409, KEPT],
		['a delete of what may be missing', ALL, [], 404, { deleted: true, existed: false, warnings: [] }],
		['a delete of what may be missing', ALL, [500], 404, IN_DOUBT],
		['a delete of what may be missing', ALL, [], 409, KEPT],
		['a match', MATCH, [429, 500, 503, 'reset'], 200, { matched: true, warnings: [] }],
		['a match', MATCH, ['reset'], 404, MISSING],
	])(
		'is asked for the same again, and it is said of %s (%j) what attempts with %j and then %i leave in doubt: %j',
		async (_, parameters, before, last, expected) => {
			const body = { 200: MATCHED, 404: 'Event not found', 409: 'Has a recording' }[last];
			const headers = { 'retry-after': '0' };
			const failed = before.map((status) => (status === 'reset' ? status : { status, headers }));
			service.respond([...failed, { status: last, body }]);
			expect(await resultOf(parameters)).toMatchObject(expected);
			const [first, ...others] = service.seen.map(({ method, url, body: sent }) => [method, url, sent]);
			expect(others).toEqual(before.map(() => first));
		},
	);

	test.each([
		['ends the run after 5 requests when it explains none', 'No organization', 5],
		['concerns one item when it names a user', 'User email is not in Acme', 20],
	])('with 422 %s', async (_what, body, requests) => {
		service.respond([{ status: 422, body }]);
		const ids = Array.from({ length: 20 }, (_, index) => `e-${index}`);
		const parameters = { ...UPDATE, options: { concurrency: 1 } };
		const { items } = await run(parameters, ofIds(...ids), { continueOnFail: true });
		expect([items.length, service.seen.length]).toEqual([20, requests]);
	});

	// D2-ERR-12, D2-ERR-13
	test('with 404 to a delete is a wrong address, whatever the options, unless it is plain words', async () => {
		for (const body of [' ', ...WRONG_ADDRESSES]) {
			service.respond([{ status: 404, body }]);
			expect(await resultOf(ALL)).toMatchObject({ code: 'address_not_found', eventId: 'a' });
		}
	});

	// D2-MATCH-01
	test.each<[body: string, response: string | undefined, unexpected?: 'everywhere']>([
		[MATCHED, MATCHED],
		[` "${MATCHED}"\n`, MATCHED],
		[`${MATCHED} later`, `${MATCHED} later`],
		['', ''],
		['"two\nlines"', 'two\nlines'],
		['"hi" he said', '"hi" he said'],
		['{"ok":true}', '{"ok":true}', 'everywhere'],
		['[[[[', '[[[[', 'everywhere'],
		['x'.repeat(1001), 'x'.repeat(1001), 'everywhere'],
		['<!DOCTYPE html><title>Sign in, secret-key-1</title>', undefined],
		['{"errorMessage":"Task timed out","errorType":"Error"}', undefined],
		['{"error":{"code":7}}', undefined],
	])(
		'confirms with 200 and %j, unless that is no confirmation, and warns of an unexpected text',
		async (body, response, ...[unexpected]) => {
			service.respond([{ status: 200, body }]);
			const ids = ofIds(CONVERSATION_ID, CONVERSATION_ID.replace('3', '4'));
			const match = { ...MATCH, conversationId: '={{ $json.id }}' };
			for (const parameters of [UPDATE, DELETE, match]) {
				const { items } = await run(parameters, ids, { continueOnFail: true });
				const isUnexpected = unexpected ?? (parameters === match && response !== MATCHED);
				const warnings = isUnexpected ? sentencesOf({ response_unexpected: ['x'] }) : [];
				const confirmed = { status: 200, response, warnings };
				const refused = { details: { code: 'response_unreadable', status: 200 } };
				const expected = response === undefined ? refused : confirmed;
				expect(items.map(({ json }) => json)).toMatchObject([expected, expected]);
				expect(JSON.stringify(items)).not.toContain('secret-key-1');
			}
			expect(service.seen).toHaveLength(6);
		},
	);

	const BY_LINK = { __rl: true, mode: 'url', value: `={{ "https://app.example.com/c/${CONVERSATION_ID}" }}` };
	// D2-MATCHBODY-01..02, D2-ERR-10
	test.each<[INodeParameters, string, object]>([
		[{ ...MATCH, conversationId: BY_LINK }, ' A', { event_id: ' A', conversation_id: CONVERSATION_ID }],
		[{ ...MATCH, conversationId: '={{ null }}' }, 'a', { field: 'Conversation', eventId: 'a' }],
		[{ ...MATCH, conversationId: 'abc' }, 'a', { field: 'Conversation', eventId: 'a' }],
		[MATCH, '', { field: 'Event ID', code: 'field_missing' }],
		[MATCH, 'null', { field: 'Event ID', code: 'placeholder_refused' }],
		[DELETE, ' ', { field: 'Event ID', code: 'field_missing' }],
		[DELETE, '.', { field: 'Event ID', code: 'value_incomplete', eventId: '.' }],
		[DELETE, '..', { field: 'Event ID', code: 'value_incomplete', eventId: '..' }],
		[DELETE, 'a\ud83d', { field: 'Event ID', code: 'value_incomplete', eventId: 'a\ufffd' }],
	])('of %j for the Event ID %j gets %j, or nothing', async (parameters, id, expected) => {
		const result = await resultOf(parameters, id);
		expect(bodies()[0] ?? result).toMatchObject(expected);
		expect(result.eventId ?? 'nothing').toMatch(/\S/);
		expect(service.seen).toHaveLength('code' in result ? 0 : 1);
	});
});
