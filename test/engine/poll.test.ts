import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { startSandbox, type Sandbox } from '../../sandbox';
import { createEngine, type Engine } from '../support/engine';

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
		const inserted = sandbox.control.insertConversations({ count: 3 });
		const scheduled = await poll({}, {}, atPublication.global);
		expect(scheduled.items.map(({ json }) => json.dedupeKey)).toEqual(inserted);
		expect(scheduled.global).toEqual(atPublication.global);
	});

	test.each([
		['another Start From', { start: '2020-01-01T00:00:00.000Z', floor: 0 }],
		['nothing readable', { start: 'activation', floor: 'lost' }],
	])('a beginning that was kept for %s does not count', async (_what, kept) => {
		const { items, global } = await poll({}, {}, { 'conversationPollTrigger:Node': kept });
		expect(items).toEqual([]);
		expect(global['conversationPollTrigger:Node']).toEqual({
			start: 'activation',
			floor: expect.closeTo(Date.now(), -4),
		});
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
		const again = await poll({ ...SINCE_EVER, startDate: '2020-01-02T00:00:00Z' }, staticData);
		expect(again.items.length).toBeGreaterThan(0);
		await expect(poll(SINCE_EVER, { cursor: { checkpoint: 'lost' } })).rejects.toThrow('cannot be read');
	});

	test('in the editor it shows a few conversations and does not touch the position', async () => {
		sandbox.control.insertConversations({ count: 2 });
		const { result, staticData } = await engine.poll('conversationPollTrigger', {}, { mode: 'manual' });
		expect(result?.[0].length).toBeGreaterThan(0);
		expect(staticData).toEqual({});
	});
});
