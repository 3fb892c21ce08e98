import type { INodeParameters } from 'n8n-workflow';
import { DEFAULT_CONCURRENCY } from '../../../nodes/ConversationIntelligenceAppointments/panel';
import { POLICY } from '../../../nodes/shared/http/policy';
import { mappedByHand } from '../../support/columns';
import { DELETE, processingService, UPDATE } from './mapping';

// test/nodes/shared/{node/operations,base/concurrency.runKeyed,http/limiter}.test.ts hold what is the same for all operations.
describe('many items', () => {
	const { service, run: runNode } = processingService();
	beforeEach(() => {
		jest.replaceProperty(POLICY as { baseDelayMs: number }, 'baseDelayMs', 20);
	});

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

	test('are sent ten at first, then in parallel up to the default, and returned in input order', async () => {
		let atFirst = 0;
		// After the start, responses wait until all parallel requests have arrived, and long enough to notice one too many.
		service.respond(async (_request, index) => {
			if (index < 10) await service.waitForRequests(10);
			if (index === 10) atFirst = service.maxInFlight;
			if (index >= DEFAULT_CONCURRENCY) await service.waitForRequests(2 * DEFAULT_CONCURRENCY);
			return { status: 200, delayMs: 20 };
		});
		const given = rows(3 * DEFAULT_CONCURRENCY);
		const { items } = await run(given);
		expect([atFirst, service.maxInFlight]).toEqual([10, DEFAULT_CONCURRENCY]);
		expect(
			items.map(({ json, pairedItem }) => [(json.sent as { result: string }).result, pairedItem]),
		).toEqual(given.map(({ result }, item) => [result, { item }]));
	});

	test.each([UPDATE, DELETE])(
		'are sent by the lowest Max Parallel Requests and Requests per Second of all: %j',
		async (operation) => {
			service.respond(async () => (await service.waitForRequests(4), { status: 200, delayMs: 20 }));
			await runNode(
				{ ...operation, options: { concurrency: '={{ $json.id === "e-7" ? 4 : 9 }}' } },
				...rows(30),
			);
			expect(service.maxInFlight).toBe(4);
			service.respond((_request, index) => ({ status: index === 3 ? 500 : 200 }));
			const start = Date.now();
			await runNode(
				{ ...operation, options: { requestsPerSecond: '={{ $json.id === "e-7" ? 40 : 0 }}' } },
				...rows(12),
			);
			// A slow machine can only lengthen this.
			expect(Date.now() - start).toBeGreaterThanOrEqual(12 * 25);
			expect(service.seen).toHaveLength(13);
		},
	);

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

	test('with several mistakes each are named with all of them', async () => {
		const columns = mappedByHand({
			...{ event_id: '={{ $json.id }}', user_email: 'ana@example.com', attendee_emails: 'ben@example.com' },
			...{ price: '={{ $json.price }}', start_time: '={{ $json.start }}' },
		});
		const wrong = [
			{ id: 'e-0', price: 'cheap', start: 'soon' },
			{ id: 'e-1', price: 'dear', start: 'later' },
		];
		const { error } = await runNode({ ...UPDATE, columns }, ...wrong);
		for (const { price, start } of wrong) {
			expect(error?.description).toContain(`Start Time must be a date and time (it is "${start}")`);
			expect(error?.description).toContain(`Price must be a price (it is "${price}")`);
		}
	});
});
