import type { IncomingMessage, ServerResponse } from 'node:http';
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { startSandbox, type Sandbox } from '../../sandbox';
import { createEngine, type Engine } from '../support/engine';
import { ScriptedServer } from '../support/scriptedServer';

describe('Conversation Poll Trigger', () => {
	let sandbox: Sandbox;
	let engine: Engine;

	beforeAll(async () => {
		sandbox = await startSandbox({ conversations: 120 });
		engine = await createEngine({
			conversationExportApi: { baseUrl: sandbox.exportUrl, apiKey: sandbox.keys.organization },
		});
	});
	afterAll(async () => await sandbox.close());
	beforeEach(() => sandbox.requests.reset());

	async function poll(parameters: INodeParameters, staticData: IDataObject = {}, global: IDataObject = {}) {
		const { result, ...saved } = await engine.poll('conversationPollTrigger', parameters, {
			staticData,
			global,
		});
		return { items: result?.[0] ?? [], ...saved };
	}
	const SINCE_EVER = { startFrom: 'date', startDate: '2020-01-01T00:00:00Z' };

	/** Inserted conversations; returns when their time has passed, so that none belongs to a later beginning too. */
	async function insertedBefore(count: number) {
		const inserted = sandbox.control.insertConversations({ count });
		const lastProcessed = Date.now() + count;
		while (Date.now() <= lastProcessed) await new Promise(setImmediate);
		return inserted;
	}

	test('[D1-WH-07] from publication: nothing at first, then each new conversation once', async () => {
		const first = await poll({});
		expect(first.items).toEqual([]);
		const inserted = sandbox.control.insertConversations({ count: 3 });
		const second = await poll({}, first.staticData);
		expect(second.items.map(({ json }) => json.dedupeKey)).toEqual(inserted);
		const third = await poll({}, second.staticData);
		expect(third.items).toEqual([]);
	});

	test('[D1-WH-07] with durable cursors n8n drops the first position: what came since publication is still handed over', async () => {
		const atPublication = await poll({});
		const inserted = await insertedBefore(3);
		const scheduled = await poll({}, {}, atPublication.global);
		expect(scheduled.items.map(({ json }) => json.dedupeKey)).toEqual(inserted);
		expect(scheduled.global).toEqual(atPublication.global);
	});

	test.each([
		['another Start From', { nodeId: 'node-under-test', start: '2020-01-01T00:00:00.000Z', floor: 0 }],
		['a node that this one replaced', { nodeId: 'another', start: 'activation', floor: 0 }],
		['nothing readable', { nodeId: 'node-under-test', start: 'activation', floor: 'lost' }],
	])('a beginning that was kept for %s does not count', async (_what, kept) => {
		const { items, global } = await poll({}, {}, { 'conversationPollTrigger:Node': kept });
		expect(items).toEqual([]);
		expect(global['conversationPollTrigger:Node']).toEqual({
			nodeId: 'node-under-test',
			start: 'activation',
			floor: expect.closeTo(Date.now(), -4),
		});
	});

	test('a publication that failed is no beginning', async () => {
		const engineOf = async (apiKey: string) =>
			await createEngine({ conversationExportApi: { baseUrl: sandbox.exportUrl, apiKey } });
		const wrong = (await engineOf('unknown')).poller('conversationPollTrigger', {});
		await expect(wrong.poll()).rejects.toThrow('does not recognize the API key');
		await insertedBefore(2);
		const right = (await engineOf(sandbox.keys.organization)).poller(
			'conversationPollTrigger',
			{},
			wrong.saved(),
		);
		expect(await right.poll()).toBeNull();
	});

	test('[D1-WH-07] from a date: all since then, oldest first, in parts', async () => {
		const parameters = { ...SINCE_EVER, options: { maxConversations: 50 } };
		const handedOver: IDataObject[] = [];
		let staticData = {};
		for (let polls = 0; polls < 20; polls++) {
			const part = await poll(parameters, staticData);
			staticData = part.staticData;
			expect(part.items.length).toBeLessThanOrEqual(50);
			if (part.items.length === 0) break;
			handedOver.push(...part.items.map(({ json }) => json));
		}
		expect(new Set(handedOver.map(({ conversationId }) => conversationId)).size).toBe(handedOver.length);
		expect(handedOver.length).toBeGreaterThanOrEqual(120);
		const processed = handedOver.map(({ processedDate }) => Date.parse(String(processedDate)));
		expect(processed).toEqual([...processed].sort((a, b) => a - b));
	});

	test("puts out the shape of the webhook's full conversation", async () => {
		const { items } = await poll(SINCE_EVER);
		const { dedupeKey, urlsExpireAt, event, ...conversation } = items[0].json;
		expect(Object.keys(conversation)).toHaveLength(28);
		expect(dedupeKey).toBe(conversation.conversationId);
		expect(Date.parse(String(urlsExpireAt))).toBeGreaterThan(Date.now());
		expect(event).toBeNull();
	});

	test('[D1-EXP-04] [D1-EXPBODY-03] asks by processed date, never for the arrays that have none', async () => {
		await poll(SINCE_EVER);
		const bodies = sandbox.requests.list().map(({ body }) => body as IDataObject);
		expect(bodies.every(({ dateType }) => dateType === 'processedDate')).toBe(true);
	});

	test('[D1-ERR-01] a refused key fails the poll and leaves the position', async () => {
		const wrong = await createEngine({
			conversationExportApi: { baseUrl: sandbox.exportUrl, apiKey: 'unknown' },
		});
		const staticData = {};
		await expect(wrong.poll('conversationPollTrigger', SINCE_EVER, { staticData })).rejects.toThrow(
			'The service does not recognize the API key',
		);
		expect(staticData).toEqual({});
	});

	test('another start date begins anew; a damaged position is told', async () => {
		const { staticData } = await poll(SINCE_EVER);
		const another = { ...SINCE_EVER, startDate: '2020-01-02T00:00:00Z' };
		const again = await poll(another, staticData);
		expect(again.items.length).toBeGreaterThan(0);
		const damaged = { cursor: { checkpoint: 'lost' } };
		await expect(poll(another, damaged)).resolves.toHaveProperty('items.length', again.items.length);
		await expect(poll(SINCE_EVER, damaged, again.global)).resolves.toHaveProperty(
			'items.length',
			again.items.length,
		);
		await expect(poll(another, damaged, again.global)).rejects.toMatchObject({
			message: expect.stringContaining('Set Start From to Date and choose another Start Date'),
			failure: { cause: 'configuration-invalid' },
		});
	});

	test('a changed credential reaches a published trigger', async () => {
		const credentials = { conversationExportApi: { baseUrl: sandbox.exportUrl, apiKey: 'unknown' } };
		const { poll } = (await createEngine(credentials)).poller('conversationPollTrigger', SINCE_EVER);
		await expect(poll()).rejects.toThrow('does not recognize the API key');
		credentials.conversationExportApi.apiKey = sandbox.keys.organization;
		expect((await poll())?.[0].length).toBeGreaterThan(0);
	});

	test('a poll that begins while another one waits for the service hands nothing over', async () => {
		const { poll } = engine.poller('conversationPollTrigger', SINCE_EVER);
		const [first, second] = await Promise.all([poll(), poll()]);
		expect(first?.[0].length).toBeGreaterThan(0);
		expect(second).toBeNull();
		expect(await poll()).toBeNull();
	});

	test('a pause longer than n8n gives a poll is told, not waited for', async () => {
		const server = await ScriptedServer.start({ status: 429, headers: { 'retry-after': '299' } });
		const busy = await createEngine({ conversationExportApi: { baseUrl: server.url, apiKey: 'some-key' } });
		const { poll } = busy.poller('conversationPollTrigger', SINCE_EVER, { budgetMs: 36_000 });
		const error = await poll().catch((caught: unknown) => caught);
		await server.close();
		expect(error).toMatchObject({
			httpCode: '429',
			description: expect.stringContaining('It asked to wait 299 seconds'),
		});
	});

	test.each([
		['a request that gets no answer ends with the time for the poll', () => {}, 'cannot be reached'],
		[
			'a conversation without an ID fails the poll: nobody could tell whether it was handed over',
			(_request: IncomingMessage, response: ServerResponse) =>
				void response.end('{"totalConversations":1,"conversations":[{"title":"Door 12"}]}'),
			'conversationId',
		],
	])('%s', async (_what, answer, says) => {
		const server = await ScriptedServer.start(answer);
		const other = await createEngine({ conversationExportApi: { baseUrl: server.url, apiKey: 'some-key' } });
		const { poll } = other.poller('conversationPollTrigger', SINCE_EVER, { budgetMs: 1000 });
		const error = await poll().catch((caught: Error & { description?: string }) => caught);
		await server.close();
		expect(error).toBeInstanceOf(Error);
		const { message, description } = error as Error & { description?: string };
		expect(`${message} ${description}`).toContain(says);
	});

	test('in the editor it shows a few conversations and does not touch the position', async () => {
		sandbox.control.insertConversations({ count: 2 });
		const { result, staticData } = await engine.poll('conversationPollTrigger', {}, { mode: 'manual' });
		expect(result?.[0].length).toBeGreaterThan(0);
		expect(staticData).toEqual({});
	});
});
