import fc from 'fast-check';
import type { INodeParameters } from 'n8n-workflow';
import { DEFAULT_CONCURRENCY } from '../../../nodes/ConversationIntelligenceAppointments/sending/runOptions';
import { POLICY } from '../../../nodes/shared/http';
import { mappedByHand } from '../../support/columns';
import type { ScriptedResponse } from '../../support/scriptedServer';
import { CONVERSATION_ID, MATCH, scriptedNode, UPDATE } from './mapping';

/** How the service treats one request. */
type Fault = 'none' | 'limited' | 'failing' | 'reset' | 'lost' | 'refused';

describe('many items', () => {
	const { service, run: runNode, bodies } = scriptedNode();
	beforeEach(() => void jest.replaceProperty(POLICY as { baseDelayMs: number }, 'baseDelayMs', 20));

	const columns = mappedByHand({
		event_id: '={{ $json.id }}',
		user_email: 'ana@example.com',
		result: '={{ $json.result }}',
	});
	const run = async (
		given: Array<{ id: string; result: string }>,
		options: INodeParameters = {},
		more = {},
	) => await runNode({ ...UPDATE, columns, options }, given, more);
	const rows = (count: number, keys = count) =>
		Array.from({ length: count }, (_, index) => ({ id: `e-${index % keys}`, result: String(index) }));

	test('are sent in parallel up to the default, and returned in input order', async () => {
		// The first responses wait until all parallel requests have arrived, and long enough to notice one too many.
		service.respond(async () => (await service.sees(DEFAULT_CONCURRENCY), { status: 200, delayMs: 20 }));
		const given = rows(3 * DEFAULT_CONCURRENCY);
		const { items } = await run(given);
		expect(service.maxInFlight).toBe(DEFAULT_CONCURRENCY);
		expect(items.map(({ json }) => (json.sent as { result: string }).result)).toEqual(
			given.map((row) => row.result),
		);
		expect(items.map(({ pairedItem }) => pairedItem)).toEqual(given.map((_, item) => ({ item })));
	});

	test.each([1, 5, 10])(
		'stop at the first that is refused, and count those on their way, %i at a time',
		async (concurrency) => {
			const refused = `e-${concurrency - 1}`;
			service.respond(async ({ body }) => {
				await service.sees(concurrency);
				return body?.event_id === refused ? { status: 400 } : { status: 200, delayMs: 50 };
			});
			const { error } = await run(rows(30), { concurrency });
			expect(service.seen).toHaveLength(concurrency);
			expect(error?.context).toMatchObject({ itemIndex: concurrency - 1 });
			expect(error?.description).toMatch(new RegExp(` ${concurrency - 1} of 30 items were processed\\.$`));
		},
	);

	test('with the same event ID are sent one after another, in input order', async () => {
		// The first of each is the slowest: without a queue per key, later ones would overtake it.
		service.respond(async (_request, index) => {
			await service.sees(4);
			return { status: 200, delayMs: Math.max(0, 60 - index * 4) };
		});
		const given = rows(40, 4);
		await run(given, { concurrency: 20 });
		expect(service.maxInFlight).toBe(4);
		for (const id of ['e-0', 'e-1', 'e-2', 'e-3']) {
			const sent = bodies().filter((body) => body?.event_id === id);
			expect(sent.map((body) => body?.result)).toEqual(
				given.filter((row) => row.id === id).map((row) => row.result),
			);
		}
	});

	// test/nodes/shared/http/limiter.test.ts tests how the limiter adapts, with a simulated clock.
	test('stay below a maximum of requests per second, retries included', async () => {
		service.respond((_request, index) => ({ status: index === 3 ? 500 : 200 }));
		const start = Date.now();
		await run(rows(12), { concurrency: 10, requestsPerSecond: 40 });
		// A slow machine can only lengthen this.
		expect(Date.now() - start).toBeGreaterThanOrEqual(12 * 25);
		expect(service.seen).toHaveLength(13);
	});

	// D2-RETRY-03
	test('all wait when the service refuses most of them and asks for a pause', async () => {
		let refusedAt = 0;
		service.respond(async () => {
			refusedAt ||= Date.now();
			if (Date.now() < refusedAt + 1000) return { status: 429, headers: { 'retry-after': '1' } };
			return { status: 200, delayMs: 5 };
		});
		const { error } = await run(rows(60), { concurrency: 5 });
		expect(error).toBeUndefined();
		// Nine refusals show that most are refused; four other requests were running then.
		const during = service.seen.filter(({ at }) => at < refusedAt + 1000);
		expect(during.length).toBeLessThanOrEqual(14);
	});

	// D2-MATCH-01
	test('of one conversation are matched in input order, even when the first is retried', async () => {
		const matches = [
			{ id: 'A', conversation: CONVERSATION_ID },
			{ id: 'B', conversation: CONVERSATION_ID.toUpperCase() },
		];
		const tried = new Set<unknown>();
		const linked: unknown[] = [];
		service.respond(({ body }) => {
			if (body?.event_id === 'A' && !tried.has('A')) {
				tried.add('A');
				return { status: 429 };
			}
			linked.push(body?.event_id);
			return { status: 200 };
		});
		const { error } = await runNode({ ...MATCH, conversationId: '={{ $json.conversation }}' }, matches);
		expect(error).toBeUndefined();
		expect(linked).toEqual(['A', 'B']);
	});

	// D2-LIM-01
	test('all succeed under a usage plan far below the parallel requests', async () => {
		let tokens = 5;
		let at = Date.now();
		service.respond(() => {
			tokens = Math.min(5, tokens + ((Date.now() - at) / 1000) * 40);
			at = Date.now();
			if (tokens < 1) return { status: 429, body: 'Too Many Requests' };
			tokens--;
			return { status: 200 };
		});
		const { error, items } = await run(rows(120), { concurrency: 40 });
		expect(error).toBeUndefined();
		expect(items.map(({ json }) => json.status)).toEqual(Array(120).fill(200));
	});

	test('are not sent while one of them is invalid, unless Continue On Fail sends the others', async () => {
		const given = [...rows(3), { id: '', result: 'x' }];
		service.respond(() => ({ status: 200 }));
		expect((await run(given)).error?.message).toBe('Event ID is missing');
		expect(service.seen).toEqual([]);
		const { items } = await run(given, {}, { continueOnFail: true });
		expect(service.seen).toHaveLength(3);
		expect(items[3].json).toMatchObject({
			error: 'Event ID is missing',
			details: { code: 'field_missing', field: 'Event ID' },
		});
	});

	test('never fail because of another item, and the last value of each event ID is stored', async () => {
		const fault = fc.oneof(
			{ weight: 12, arbitrary: fc.constant<Fault>('none') },
			{ weight: 1, arbitrary: fc.constantFrom<Fault>('limited', 'failing', 'reset', 'lost', 'refused') },
		);
		const plan = fc.record({
			keys: fc.array(fc.nat({ max: 5 }), { minLength: 1, maxLength: 25 }),
			// Faults hit first attempts only; every retry succeeds.
			faults: fc.array(fault, { minLength: 25, maxLength: 25 }),
			concurrency: fc.integer({ min: 1, max: 10 }),
		});
		await fc.assert(
			fc.asyncProperty(plan, async ({ keys, faults, concurrency }) => {
				const stored = new Map<string, string>();
				const tried = new Set<string>();
				service.respond(({ body }) => {
					const { event_id: id, result } = body as { event_id: string; result: string };
					const given = tried.has(result) ? 'none' : faults[Number(result)];
					tried.add(result);
					return APPLY[given](() => stored.set(id, result));
				});
				const given = keys.map((key, index) => ({ id: `e-${key}`, result: String(index) }));
				const { items } = await run(given, { concurrency }, { continueOnFail: true });

				const isRefused = given.map((_, index) => faults[index] === 'refused');
				expect(items.map(({ json }) => 'error' in json)).toEqual(isRefused);
				const intended = new Map<string, string>();
				given.forEach(({ id, result }, index) => isRefused[index] || intended.set(id, result));
				expect([...stored].sort()).toEqual([...intended].sort());
			}),
			{ numRuns: 30 },
		);
	});
});

const SOON = { 'retry-after': '0' };
const APPLY: Record<Fault, (store: () => unknown) => ScriptedResponse> = {
	none: (store) => (store(), { status: 200 }),
	limited: () => ({ status: 429, headers: SOON }),
	failing: () => ({ status: 500, headers: SOON }),
	reset: () => 'reset',
	lost: (store) => (store(), 'reset'),
	refused: () => ({ status: 400, body: 'title is too long' }),
};
