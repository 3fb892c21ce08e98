import type { INodeParameters } from 'n8n-workflow';
import { POLICY } from '../../../nodes/shared/http';
import type { ScriptedResponse } from '../../support/scriptedServer';
import { CONVERSATION_ID, DELETE, MATCH, scriptedNode, UPDATE } from './mapping';

const NO_ROUTE_WORDS = 'No matching route for POST /custom/appointment/';
const NO_ROUTE = JSON.stringify({ message: NO_ROUTE_WORDS });

const OPERATIONS: Record<string, INodeParameters> = { update: UPDATE, delete: DELETE, match: MATCH };

/** Each response of D2 § Errors: the operation, the service's response, the code for the next node. */
const PERMANENT: Array<[string, number, string, string]> = [
	['update', 400, 'user_email must be a non-empty string', 'owner_refused'],
	['update', 400, 'attendee_emails must be an array of non-empty strings', 'attendees_refused'],
	['update', 400, 'attendee_emails cannot be combined with media_url', 'attendees_with_media'],
	['update', 400, 'start_time has a bad format', 'appointment_refused'],
	['update', 403, 'Forbidden', 'api_key_refused'],
	['update', 404, NO_ROUTE, 'address_not_found'],
	['update', 422, 'User email is not in Acme', 'attendees_unknown'],
	// The documented body begins with these words.
	['update', 422, 'Invalid: User email is not in Acme', 'api_key_unmapped'],
	['update', 422, 'No organization', 'api_key_unmapped'],
	['delete', 400, 'Invalid parameters', 'event_id_refused'],
	['delete', 403, 'Forbidden', 'api_key_refused'],
	['delete', 404, 'Not found', 'appointment_not_found'],
	['delete', 404, NO_ROUTE, 'address_not_found'],
	['delete', 409, 'Appointment has a recording', 'appointment_has_recording'],
	['delete', 422, '', 'api_key_unmapped'],
	['match', 400, 'Invalid JSON data', 'match_refused'],
	['match', 400, 'Missing some required parameters in the body', 'match_refused'],
	['match', 403, 'Forbidden', 'api_key_refused'],
	['match', 404, 'Event not found', 'appointment_not_found'],
	['match', 404, 'Conversation not found', 'conversation_not_found'],
	['match', 404, NO_ROUTE, 'address_not_found'],
	['match', 422, 'Conversation has no recording to link', 'conversation_without_recording'],
	['match', 422, "Conversation's recording could not be found to link", 'recording_gone'],
	['match', 422, 'No organization', 'api_key_unmapped'],
];

const NOT_FOUND = { status: 404, body: 'Not found' };
const SOON = { 'retry-after': '0' };

