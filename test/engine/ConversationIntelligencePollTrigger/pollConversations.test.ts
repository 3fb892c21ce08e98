import { Logger } from '@n8n/backend-common';
import { Container } from '@n8n/di';
import type { ServerResponse } from 'node:http';
import { createEngine, type Engine } from '../../support/engine';
import { ScriptedServer } from '../../support/scriptedServer';

const NO_LIMIT = null;
const NONE = { status: 200, body: '{"totalConversations":0,"conversations":[]}' };

let server: ScriptedServer;
let engine: Engine;
beforeEach(async () => {
	server = await ScriptedServer.start(NONE);
	engine = await createEngine({ conversationExportApi: { baseUrl: server.url, apiKey: 'key' } });
});
afterEach(async () => {
	jest.restoreAllMocks();
	await server.close();
});

const publish = (options: Parameters<Engine['poller']>[2]) =>
	engine.poller(
		'conversationIntelligencePollTrigger',
		{ startFrom: 'date', startDate: '2020-01-01T00:00:00Z' },
		options,
	);

/** Stops the clock. */
function stopClock() {
	const start = Date.now();
	const clock = jest.spyOn(Date, 'now').mockReturnValue(start);
	return { set: (milliseconds: number) => void clock.mockReturnValue(start + milliseconds) };
}

test.each(['init', 'leadershipChange'] as const)(
	'logs why the first poll failed when n8n starts it by itself (%s)',
	async (activation) => {
		const logged = jest.spyOn(Container.get(Logger), 'error').mockImplementation(() => {});
		server.answer([{ status: 401, body: 'Unauthorized' }]);
		await publish({ activation, name: 'New conversations' }).poll();
		expect(logged.mock.calls).toEqual([
			[
				'"New conversations" could not poll at the start of n8n and tries again: The service does not recognize the API key',
				{ nodeId: 'node-under-test' },
			],
		]);
	},
);

test.each([
	[36_000, 96_000],
	[NO_LIMIT, 360_000],
])(
	'with a time limit of %p, polls again after %i ms although the last poll never ended, and then waits for the new one',
	async (budgetMs, nextAfter) => {
		const clock = stopClock();
		const responses: ServerResponse[] = [];
		server.answer(() => (_request, response) => void responses.push(response));
		const { poll } = publish({ budgetMs });
		const stuck = poll();
		await server.sees(1);
		clock.set(nextAfter - 1);
		await poll();
		expect(server.seen).toHaveLength(1);

		clock.set(nextAfter);
		const next = poll();
		await server.sees(2);
		responses[0].destroy();
		await expect(stuck).rejects.toThrow('The service cannot be reached');
		await poll();
		expect(server.seen).toHaveLength(2);
		responses[1].end(NONE.body);
		await next;
	},
);

test.each([
	[36_000, 18_000],
	[300_000, 30_000],
])('with a time limit of %i ms, delivers what it has found after %i ms', async (budgetMs, lateAfter) => {
	const clock = stopClock();
	const found = async (elapsed: number) => {
		clock.set(0);
		// 60 conversations are read in two stretches.
		server.answer(({ body }, index) => {
			if (index === 0) clock.set(elapsed);
			const row = { conversationId: `c${index}`, processedDate: body?.toDate };
			const [total, rows] = index === 0 ? [60, []] : [1, [row]];
			return { status: 200, body: JSON.stringify({ totalConversations: total, conversations: rows }) };
		});
		return (await publish({ budgetMs }).poll()).length;
	};
	expect(await found(lateAfter - 1)).toBe(2);
	expect(await found(lateAfter)).toBe(1);
});

test('repeats a request whose connection was reset', async () => {
	server.answer(['reset', NONE]);
	await publish({ budgetMs: 36_000 }).poll();
	expect(server.seen).toHaveLength(2);
});
