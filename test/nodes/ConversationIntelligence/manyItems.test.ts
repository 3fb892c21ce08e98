import type { INodeExecutionData, INodeParameters } from 'n8n-workflow';
import { scriptedExport } from './exportNode';
import type { SeenRequest } from '../../support/scriptedServer';
import { LISTS, pageOf } from './listing';

const dayOf = ({ body }: SeenRequest) => Number(String(body?.fromDate).slice(8, 10));
const OF_DAY = { fromDate: '={{ $json.day }}', toDate: '={{ $json.day }}' };
const days = (count: number): INodeExecutionData[] =>
	Array.from({ length: count }, (_, index) => ({
		json: { day: `2026-03-${String(index + 1).padStart(2, '0')}` },
	}));

describe('Many input items', () => {
	const { server, run: list } = scriptedExport();
	const run = async (parameters: INodeParameters, input: INodeExecutionData[], options = {}) =>
		await list(parameters, { input, ...options });

	/** A page of the 120 conversations of a day, each named by its day and its place. */
	const page = (request: SeenRequest) => {
		const date = `${String(request.body?.fromDate).slice(0, 10)}T12:00:00.000Z`;
		const rows = Array.from({ length: 120 }, (_, index) => ({
			conversationId: `${dayOf(request)}-${index}`,
			...{ date, processedDate: date, duration: 60 },
		}));
		return { status: 200, body: pageOf(rows, request.body) };
	};
	const CONVERSATIONS = { ...LISTS.conversations, ...OF_DAY };
	const USERS = { ...LISTS.users, ...OF_DAY };

	test('that read lists of several pages lose and mix no row', async () => {
		server.respond(page);
		const { items } = await run(CONVERSATIONS, days(12));
		expect(items.map(({ json }) => json.conversationId)).toEqual(
			days(12).flatMap((_, day) => Array.from({ length: 120 }, (_row, index) => `${day + 1}-${index}`)),
		);
		expect(server.seen).toHaveLength(36);
	});

	test('send at most a hundred requests at the same time', async () => {
		const ids = Array.from(
			{ length: 250 },
			(_, n) => `3f2b8c1e-5d7a-4c66-9b1f-${String(n).padStart(12, '0')}`,
		);
		server.respond(async ({ url }, index) => {
			// The first ones let the run grow.
			if (index >= 100) await server.waitForRequests(200);
			return { status: 200, body: JSON.stringify({ conversationId: url.split('/').at(-1) }) };
		});
		const get = { resource: 'conversation', operation: 'get', conversationId: '={{ $json.id }}' };
		const { items } = await run(
			get,
			ids.map((id) => ({ json: { id } })),
		);
		expect(items.map(({ json }) => json.conversationId)).toEqual(ids);
		expect(server.maxInFlight).toBe(100);
	});

	test('share Max Parallel Requests, the lowest of theirs, which holds for all of them together', async () => {
		server.respond(async (request, index) => {
			await server.waitForRequests(Math.min(36, index + 3));
			// Long enough to notice one too many.
			return { ...page(request), delayMs: 10 };
		});
		const { items } = await run(
			{ ...CONVERSATIONS, options: { concurrency: '={{ $itemIndex === 5 ? 3 : 20 }}' } },
			days(12),
		);
		expect(items).toHaveLength(12 * 120);
		expect(server.maxInFlight).toBe(3);
	});

	test('write one file after another, so that many take no more memory than one', async () => {
		server.respond(page);
		const { items } = await run({ ...CONVERSATIONS, outputAs: 'file' }, days(4));
		expect(items.map(({ json }) => json.rows)).toEqual([120, 120, 120, 120]);
		const order = server.seen.map(dayOf);
		expect(order).toEqual([...order].sort((a, b) => a - b));
	});

	test('stop with the first that fails, whose error is said once, and nothing is sent after it', async () => {
		server.respond(async (request) => {
			await server.waitForRequests(8);
			if (dayOf(request) === 3 && request.body?.page !== 1) return { status: 400, body: 'Out of range' };
			if (request.body?.page !== 1) await server.waitForRequests(10);
			return page(request);
		});
		const { error, items } = await run({ ...CONVERSATIONS, options: { concurrency: 8 } }, days(12));
		expect(items).toEqual([]);
		expect(error?.message).toMatch(/^Could not read the whole list: (?!.*Could not read)/i);
		expect(error?.context).toMatchObject({ itemIndex: 2 });
		expect(error?.description).toMatch(/<br \/>\d+ of 12 items were processed\.$/);
		expect(server.seen.length).toBeLessThan(36);
	});

	test('show their hints in input order', async () => {
		server.respond(async (request) => {
			await server.waitForRequests(3);
			const isLast = dayOf(request) === 3;
			while (!isLast && answered < 3 - dayOf(request)) await new Promise(setImmediate);
			answered++;
			return { status: 200, body: JSON.stringify({ users: [] }) };
		});
		let answered = 0;
		const { hints } = await run(USERS, days(3));
		expect(hints.map(({ message }) => /\[Item \d\]$/.exec(message)?.[0])).toEqual([
			'[Item 0]',
			'[Item 1]',
			'[Item 2]',
		]);
	});
});
