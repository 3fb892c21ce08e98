import type { INodeExecutionData } from 'n8n-workflow';
import { scriptedExport } from './exportNode';
import type { SeenRequest } from '../../support/scriptedServer';
import { LISTS, pageOf } from './listing';

const dayOf = ({ body }: SeenRequest) => Number(String(body?.fromDate).slice(8, 10));
const days = (count: number): INodeExecutionData[] =>
	Array.from({ length: count }, (_, index) => ({
		json: { day: `2026-03-${String(index + 1).padStart(2, '0')}` },
	}));

describe('Many input items', () => {
	const { server, run } = scriptedExport();

	/** A page of the 120 conversations of a day, each named by its day and its place. */
	const page = (request: SeenRequest) => {
		const date = `${String(request.body?.fromDate).slice(0, 10)}T12:00:00.000Z`;
		const rows = Array.from({ length: 120 }, (_, index) => ({
			conversationId: `${dayOf(request)}-${index}`,
			...{ date, processedDate: date, duration: 60 },
		}));
		return { status: 200, body: pageOf(rows, request.body) };
	};
	const CONVERSATIONS = { ...LISTS.conversations, fromDate: '={{ $json.day }}', toDate: '={{ $json.day }}' };

	test('share Max Parallel Requests, the lowest of theirs, and lose and mix no row', async () => {
		server.respond(async (request, index) => {
			await server.waitForRequests(Math.min(36, index + 3));
			// Long enough to notice one too many.
			return { ...page(request), delayMs: 10 };
		});
		const { items } = await run(
			{ ...CONVERSATIONS, options: { concurrency: '={{ $itemIndex === 5 ? 3 : 20 }}' } },
			{ input: days(12) },
		);
		expect(items.map(({ json }) => json.conversationId)).toEqual(
			days(12).flatMap((_, day) => Array.from({ length: 120 }, (_row, index) => `${day + 1}-${index}`)),
		);
		expect(server.seen).toHaveLength(36);
		expect(server.maxInFlight).toBe(3);
	});

	test('write one file after another, so that many take no more memory than one', async () => {
		server.respond(page);
		const { items } = await run({ ...CONVERSATIONS, outputAs: 'file' }, { input: days(4) });
		expect(items.map(({ json }) => json.rows)).toEqual([120, 120, 120, 120]);
		expect(server.seen.map(dayOf)).toEqual(server.seen.map(dayOf).toSorted((a, b) => a - b));
	});
});