describe("the service's responses", () => {
	const { service, run: runNode, bodies } = scriptedNode('secret-key-1');
	beforeEach(() => {
		jest.replaceProperty(POLICY as { baseDelayMs: number }, 'baseDelayMs', 20);
		jest.replaceProperty(POLICY as { maxDelayMs: number }, 'maxDelayMs', 20);
		service.respond([{ status: 200 }]);
	});

	const run = async (parameters: INodeParameters, ids = ['a'], continueOnFail = false) =>
		await runNode(
			parameters,
			ids.map((id) => ({ id })),
			{ continueOnFail },
		);
	/** Gives this response to the request of the item with this ID, and 200 to every other one. */
	const responseOnly = (id: string, responses: ScriptedResponse[]) => {
		let asked = 0;
		service.respond(({ url, body }) => {
			const isMeant = url.endsWith(`/${id}`) || body?.event_id === id;
			return isMeant
				? responses[Math.min(asked++, responses.length - 1)]
				: { status: 200, body: 'Processed' };
		});
	};

	// D2-RETRY-01, D2-BODY-01..11, D2-DEL-03, D2-ERR-02, D2-ERR-05, D2-ERR-14, D2-ERR-19
	test.each(PERMANENT)(
		'to %s with %i %s are quoted and not retried',
		async (operation, status, body, code) => {
			const parameters = OPERATIONS[operation];
			responseOnly('b', [{ status, body }]);
			const stopped = await run(parameters, ['b']);
			const words = `${stopped.error?.message}\n${stopped.error?.description}`;
			expect(words).toContain(
				`Status ${status}${body === '' ? '' : `: "${body === NO_ROUTE ? NO_ROUTE_WORDS : body}"`}`,
			);
			expect(words).not.toContain('secret-key-1');
			expect(stopped.error?.httpCode).toBe(String(status));
			const details = { code, retryable: false, status, eventId: 'b' };
			expect(stopped.error).toMatchObject({ context: { itemIndex: 0, details } });
			expect(service.seen).toHaveLength(1);

			responseOnly('b', [{ status, body }]);
			const continued = await run(parameters, ['a', 'b', 'c'], true);
			expect(continued.status).toBe('success');
			expect(continued.items).toMatchObject([
				{ json: { event_id: 'a' }, pairedItem: { item: 0 } },
				{ json: { error: expect.any(String), details }, pairedItem: { item: 1 } },
				{ json: { event_id: 'c' }, pairedItem: { item: 2 } },
			]);
		},
	);

	// D2-RETRY-02..03
	test.each([
		['update', ['event_id', 'user_email', 'status', 'response', 'sent', 'warnings']],
		['delete', ['deleted', 'existed', 'event_id', 'status', 'response', 'warnings']],
		['match', ['matched', 'event_id', 'conversation_id', 'status', 'response', 'warnings']],
	])('to %s lead to a retry if they are 429, 500, another 5xx or lost', async (operation, fields) => {
		service.respond([
			{ status: 429, headers: SOON },
			{ status: 500, body: 'Oops', headers: SOON },
			{ status: 503, headers: SOON },
			'reset',
			{ status: 200, body: 'Processed' },
		]);
		const { items, error } = await run(OPERATIONS[operation]);
		expect(error).toBeUndefined();
		expect(items[0].json).toMatchObject({ event_id: 'a', status: 200, response: 'Processed' });
		expect(Object.keys(items[0].json)).toEqual(fields);
		const [first, ...others] = service.seen.map(({ method, url, body }) => [method, url, body]);
		expect(others).toEqual(Array(4).fill(first));
	});

	test.each([
		['end the run after 5 requests when they refuse the key', 'No organization', 5],
		['concern one item when they name a user', 'User email is not in Acme', 20],
	])('with 422 %s', async (_what, body, requests) => {
		service.respond([{ status: 422, body }]);
		const ids = Array.from({ length: 20 }, (_, index) => `e-${index}`);
		const { items } = await run({ ...UPDATE, options: { concurrency: 1 } }, ids, true);
		expect(items).toHaveLength(20);
		expect(service.seen).toHaveLength(requests);
	});

	// D2-ERR-20..21
	test.each<[number, number, RegExp]>([
		[429, 11, /limiting the rate.*Tried 11 times.*may work later/s],
		[500, 6, /could not process.*Tried 6 times.*transient/s],
		[502, 6, /could not process.*Tried 6 times.*transient/s],
	])('are called temporary when every attempt gets %i', async (status, attempts, expected) => {
		service.respond([{ status, body: 'Busy', headers: SOON }]);
		const { error } = await run(UPDATE);
		expect(`${error?.message}\n${error?.description}`).toMatch(expected);
		expect(error?.description).toContain(`Status ${status}: "Busy"`);
		expect(service.seen).toHaveLength(attempts);
	});

	describe('a delete that is answered 404', () => {
		const DELETED = { deleted: true, event_id: 'a', status: 404, response: 'Not found' };

		// D2-STATE-03
		test.each<[string, ScriptedResponse]>([
			['a lost response', 'reset'],
			['a 500', { status: 500, headers: SOON }],
		])('has succeeded when it repeats %s', async (_name, doubtful) => {
			service.respond([doubtful, NOT_FOUND]);
			const { items, error } = await run(DELETE);
			expect(error).toBeUndefined();
			expect(items[0].json).toEqual({
				...DELETED,
				existed: true,
				warnings: [
					'An earlier attempt got no clear response, and this one found no appointment, so it counts as deleted.',
				],
			});
		});

		test.each([429, 503])(
			'has not succeeded when it repeats a %i, which the service did not apply',
			async (status) => {
				service.respond([{ status, headers: SOON }, NOT_FOUND]);
				expect((await run(DELETE)).error?.context?.details).toMatchObject({ code: 'appointment_not_found' });
			},
		);

		// D2-ERR-12, D2-ERR-13
		test('counts as deleted with Treat Missing as Deleted, but not when the route does not exist', async () => {
			const tolerant = { ...DELETE, options: { missingIsDeleted: true } };
			service.respond([NOT_FOUND]);
			expect((await run(tolerant)).items[0].json).toEqual({ ...DELETED, existed: false, warnings: [] });
			for (const body of [
				NO_ROUTE,
				'<html>Not Found</html>',
				'\n\n<html>Not Found</html>',
				'{"message":"Not Found"}',
				'["Not Found"]',
				'404 page not found',
				' ',
			]) {
				service.respond([{ status: 404, body }]);
				const { error } = await run(tolerant);
				expect(error?.context?.details).toMatchObject({ code: 'address_not_found', eventId: 'a' });
			}
		});
	});

	test('a match that is answered 404 after a lost response has not succeeded', async () => {
		service.respond(['reset', { status: 404, body: 'Event not found' }]);
		expect((await run(MATCH)).error?.context?.details).toMatchObject({ code: 'appointment_not_found' });
	});

	// D2-MATCHBODY-02
	test.each([
		['={{ "" }}', 'it is empty'],
		['={{ null }}', 'it is empty'],
		['abc', 'it is "abc"'],
		[CONVERSATION_ID.replaceAll('-', ''), 'it is "3f2b8c1e5d7a4c669b1f0a2d4e6f8a10"'],
	])(
		'a conversation ID that is not a UUID is refused before anything is sent: %j',
		async (conversationId, words) => {
			const { error } = await run({ ...MATCH, conversationId });
			expect(error).toMatchObject({
				message: `Conversation must be a UUID or a link with one (${words}) (Event ID "a")`,
				description: 'Use the ID or the link of a conversation, e.g. from the output of Get Many.',
			});
			expect(service.seen).toEqual([]);
		},
	);

	// test/nodes/shared/exportApi/conversationId.test.ts holds every other form.
	test.each([
		['its ID as text, as in older workflows', CONVERSATION_ID],
		[
			'a link by an expression',
			{ __rl: true, mode: 'url', value: `={{ "https://app.example.com/c/${CONVERSATION_ID}" }}` },
		],
	])('a conversation is named by %s', async (_how, conversationId) => {
		service.respond([{ status: 200, body: 'Successfully matched conversation to event' }]);
		expect((await run({ ...MATCH, conversationId })).error).toBeUndefined();
		expect(bodies()).toEqual([{ event_id: 'a', conversation_id: CONVERSATION_ID }]);
	});

	// D2-MATCHBODY-01, D2-ERR-10
	test.each([
		['delete', '.', 'event_id_is_folder'],
		['delete', '..', 'event_id_is_folder'],
		['delete', 'half \ud83d', 'event_id_cut'],
		['delete', '', 'field_missing'],
		['match', '', 'field_missing'],
	])(
		'a %s whose Event ID is missing or does not fit into a URL is not sent: %j',
		async (operation, id, code) => {
			const { error } = await run(OPERATIONS[operation], [id]);
			expect(error?.context?.details).toMatchObject({ code, field: 'Event ID' });
			expect(service.seen).toEqual([]);
		},
	);
});
