import type { INodeParameters } from 'n8n-workflow';
import { RETRY } from '../../../nodes/shared/http';
import { scriptedEngine } from '../../support/engine/fixtures';
import type { ScriptedResponse } from '../../support/scriptedServer';
import { CONVERSATION_ID, DELETE, MATCH, UPDATE } from './mapping';

const NO_ROUTE_WORDS = 'No matching route for POST /custom/appointment/';
const NO_ROUTE = JSON.stringify({ message: NO_ROUTE_WORDS });

/** Each response of D2 § Errors: the request, the service's response, the message to the user. */
const PERMANENT: Array<[string, INodeParameters, number, string, RegExp]> = [
	['update', UPDATE, 400, 'user_email must be a non-empty string', /User Email is empty or not text/],
	[
		'update',
		UPDATE,
		400,
		'attendee_emails must be an array of non-empty strings',
		/not a list of email addresses.*Supply a list, JSON/s,
	],
	[
		'update',
		UPDATE,
		400,
		'attendee_emails cannot be combined with media_url',
		/cannot be sent together.*Leave one of the two empty\./s,
	],
	[
		'update',
		UPDATE,
		400,
		'start_time has a bad format',
		/does not accept the appointment.*Start Time, End Time/s,
	],
	['update', UPDATE, 403, 'Forbidden', /refuses the API key.*CRM Appointment API credential/s],
	['update', UPDATE, 404, NO_ROUTE, /no such endpoint.*Base URL.*The key is not the cause/s],
	[
		'update',
		UPDATE,
		422,
		'User email is not in Acme',
		/No attendee is a user.*The appointment is unchanged/s,
	],
	// The documented body begins with these words.
	['update', UPDATE, 422, 'Invalid: User email is not in Acme', /cannot process the request/],
	['update', UPDATE, 422, 'No organization', /cannot process the request.*active organization/s],
	['delete', DELETE, 400, 'Invalid parameters', /does not accept this Event ID/],
	['delete', DELETE, 403, 'Forbidden', /refuses the API key/],
	[
		'delete',
		DELETE,
		404,
		'Not found',
		/No appointment has this Event ID.*not the service's internal ID.*Treat Missing as Deleted/s,
	],
	['delete', DELETE, 404, NO_ROUTE, /no such endpoint.*Base URL/s],
	['delete', DELETE, 409, 'Appointment has a recording', /has a linked recording.*Keep the appointment/s],
	['delete', DELETE, 422, '', /active organization/],
	['match', MATCH, 400, 'Invalid JSON data', /does not accept the match request/],
	['match', MATCH, 400, 'Missing some required parameters in the body', /does not accept the match request/],
	['match', MATCH, 403, 'Forbidden', /refuses the API key/],
	[
		'match',
		MATCH,
		404,
		'Event not found',
		/No appointment has this Event ID.*Create the appointment before/s,
	],
	['match', MATCH, 404, 'Conversation not found', /No conversation has this Conversation ID/],
	['match', MATCH, 404, NO_ROUTE, /no such endpoint/],
	['match', MATCH, 422, 'Conversation has no recording to link', /no recording to link.*was recorded/s],
	[
		'match',
		MATCH,
		422,
		"Conversation's recording could not be found to link",
		/could not be found to link.*is gone/s,
	],
	['match', MATCH, 422, 'No organization', /active organization/],
];

const OTHER_ID = '7b0f4b26-5d0b-4f0c-8f53-1f0e6cf40f6a';

