import type { NodeApiError } from 'n8n-workflow';
import { metricsSource } from '../../../../nodes/ConversationIntelligence/getMany/metricsSource';
import type { ListRequest } from '../../../../nodes/ConversationIntelligence/getMany/readRequest';
import { teamsExportSchema, usersExportSchema } from '../../../../nodes/shared/exportApi/schemas';
import { Item } from '../../../../nodes/shared/node/item';
import { bytes, failed, scriptedService } from '../../shared/http/scriptedService';

const RANGE = { fromDate: '2026-02-01T00:00:00.000Z', toDate: '2026-03-01T00:00:00.000Z' };

/** The source of a response's rows. */
function sourceOf(kind: 'teams' | 'users', response: unknown, { maxRows = Infinity, body = {} } = {}) {
	const late = async () => {
		await new Promise((resolve) => setTimeout(resolve, 300_000));
		return failed('ECONNABORTED');
	};
	const responses = [response === 'late' ? late : { statusCode: 200, body: bytes(response) }];
	const { context, sent } = scriptedService({ responses });
	const request = { range: RANGE, maxRows } as Partial<ListRequest> as ListRequest;
	const source = metricsSource(new Item(context, 2), request, kind, body);
	const read = async () => {
		const batches: unknown[][] = [];
		for await (const rows of source.batches()) batches.push(rows);
		return batches;
	};
	return { source, sent, read };
}

test.each(['teams', 'users'] as const)('reads all %s with one request for the range', async (kind) => {
	const { sent, read } = sourceOf(kind, { [kind]: [{ name: 'A' }, 7] }, { body: { includeSubteams: true } });
	expect(sent).toEqual([]);
	expect(await read()).toEqual([[{ name: 'A' }, 7]]);
	expect(sent).toHaveLength(1);
	expect(sent[0].type).toBe('conversationExportApi');
	expect(sent[0].options).toMatchObject({ method: 'POST', url: `https://api.example.com/v1/export/${kind}` });
	expect(sent[0].options.body).toStrictEqual({ ...RANGE, includeSubteams: true });
	// Metrics of a long range take the service minutes.
	expect(sent[0].options.timeout).toBe(300_000);
});

test.each([
	['teams', 'totalTeams'],
	['users', 'totalUsers'],
] as const)('returns the first %s up to the limit, and counts all that came', async (kind, total) => {
	const { source, read } = sourceOf(kind, { [kind]: [1, 2, 3] }, { maxRows: 2 });
	expect(source.total()).toBe(0);
	expect(source.summary()).toEqual({ requests: 1, [total]: 0 });
	expect(await read()).toEqual([[1, 2]]);
	expect(source.total()).toBe(3);
	expect(source.summary()).toEqual({ requests: 1, [total]: 3 });
	expect(source.isComplete()).toBe(false);
});

test('is complete with as many rows as the limit', async () => {
	const { source, read } = sourceOf('users', { users: [1, 2] }, { maxRows: 2 });
	await read();
	expect(source.isComplete()).toBe(true);
});

test('advises a shorter range when the service takes too long', async () => {
	jest.useFakeTimers();
	const outcome = sourceOf('users', 'late')
		.read()
		.catch((error: NodeApiError) => error.description);
	await jest.runAllTimersAsync();
	expect(await outcome).toBe('Tried 2 times. Use a shorter date range.');
	jest.useRealTimers();
});

test.each([
	['teams', teamsExportSchema],
	['users', usersExportSchema],
] as const)('compares rows with the documented fields of %s', (kind, schema) => {
	const { source } = sourceOf(kind, {});
	expect(source.schema).toBe(schema);
	source.check.add({});
	expect(source.check.mismatches).toEqual(Object.keys(schema.shape).map((field) => `${field} is missing`));
});

test.each([
	['teams' as const, 'teamId'],
	['users' as const, 'userId'],
])('keeps the ID of %s', (kind, id) => {
	const { source } = sourceOf(kind, {});
	expect(source.keptFields).toEqual([id]);
});
