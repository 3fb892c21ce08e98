import { Logger } from '@n8n/backend-common';
import { Container } from '@n8n/di';
import type { IDataObject } from 'n8n-workflow';
import type { ServerResponse } from 'node:http';
import { ConversationIntelligencePollTrigger } from '../../../nodes/ConversationIntelligencePollTrigger/ConversationIntelligencePollTrigger.node';
import type { Engine } from '../../support/engine';
import { documentedRow } from '../../support/engine/documentedRow';
import { scriptedEngine } from '../../support/engine/fixtures';

const TYPE = 'conversationIntelligencePollTrigger';
const POSITION = `${TYPE}:node-under-test`;
const NO_LIMIT = null;
const NONE = { status: 200, body: '{"totalConversations":0,"conversations":[]}' };

const { server, engine } = scriptedEngine([ConversationIntelligencePollTrigger]);
beforeEach(() => server.respond([NONE]));

const publish = (options: Parameters<Engine['poller']>[2]) =>
	engine.poller(TYPE, { startFrom: 'date', startDate: '2020-01-01T00:00:00Z' }, options);

/** Where the next poll starts to read, in saved data. */
const startOf = ({ global }: IDataObject) => ((global as IDataObject)[POSITION] as IDataObject).from;

/** A trigger whose first poll has ended. */
async function published(options: Parameters<Engine['poller']>[2]) {
	const poller = publish(options);
	await poller.poll();
	server.seen.length = 0;
	return poller;
}

async function happens(isSo: () => boolean): Promise<void> {
	while (!isSo()) await new Promise(setImmediate);
}

function stopClock() {
	const start = Date.now();
	const clock = jest.spyOn(Date, 'now').mockReturnValue(start);
	const monotonic = jest.spyOn(performance, 'now').mockReturnValue(0);
	return {
		set(milliseconds: number) {
			clock.mockReturnValue(start + milliseconds);
			monotonic.mockReturnValue(milliseconds);
		},
	};
}

test.each(['init', 'leadershipChange'] as const)(
	'starts when n8n starts it by itself (%s), logs why the first poll failed, and throws the error of the next one',
	async (activation) => {
		const warned = jest.spyOn(Container.get(Logger), 'warn').mockImplementation(() => {});
		const logged = jest.spyOn(Container.get(Logger), 'error').mockImplementation(() => {});
		server.respond([{ status: 401, body: 'Unauthorized' }]);
		const { poll, saved } = engine.poller(
			TYPE,
			{},
			{ activation, name: 'New conversations', process: activation },
		);
		expect(await poll()).toEqual([]);
		await happens(() => logged.mock.calls.length > 0);
		const node = { workflowId: activation, nodeId: 'node-under-test', nodeName: 'New conversations' };
		expect([...warned.mock.calls, ...logged.mock.calls]).toEqual([
			[expect.stringMatching(`^${activation}: New conversations: has no saved position`), node],
			[
				expect.stringMatching(/: could not poll at the start of n8n .*: The service does not recognize/),
				node,
			],
		]);
		expect(startOf(saved())).toBeCloseTo(Date.now(), -4);
		await expect(poll()).rejects.toThrow('does not recognize the API key');
	},
);

test.each([
	[36_000, 96_000],
	[NO_LIMIT, 360_000],
])(
	'with a time limit of %p, polls again after %i ms although the last poll never ended, and then waits for the new one',
	async (budgetMs, nextAfter) => {
		const clock = stopClock();
		const { poll } = await published({ budgetMs });
		const responses: ServerResponse[] = [];
		server.respond(() => (_request, response) => void responses.push(response));
		const stuck = poll();
		await server.waitForRequests(1);
		clock.set(nextAfter - 1);
		const warn = jest.spyOn(Container.get(Logger), 'warn').mockImplementation(() => {});
		await poll();
		const line = expect.stringMatching(`: Node: is waiting for the service for ${nextAfter / 1000} seconds$`);
		expect(warn).toHaveBeenCalledWith(line, expect.anything());
		expect(server.seen).toHaveLength(1);

		clock.set(nextAfter);
		const next = poll();
		await server.waitForRequests(2);
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
		server.respond([NONE]);
		const { poll } = await published({ budgetMs });
		// 60 conversations are read in two slices.
		server.respond(({ body }, index) => {
			if (index === 0) clock.set(elapsed);
			const row = { conversationId: `c${index}`, processedDate: body?.toDate };
			const [total, rows] = index === 0 ? [60, []] : [1, [row]];
			return { status: 200, body: JSON.stringify({ totalConversations: total, conversations: rows }) };
		});
		return (await poll()).length;
	};
	expect(await found(lateAfter - 1)).toBe(2);
	expect(await found(lateAfter)).toBe(1);
});