describe("the service's responses", () => {
	const { server: service, engine } = scriptedEngine('secret-key-1');
	beforeEach(() => {
		jest.replaceProperty(RETRY as { baseDelayMs: number }, 'baseDelayMs', 20);
		jest.replaceProperty(RETRY as { maxDelayMs: number }, 'maxDelayMs', 20);
	});

	const run = async (parameters: INodeParameters, ids = ['a'], continueOnFail = false) =>
		await engine.runNode(
			'conversationIntelligenceAppointments',
			{ resource: 'appointment', ...parameters },
			{ input: ids.map((id) => ({ json: { id } })), continueOnFail },
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

	// D2-RETRY-01, D2-BODY-01..11
	test.each(PERMANENT)(
		'to %s %j with %i %s are quoted, and the request is not repeated',
		async (_operation, parameters, status, body, expected) => {
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
			expect(continued.items.map(({ json }) => json.error ?? json.event_id)).toEqual([
				'a',
				expect.any(String),
				'c',
			]);
			expect(continued.items.map(({ pairedItem }) => pairedItem)).toEqual([
				{ item: 0 },
				{ item: 1 },
				{ item: 2 },
			]);
		},
	);

	// D2-RETRY-02..03
	test.each<[string, INodeParameters, string[]]>([
		['update', UPDATE, ['event_id', 'user_email', 'status', 'response', 'sent', 'warnings']],
		['delete', DELETE, ['deleted', 'existed', 'event_id', 'status', 'response', 'warnings']],
		['match', MATCH, ['matched', 'event_id', 'conversation_id', 'status', 'response', 'warnings']],
	])(
		'to %s lead to a retry if they are 429, 500, another 5xx or lost',
		async (_operation, parameters, fields) => {
			const faults: ScriptedResponse[] = [
				{ status: 429, headers: { 'retry-after': '0' } },
				{ status: 500, body: 'Oops', headers: { 'retry-after': '0' } },
				{ status: 503, headers: { 'retry-after': '0' } },
				'reset',
				{ status: 200, body: 'Processed' },
			];
			service.respond(faults);
			const { items, error } = await run(parameters);
			expect(error).toBeUndefined();
			expect([items[0].json.event_id, items[0].json.status, items[0].json.response]).toEqual([
				'a',
				200,
				'Processed',
			]);
			expect(Object.keys(items[0].json)).toEqual(fields);
			expect(service.seen).toHaveLength(5);
			expect(
				new Set(service.seen.map(({ method, url, body }) => JSON.stringify([method, url, body]))).size,
			).toBe(1);
		},
	);

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
		service.respond([{ status, body: 'Busy', headers: { 'retry-after': '0' } }]);
		const { error } = await run(UPDATE);
		expect(`${error?.message}\n${error?.description}`).toMatch(expected);
		expect(error?.description).toContain(`Status ${status}: "Busy"`);
		expect(service.seen).toHaveLength(attempts);
	});

	describe('a delete that is answered 404', () => {
		// D2-STATE-03
		test.each<[string, ScriptedResponse]>([
			['a lost answer', 'reset'],
			['a 500', { status: 500, headers: { 'retry-after': '0' } }],
		])('has succeeded when it repeats %s', async (_name, doubtful) => {
			service.respond([doubtful, { status: 404, body: 'Not found' }]);
			const { items, error } = await run(DELETE);
			expect(error).toBeUndefined();
			expect(items[0].json).toEqual({
				deleted: true,
				existed: true,
				event_id: 'a',
				status: 404,
				response: 'Not found',
				warnings: [
					'An earlier attempt got no clear response, and this one found no appointment, so it counts as deleted.',
				],
			});
		});

		test.each([429, 503])(
			'has not succeeded when it repeats a %i, which the service did not apply',
			async (status) => {
				service.respond([
					{ status, headers: { 'retry-after': '0' } },
					{ status: 404, body: 'Not found' },
				]);
				expect((await run(DELETE)).error?.message).toContain('No appointment has this Event ID');
			},
		);

		// D2-ERR-12, D2-ERR-13
		test('counts as deleted with Treat Missing as Deleted, but not when the route does not exist', async () => {
			const tolerant = { ...DELETE, options: { missingIsDeleted: true } };
			service.respond([{ status: 404, body: 'Not found' }]);
			expect((await run(tolerant)).items[0].json).toEqual({
				deleted: true,
				existed: false,
				event_id: 'a',
				status: 404,
				response: 'Not found',
				warnings: [],
			});
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

	test('a match that is answered 404 after a lost answer has not succeeded', async () => {
		service.respond(['reset', { status: 404, body: 'Event not found' }]);
		expect((await run(MATCH)).error?.message).toContain('No appointment has this Event ID');
	});

	// D2-MATCHBODY-02
	test.each([
		['={{ "" }}', 'Conversation must be a UUID or a link with one (it is empty)'],
		['={{ null }}', 'Conversation must be a UUID or a link with one (it is empty)'],
		['abc', 'Conversation must be a UUID or a link with one (it is "abc")'],
		[
			'3f2b8c1e5d7a4c669b1f0a2d4e6f8a10',
			'Conversation must be a UUID or a link with one (it is "3f2b8c1e5d7a4c669b1f0a2d4e6f8a10")',
		],
		[`${CONVERSATION_ID}x`, `Conversation must be a UUID or a link with one (it is "${CONVERSATION_ID}x")`],
	])(
		'a conversation ID that is not a UUID is refused before anything is sent: %j',
		async (conversationId, message) => {
			service.respond([{ status: 200 }]);
			const { error } = await run({ ...MATCH, conversationId });
			expect(error).toMatchObject({
				message: `${message} (Event ID "a")`,
				description: 'Use the ID or the link of a conversation, e.g. from the output of Get Many.',
			});
			expect(service.seen).toEqual([]);
		},
	);

	test.each<[string, unknown]>([
		['its ID with spaces around it', { __rl: true, mode: 'id', value: ` ${CONVERSATION_ID}\n` }],
		['its ID as text, as in older workflows', CONVERSATION_ID],
		[
			'its link in the web app',
			{
				__rl: true,
				mode: 'url',
				value: `https://app.example.com/o/${OTHER_ID}/conversations/${CONVERSATION_ID}?t=1`,
			},
		],
		[
			'a link by an expression',
			{ __rl: true, mode: 'url', value: `={{ "https://app.example.com/c/${CONVERSATION_ID}" }}` },
		],
	])('a conversation is named by %s', async (_how, conversationId) => {
		service.respond([{ status: 200, body: 'Successfully matched conversation to event' }]);
		const parameters = { ...MATCH, conversationId: conversationId as string };
		expect((await run(parameters)).error).toBeUndefined();
		expect(service.seen[0].body).toMatchObject({ conversation_id: CONVERSATION_ID });
	});

	test('a link without a single conversation ID is refused before anything is sent', async () => {
		service.respond([{ status: 200 }]);
		const link = `https://app.example.com/c/${CONVERSATION_ID}/${OTHER_ID}`;
		const conversationId = { __rl: true, mode: 'url', value: `={{ "${link}" }}` };
		const { error } = await run({ ...MATCH, conversationId });
		expect(error?.message).toContain(
			`Conversation must be a UUID or a link with one (it is "${link.slice(0, 99)}`,
		);
		expect(service.seen).toEqual([]);
	});

	test.each(['.', '..', 'half \ud83d'])(
		'an Event ID that does not fit into a URL is refused: %j',
		async (id) => {
			service.respond([{ status: 200 }]);
			expect((await run(DELETE, [id])).error?.message).toMatch(/^Event ID /);
			expect(service.seen).toEqual([]);
		},
	);
});
