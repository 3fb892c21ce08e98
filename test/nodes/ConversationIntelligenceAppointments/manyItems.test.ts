import fc from 'fast-check';
import type { INodeParameters } from 'n8n-workflow';
import { DEFAULT_CONCURRENCY } from '../../../nodes/ConversationIntelligenceAppointments/panel';
import { POLICY } from '../../../nodes/shared/http/policy';
import { mappedByHand } from '../../support/columns';
import type { ScriptedResponse } from '../../support/scriptedServer';
import { processingService, UPDATE } from './mapping';

// test/nodes/shared/{node/operation,concurrency/runKeyed,http/limiter}.test.ts hold what is the same for all operations.
describe('many items', () => {
	const { service, run: runNode } = processingService();
	beforeEach(() => void jest.replaceProperty(POLICY as { baseDelayMs: number }, 'baseDelayMs', 20));

	const columns = mappedByHand({
		event_id: '={{ $json.id }}',
		user_email: 'ana@example.com',
		attendee_emails: 'ben@example.com',
		result: '={{ $json.result }}',
	});
	const run = async (given: Array<{ id: string; result: string }>, options: INodeParameters = {}) =>
		await runNode({ ...UPDATE, columns, options }, ...given);
	const rows = (count: number) =>
		Array.from({ length: count }, (_, index) => ({ id: `e-${index}`, result: `r-${index}` }));

	test('are sent in parallel up to the default, and returned in input order', async () => {
		// After the start, responses wait until all parallel requests have arrived, and long enough to notice one too many.
		service.respond(async (_request, index) => {
			if (index >= DEFAULT_CONCURRENCY) await service.waitForRequests(2 * DEFAULT_CONCURRENCY);
			return { status: 200, delayMs: 20 };
		});
		const given = rows(3 * DEFAULT_CONCURRENCY);
		const { items } = await run(given);
		expect(service.maxInFlight).toBe(DEFAULT_CONCURRENCY);
		expect(items.map(({ json }) => (json.sent as { result: string }).result)).toEqual(
			given.map((row) => row.result),
		);
		expect(items.map(({ pairedItem }) => pairedItem)).toEqual(given.map((_, item) => ({ item })));
	});

	test('are sent by the lowest Max Parallel Requests of all', async () => {
		service.respond(async () => (await service.waitForRequests(4), { status: 200, delayMs: 20 }));
		await run(rows(30), { concurrency: '={{ $json.id === "e-7" ? 4 : 9 }}' });
		expect(service.maxInFlight).toBe(4);
	});

	// Once, one departed rep as row 5 of 300 left 255 rows unsent, at each run the same.
	test('are all tried, then the run fails and names each that the node or the service refused', async () => {
		const refusals = { 'e-5': { status: 422, body: 'User email is not in Acme' }, 'e-40': { status: 400 } };
		service.respond(({ body }) => refusals[body?.event_id as 'e-5'] ?? { status: 200 });
		const given = rows(60).map((row) => (row.id === 'e-17' ? { ...row, result: 'undefined' } : row));
		const { error } = await run(given);
		expect(new Set(service.seen.map(({ body }) => body?.event_id)).size).toBe(59);
		expect(error?.message).toMatch(/^3 of 60 items were refused: No attendee .*"e-5"/);
		expect(error?.description).toMatch(
			/^e-5 \[Item 5\]: No attendee .*<br \/>e-40 \[Item 40\]: .*<br \/>57 of 60 items were processed\.$/,
		);
		expect(error?.context?.details).toEqual({
			code: 'items_refused',
			retryable: false,
			causes: [
				expect.objectContaining({ code: 'attendees_unknown', eventId: 'e-5', item: 5 }),
				expect.objectContaining({ code: 'placeholder_refused', eventId: 'e-17', item: 17 }),
				expect.objectContaining({ code: 'appointment_refused', eventId: 'e-40', item: 40 }),
			],
		});
	});

	const PAGE = '<html>Request blocked</html>';
	const REFUSALS: Array<
		[string, Exclude<ScriptedResponse, 'cut' | 'reset' | ((...given: never[]) => void)>]
	> = [
		['api_key_unknown', { status: 401 }],
		['api_key_refused', { status: 403, body: '{"message":"Missing Authentication Token"}' }],
		['request_blocked', { status: 403, body: PAGE }],
		['address_not_found', { status: 404, body: PAGE }],
		['request_refused', { status: 406, body: 'Not Acceptable' }],
		['request_refused', { status: 409, body: 'Conflict' }],
		['request_blocked', { status: 413, body: PAGE }],
		['request_unprocessable', { status: 422, body: 'No organization' }],
		['request_refused', { status: 451 }],
		['redirected', { status: 302, headers: { location: '/sign-in' } }],
		['response_unreadable', { status: 200, body: PAGE }],
		['service_failed', { status: 503 }],
	];

	// Once, a row that a firewall refused left 140 of 199 unsent, at each run the same.
	test('are all stored but those that are refused, wherever they are and in whatever way', async () => {
		jest.replaceProperty(POLICY as { maxRetries: object }, 'maxRetries', {
			failed: 0,
			refused: 0,
			timedOut: 0,
		});
		const refusals = fc.uniqueArray(fc.record({ index: fc.nat(59), kind: fc.constantFrom(...REFUSALS) }), {
			minLength: 1,
			maxLength: 4,
			selector: ({ index }) => index,
		});
		await fc.assert(
			fc.asyncProperty(refusals, fc.constantFrom(1, 7, 40), async (refused, concurrency) => {
				const kinds = new Map(refused.map(({ index, kind }) => [`e-${index}`, kind]));
				service.respond(
					({ body }) => kinds.get(body?.event_id as string)?.[1] ?? { status: 200, delayMs: 5 },
				);
				const { error } = await run(rows(60), { concurrency });
				expect(new Set(service.seen.map(({ body }) => body?.event_id)).size).toBe(60);
				const { causes = [error?.context?.details] } = error?.context?.details as { causes?: unknown[] };
				expect(causes).toHaveLength(refused.length);
				expect(causes).toEqual(
					expect.arrayContaining(
						[...kinds].map(([eventId, [code]]) => expect.objectContaining({ code, eventId })),
					),
				);
			}),
			{
				numRuns: 25,
				// A run that is interrupted goes on, and its requests would count as those of the next test.
				interruptAfterTimeLimit: 55_000,
				examples: REFUSALS.flatMap((kind) => [0, 20].map((index) => [[{ index, kind }], 40] as never)),
			},
		);
	}, 60_000);

	test.each(REFUSALS)('end after a few requests with %s if all are refused', async (code, response) => {
		jest.replaceProperty(POLICY as { maxRetries: object }, 'maxRetries', {
			failed: 0,
			refused: 0,
			timedOut: 0,
		});
		service.respond([response]);
		const { error } = await run(rows(60), { concurrency: 1 });
		expect(error?.context?.details).toMatchObject({ code, eventId: 'e-0' });
		expect(error?.description).toMatch(/<br \/>0 of 60 items were processed\.$/);
		expect(service.seen.length).toBeLessThanOrEqual(9);
	});

	test('stay below Requests per Second, retries included', async () => {
		service.respond((_request, index) => ({ status: index === 3 ? 500 : 200 }));
		const start = Date.now();
		await run(rows(12), { concurrency: 10, requestsPerSecond: 40 });
		// A slow machine can only lengthen this.
		expect(Date.now() - start).toBeGreaterThanOrEqual(12 * 25);
		expect(service.seen).toHaveLength(13);
	});
});