test.each(['init', 'leadershipChange'] as const)(
	'does not await the first poll when n8n starts it by itself (%s), however long the service takes',
	async (activation) => {
		let respond = () => {};
		server.respond((_seen, index) => (_request, response) => {
			if (index > 0) return void response.end(NONE.body);
			const row = { conversationId: 'c1', processedDate: '2026-01-01T00:00:00.000Z' };
			respond = () => void response.end(JSON.stringify({ totalConversations: 1, conversations: [row] }));
		});
		const { poll, emitted } = publish({ activation });
		await poll();
		await server.waitForRequests(1);
		expect(emitted).toEqual([]);
		const warn = jest.spyOn(Container.get(Logger), 'warn').mockImplementation(() => {});
		await poll();
		expect(warn).toHaveBeenCalledWith(
			expect.stringMatching(/: Node: is waiting for the service for 0 seconds$/),
			expect.anything(),
		);
		respond();
		await happens(() => emitted.length > 0);
	},
);

test('a failure is shown when it begins and once an hour, another one at once; its end is logged', async () => {
	const clock = stopClock();
	const { poll } = await published({});
	const logged = jest.spyOn(Container.get(Logger), 'info').mockImplementation(() => {});
	const outcome = async () =>
		await poll().then(
			() => 'hidden',
			() => 'shown',
		);
	const busy = [{ status: 429, headers: { 'retry-after': '400' } }];
	const unready = [{ status: 503, headers: { 'retry-after': '400' } }];
	const refused = [{ status: 401, body: 'Unauthorized' }];
	const MINUTE = 60_000;
	for (const [minute, script, expected] of [
		[0, busy, 'shown'],
		[1, unready, 'hidden'],
		[59.9, busy, 'hidden'],
		[60, busy, 'shown'],
		[61, refused, 'shown'],
		[62, refused, 'hidden'],
		[90, [NONE], 'hidden'],
		[91, [NONE], 'hidden'],
		[92, busy, 'shown'],
	] as const) {
		clock.set(minute * MINUTE);
		server.respond([...script]);
		expect({ minute, outcome: await outcome() }).toEqual({ minute, outcome: expected });
	}
	expect(logged.mock.calls.map(([line]) => line)).toEqual([
		expect.stringMatching(/: Node: polls again after failing for 90 minutes$/),
	]);
});

describe('conversations that are read by ID', () => {
	/** A position with so many lost conversations, older than what a poll lists. */
	const withLost = (count: number) => {
		const lost = Array.from({ length: count }, (_, n) => [`lost ${n}`, [n, 0, 1, 0]]);
		const position = {
			start: '2020-01-01T00:00:00Z',
			from: Date.now(),
			node: 'Node',
			version: 1,
			filters: [{ since: 0, filter: {} }],
			count: 0,
			seen: Object.fromEntries(lost),
		};
		return { saved: { global: { [POSITION]: position } } };
	};

	test('are requested five at a time', async () => {
		server.respond(() => ({ status: 404, delayMs: 50 }));
		await publish(withLost(12))
			.poll()
			.catch(() => {});
		expect(server.maxInFlight).toBe(5);
	});

	test('fail the poll when one is not returned within the time for the poll', async () => {
		server.respond(() => () => {});
		await expect(publish({ ...withLost(1), budgetMs: 1000 }).poll()).rejects.toThrow(/within/);
		expect(server.seen.map(({ url }) => url)).toEqual(['/export/conversations/lost%200']);
	});
});

test.each([
	['an hour ahead', 3_600_000, 1000],
	['three minutes behind', -180_000, -180_000],
	// A clock that is far ahead may be wrong: nothing is skipped for it.
	['an hour behind', -3_600_000, -3_600_000],
	['half a second ahead', 500, 500],
])(
	'starts at the earlier time, and at that of the service unless it is far ahead, when the clock of n8n is %s',
	async (_where, ahead, later) => {
		const now = Date.UTC(2026, 2, 1, 12);
		jest.spyOn(Date, 'now').mockReturnValue(now + ahead);
		server.respond([{ ...NONE, headers: { date: new Date(now).toUTCString() } }]);
		const { poll, saved } = engine.poller(TYPE, {});
		await poll();
		expect(startOf(saved())).toBe(now + later);
		const [fromDate, toDate] = [ahead - 1000, ahead].map((from) => new Date(now + from).toISOString());
		const first = { dateType: 'processedDate', fromDate, toDate, page: 1, limit: 1 };
		expect(server.seen[0].body).toMatchObject(first);
	},
);

