import type { INodeParameters } from 'n8n-workflow';
import { RETRY } from '../../../nodes/shared/http';
import type { ScriptedResponse } from '../../support/scriptedServer';
import { CONVERSATION_ID, DELETE, MATCH, scriptedNode, UPDATE } from './mapping';

const NO_ROUTE_WORDS = 'No matching route for POST /custom/appointment/';
const NO_ROUTE = JSON.stringify({ message: NO_ROUTE_WORDS });

const OPERATIONS: Record<string, INodeParameters> = { update: UPDATE, delete: DELETE, match: MATCH };

/** Each response of D2 § Errors: the operation, the service's response, the message to the user. */
const PERMANENT: Array<[string, number, string, RegExp]> = [
	['update', 400, 'user_email must be a non-empty string', /User Email is empty or not text/],
	[
		'update',
		400,
		'attendee_emails must be an array of non-empty strings',
		/not a list of email addresses.*Supply a list, JSON/s,
	],
	[
		'update',
		400,
		'attendee_emails cannot be combined with media_url',
		/cannot be sent together.*Leave one of the two empty\./s,
	],
	['update', 400, 'start_time has a bad format', /does not accept the appointment.*Start Time, End Time/s],
	['update', 403, 'Forbidden', /refuses the API key.*CRM Appointment API credential/s],
	['update', 404, NO_ROUTE, /no such endpoint.*Base URL.*The key is not the cause/s],
	['update', 422, 'User email is not in Acme', /No attendee is a user.*The appointment is unchanged/s],
	// The documented body begins with these words.
	['update', 422, 'Invalid: User email is not in Acme', /cannot process the request/],
	['update', 422, 'No organization', /cannot process the request.*active organization/s],
	['delete', 400, 'Invalid parameters', /does not accept this Event ID.*original ID that your system sent/s],
	['delete', 403, 'Forbidden', /refuses the API key/],
	[
		'delete',
		404,
		'Not found',
		/No appointment has this Event ID.*not the service's internal ID.*Treat Missing as Deleted/s,
	],
	['delete', 404, NO_ROUTE, /no such endpoint.*Base URL/s],
	['delete', 409, 'Appointment has a recording', /has a linked recording.*Keep the appointment/s],
	['delete', 422, '', /active organization/],
	['match', 400, 'Invalid JSON data', /does not accept the match request.*Event ID and Conversation ID/s],
	['match', 400, 'Missing some required parameters in the body', /does not accept the match request/],
	['match', 403, 'Forbidden', /refuses the API key/],
	['match', 404, 'Event not found', /No appointment has this Event ID.*Create the appointment before/s],
	['match', 404, 'Conversation not found', /No conversation has this Conversation ID/],
	['match', 404, NO_ROUTE, /no such endpoint/],
	['match', 422, 'Conversation has no recording to link', /no recording to link.*was recorded/s],
	[
		'match',
		422,
		"Conversation's recording could not be found to link",
		/could not be found to link.*is gone/s,
	],
	['match', 422, 'No organization', /active organization/],
];

const NOT_FOUND = { status: 404, body: 'Not found' };
const SOON = { 'retry-after': '0' };

describe("the service's responses", () => {
	const { service, run: runNode, bodies } = scriptedNode('secret-key-1');
	beforeEach(() => {
		jest.replaceProperty(RETRY as { baseDelayMs: number }, 'baseDelayMs', 20);
		jest.replaceProperty(RETRY as { maxDelayMs: number }, 'maxDelayMs', 20);
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
		async (operation, status, body, expected) => {
			const parameters = OPERATIONS[operation];
			responseOnly('b', [{ status, body }]);
			const stopped = await run(parameters, ['b']);
			const words = `${stopped.error?.message}\n${stopped.error?.description}`;
			expect(words).toMatch(expected);
			expect(words).toContain(
				`Status ${status}${body === '' ? '' : `: "${body === NO_ROUTE ? NO_ROUTE_WORDS : body}"`}`,
			);
			expect(words).toContain('Repeating does not help.');
			expect(words).not.toContain('secret-key-1');
			expect(stopped.error?.httpCode).toBe(String(status));
			expect(stopped.error).toMatchObject({ context: { itemIndex: 0 } });
			expect(service.seen).toHaveLength(1);

			responseOnly('b', [{ status, body }]);
			const continued = await run(parameters, ['a', 'b', 'c'], true);
			expect(continued.status).toBe('success');
			expect(continued.items).toMatchObject([
				{ json: { event_id: 'a' }, pairedItem: { item: 0 } },
				{ json: { error: expect.any(String) }, pairedItem: { item: 1 } },
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
				expect((await run(DELETE)).error?.message).toContain('No appointment has this Event ID');
			},
		);

		// D2-ERR-12, D2-ERR-13
		test('counts as deleted with Treat Missing as Deleted, but not when the route does not exist', async () => {
			const tolerant = { ...DELETE, options: { missingIsDeleted: true } };
			service.respond([NOT_FOUND]);
			expect((await run(tolerant)).items[0].json).toEqual({ ...DELETED, existed: false, warnings: [] });
			const nothing = 'The service has nothing at this address';
			for (const [body, message] of [
				[NO_ROUTE, 'The service has no such endpoint'],
				['<html>Not Found</html>', nothing],
				['\n\n<html>Not Found</html>', nothing],
				['{"message":"Not Found"}', nothing],
				['["Not Found"]', nothing],
				['404 page not found', nothing],
				[' ', nothing],
			]) {
				service.respond([{ status: 404, body }]);
				const { error } = await run(tolerant);
				expect(error?.message).toBe(`${message} (Event ID "a")`);
				expect(error?.description).toContain('Base URL');
			}
		});
	});

	test('a match that is answered 404 after a lost response has not succeeded', async () => {
		service.respond(['reset', { status: 404, body: 'Event not found' }]);
		expect((await run(MATCH)).error?.message).toContain('No appointment has this Event ID');
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

	// test/unit/shared/exportApi/conversationId.test.ts holds every other form.
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
		['delete', '.', 'Event ID must not be "."'],
		['delete', '..', 'Event ID must not be ".."'],
		['delete', 'half \ud83d', 'Event ID must not contain half of a character'],
		['delete', '', 'Event ID is missing'],
		['match', '', 'Event ID is missing'],
	])(
		'a %s whose Event ID is missing or does not fit into a URL is not sent: %j',
		async (operation, id, message) => {
			expect((await run(OPERATIONS[operation], [id])).error?.message).toContain(message);
			expect(service.seen).toEqual([]);
		},
	);
});
