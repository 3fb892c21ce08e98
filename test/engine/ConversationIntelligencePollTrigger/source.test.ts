import { Logger } from '@n8n/backend-common';
import { Container } from '@n8n/di';
import type { INodeParameters } from 'n8n-workflow';
import { createEngine } from '../../support/engine';
import { ScriptedServer } from '../../support/scriptedServer';

let server: ScriptedServer;
beforeAll(async () => (server = await ScriptedServer.start()));
afterAll(async () => await server.close());

/** Polls a service that lists these conversations and counts so many. */
async function poll(
	mode: 'trigger' | 'manual',
	rows: object[],
	total: number,
	parameters: INodeParameters = {},
) {
	server.respond([{ status: 200, body: JSON.stringify({ conversations: rows, totalConversations: total }) }]);
	const engine = await createEngine({ conversationExportApi: { baseUrl: server.url, apiKey: 'key' } });
	return await engine.poller('conversationIntelligencePollTrigger', parameters, { mode }).poll();
}

test('the editor shows conversations of the last 30 days as the trigger delivers them', async () => {
	jest.spyOn(Date, 'now').mockReturnValue(Date.UTC(2026, 2, 31));
	const row = { conversationId: 'c1', title: 'Door 12' };
	const items = await poll('manual', [row], 1);
	const urlsExpireAt = '2026-03-31T06:00:00.000Z';
	expect(items).toEqual([{ json: { ...row, dedupeKey: 'c1', urlsExpireAt, event: null } }]);
	const [{ body }] = server.seen;
	expect(body).toMatchObject({
		toDate: '2026-03-31T00:00:00.000Z',
		fromDate: '2026-03-01T00:00:00.000Z',
		page: 1,
	});
});

test('the editor shows the five conversations that were processed last, the latest first', async () => {
	jest.spyOn(Date, 'now').mockReturnValue(Date.UTC(2026, 2, 31));
	const rows = [3, 7, 1, 6, 2, 5, 4].map((day) => {
		const at = (hour: number) => new Date(Date.UTC(2026, 2, day, hour)).toISOString();
		return { conversationId: `c${day}`, date: at(24 * (8 - day)), processedDate: at(0) };
	});
	const items = await poll('manual', rows, rows.length);
	expect(items.map(({ json }) => json.dedupeKey)).toEqual(['c7', 'c6', 'c5', 'c4', 'c3']);
});

test('the editor names all users without a conversation', async () => {
	const users = ['ana@example.com', 'bo@example.com'];
	await expect(poll('manual', [], 0, { filters: { users } })).rejects.toThrow(
		'No conversation of ana@example.com, bo@example.com was processed in the last 30 days',
	);
});

test('logs, with the name of the node, that the service counts more conversations than it lists', async () => {
	const warn = jest.spyOn(Container.get(Logger), 'warn').mockImplementation(() => {});
	await poll('trigger', [{ conversationId: 'c1' }], 2, { startFrom: 'date', startDate: '2026-01-01' });
	expect(warn.mock.calls).toEqual([
		['The service counts 2 conversations and lists 1.', { nodeName: 'Node' }],
	]);
});

test('refuses an expression for users that returns nobody, which must not mean all users', async () => {
	const filters = { users: '={{ [] }}' };
	await expect(poll('trigger', [], 0, { filters })).rejects.toMatchObject({
		message: 'The expression for User Names or IDs returned no email',
		description: 'Correct the expression, or remove the filter for all users.',
	});
});