test('asks for what was processed by the service, whose clock is five minutes ahead, without waiting for them', async () => {
	const now = Date.UTC(2026, 2, 1, 12);
	const clock = jest.spyOn(Date, 'now').mockReturnValue(now);
	const ahead = 300_000;
	server.respond(() => ({ ...NONE, headers: { date: new Date(Date.now() + ahead).toUTCString() } }));
	const { poll } = engine.poller(TYPE, {});
	await poll();
	clock.mockReturnValue(now + 10 * 60_000);
	await poll();
	const asked = Date.parse(String(server.seen.at(-2)!.body!.toDate));
	expect(asked).toBe(now + 10 * 60_000 + ahead + 2 * 60_000);
});

describe('a poll that a later one has overtaken', () => {
	/**
	 * Both wait for the service, which responds to the later one first: minute 30 and 20. Returns what is saved before and
	 * after the response to the earlier one.
	 */
	async function overtake(
		{ poll, saved }: ReturnType<Engine['poller']>,
		clock: ReturnType<typeof stopClock>,
		respond: (response: ServerResponse, processed: Date) => void,
	) {
		const responses: ServerResponse[] = [];
		server.respond(() => (_request, response) => void responses.push(response));
		const slow = poll();
		await server.waitForRequests(1);
		clock.set(96_000);
		const next = poll();
		await server.waitForRequests(2);
		respond(responses[1], new Date(Date.UTC(2026, 0, 1, 0, 30)));
		await next;
		const before = saved();
		respond(responses[0], new Date(Date.UTC(2026, 0, 1, 0, 20)));
		await slow;
		return { before, after: saved() };
	}

	test('saves and delivers nothing', async () => {
		const clock = stopClock();
		const poller = await published({ budgetMs: 36_000 });
		const { before, after } = await overtake(poller, clock, (response, processed) => {
			const conversationId = `of ${processed.getUTCMinutes()}`;
			const row = { conversationId, processedDate: processed.toISOString() };
			response.end(JSON.stringify({ totalConversations: 1, conversations: [row] }));
		});
		const delivered = poller.emitted.flatMap(({ items }) => items.map(({ json }) => json.dedupeKey));
		expect(delivered).toEqual(['of 30']);
		expect(after).toEqual(before);
	});

	test('starts where the later one started', async () => {
		const poller = engine.poller(TYPE, {}, { budgetMs: 36_000 });
		const { before, after } = await overtake(poller, stopClock(), (response, date) =>
			response.writeHead(200, { date: date.toUTCString() }).end(NONE.body),
		);
		expect(after).toEqual(before);
	});
});

/** The same instant as a clock in India shows it. */
const inIndia = (time: number) => new Date(time + 5.5 * 3_600_000).toISOString().replace('Z', '+05:30');

// D1-EXP-04, D1-EXPBODY-03, D1-CONVENTION-02, D1-CONV-04, D1-CONV-01, D1-WH-03, D1-WH-07
test('compares instants in any ISO 8601 form, and delivers what was processed again', async () => {
	const processed = Date.now() - 60_000;
	let row = documentedRow('ConversationsExport', { processedDate: new Date(processed).toISOString() });
	server.respond(({ body }) => {
		expect(body).toMatchObject({ dateType: 'processedDate', page: 1 });
		return { status: 200, body: JSON.stringify({ conversations: [row], totalConversations: 1 }) };
	});
	const parameters = { startFrom: 'date', startDate: new Date(processed - 60_000).toISOString() };
	const { poll } = engine.poller(TYPE, parameters);
	const delivered = async (processedDate: string) => {
		row = { ...row, processedDate };
		return (await poll()).map(({ json }: { json: IDataObject }) => [json.dedupeKey, json.processedDate]);
	};

	const dates = [new Date(processed).toISOString(), inIndia(processed), inIndia(processed + 1)];
	expect(await delivered(dates[0])).toEqual([[row.conversationId, dates[0]]]);
	expect(await delivered(dates[1])).toEqual([]);
	expect(await delivered(dates[2])).toEqual([[row.conversationId, dates[2]]]);
	expect(await delivered(dates[2])).toEqual([]);
});
