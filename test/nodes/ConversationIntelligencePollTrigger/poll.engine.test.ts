import type { IDataObject, INodeParameters, IRun } from 'n8n-workflow';
import { ConversationIntelligencePollTrigger } from '../../../nodes/ConversationIntelligencePollTrigger/ConversationIntelligencePollTrigger.node';
import { conversationsExportSchema } from '../../../nodes/shared/exportApi/schemas';
import { SIMPLIFIED_CONVERSATION } from '../../../nodes/shared/exportApi/rows';
import { createEngine, KEEPS_FAILURE, type Engine } from '../../support/engine';
import { sandboxEngine } from '../../support/engine/fixtures';
import type { Emitted } from '../../support/engine/triggers';
import { POLL_ERRORS } from '../../../nodes/ConversationIntelligencePollTrigger/ledger';
import { ScriptedServer } from '../../support/scriptedServer';

const TYPE = 'conversationIntelligencePollTrigger';
const SINCE_EVER = { startFrom: 'date', startDate: '2020-01-01T00:00:00Z' };
const failedWith = (code: string) => ({ context: { details: { code } } });
const POSITION = 'conversationIntelligencePollTrigger:node-under-test';

describe('Conversation Intelligence Poll Trigger', () => {
	const { sandbox, engine } = sandboxEngine([ConversationIntelligencePollTrigger], { conversations: 120 });
	const engineFor = async (baseUrl: string, apiKey = 'some-key') =>
		await createEngine([ConversationIntelligencePollTrigger], { conversationExportApi: { baseUrl, apiKey } });

	beforeEach(() => sandbox.requests.reset());

	type Options = Parameters<Engine['poller']>[2];
	const publish = (parameters: INodeParameters = {}, options: Options = {}) =>
		engine.poller(TYPE, parameters, options);
	const idsOf = (items: Array<{ json: IDataObject }>) => items.map(({ json }) => json.dedupeKey);
	const positionIn = (saved: IDataObject) => (saved.global as Record<string, IDataObject>)[POSITION];

	/** Inserts conversations and returns after their time has passed, so that a later start does not include them. */
	async function insertedBefore(count: number) {
		const inserted = sandbox.control.insertConversations({ count });
		const lastProcessed = Date.now() + count;
		while (Date.now() <= lastProcessed) await new Promise(setImmediate);
		return inserted;
	}

	// D1-WH-07
	test('starts when the workflow is published and delivers each new conversation once', async () => {
		const { poll, emitted } = publish();
		await poll();
		expect(emitted).toEqual([]);
		const inserted = sandbox.control.insertConversations({ count: 3 });
		expect(idsOf(await poll())).toEqual(inserted);
		expect(await poll()).toEqual([]);
	});

	test.each([
		['raw', [...Object.keys(conversationsExportSchema.shape), 'urlsExpireAt']],
		['simplified', SIMPLIFIED_CONVERSATION],
	])('returns the fields of "%s", and where the conversation comes from', async (output, fields) => {
		const [{ json }] = await publish({ ...SINCE_EVER, output }).poll();
		expect(Object.keys(json)).toEqual([...fields, 'dedupeKey', 'source', 'isTest', 'deliveryAttempt']);
		const { conversationId: dedupeKey } = json;
		expect(json).toMatchObject({ dedupeKey, source: 'poll', isTest: false, deliveryAttempt: 1 });
		await insertedBefore(5);
		const sample = await publish({ output }, { mode: 'manual' }).poll();
		expect(sample.map(({ json: { isTest, source } }) => isTest && source)).toEqual(Array(5).fill('poll'));
		for (const item of sample) expect(Object.keys(item.json)).toEqual(Object.keys(json));
	});

	describe('a person publishes', () => {
		test('starts over for another Start Date, not for another time zone, look back or node name', async () => {
			const local = { startFrom: 'date', startDate: '2020-01-01T00:00:00' };
			const first = publish(local, { process: 'a' });
			const delivered = await first.poll();
			await endLast(first.emitted);
			await first.poll();
			const same = { process: 'a', saved: first.saved() };
			const wider = { ...local, options: { lookBackMinutes: 100_000 } };
			expect(await publish(local, { ...same, timezone: 'Asia/Tokyo' }).poll()).toEqual([]);
			expect(await publish(wider, same).poll()).toEqual([]);
			// In another process, which knows only what is saved.
			expect(await publish(local, { saved: first.saved(), name: 'Renamed' }).poll()).toEqual([]);
			const another = publish({ ...local, startDate: '2020-01-02T00:00:00' }, same);
			expect(idsOf(await another.poll())).toEqual(idsOf(delivered));
		});

		test('starts over from a date, goes on with When Published, and again with the same date', async () => {
			const published = publish();
			await published.poll();
			const since = publish(SINCE_EVER, { saved: published.saved() });
			const all = await since.poll();
			expect(all.length).toBeGreaterThanOrEqual(120);
			await endLast(since.emitted);
			const [added] = await insertedBefore(1);
			const process = 'goes on';
			let saved = since.saved();
			for (const [parameters, delivered] of [
				[{}, [...idsOf(all), added]],
				[SINCE_EVER, []],
				[{}, []],
			] as const) {
				const next = publish(parameters, { process, saved });
				expect(idsOf(await next.poll())).toEqual(delivered);
				saved = next.saved();
			}
		});

		test('goes on from what another main process has saved since', async () => {
			const first = publish({}, { process: 'main' });
			await first.poll();
			const [added] = await insertedBefore(1);
			const other = publish({}, { saved: first.saved() });
			expect(idsOf(await other.poll())).toEqual([added]);
			await endLast(other.emitted);
			await other.poll();
			expect(await publish({}, { process: 'main', saved: other.saved() }).poll()).toEqual([]);
		});
	});

	test('says how to recover from a damaged position', async () => {
		const { poll, saved } = publish(SINCE_EVER);
		const delivered = await poll();
		const damaged = { global: { [POSITION]: { ...positionIn(saved()), from: 'lost' } } };
		await expect(publish(SINCE_EVER, { saved: damaged }).poll()).rejects.toMatchObject({
			context: { details: { code: 'position_damaged' } },
			description: expect.stringContaining('choose another Start Date'),
			...(KEEPS_FAILURE && { failure: { cause: 'configuration-invalid' } }),
		});
		for (const part of [{ seen: { c0: [1, 3] } }, { seen: { c0: [1, 3, 1, 1] } }, { filters: [] }]) {
			const state = { global: { [POSITION]: { ...positionIn(saved()), ...part } } };
			const failure = publish(SINCE_EVER, { saved: state }).poll();
			await expect(failure).rejects.toMatchObject(failedWith('position_damaged'));
		}
		const lost = publish({}, { saved: { global: { [POSITION]: null } } });
		await expect(lost.poll()).rejects.toMatchObject(failedWith('position_damaged'));
		const another = publish({ ...SINCE_EVER, startDate: '2020-01-02T00:00:00Z' }, { saved: damaged });
		expect(idsOf(await another.poll())).toEqual(idsOf(delivered));
	});

	test('goes on from the position of a newer version, or stops and never starts over', async () => {
		const { poll, saved } = publish(SINCE_EVER);
		expect(await poll()).not.toEqual([]);
		const newer = (more: object) => ({
			global: { [POSITION]: { ...positionIn(saved()), version: 2, ...more } },
		});
		const understood = newer({ filters: [{ since: 0, filter: { later: 1 }, later: 2 }], later: {} });
		const again = await publish(SINCE_EVER, { saved: understood }).poll();
		// What was running when it was saved, and nothing for the first time.
		expect(new Set(again.map(({ json }) => json.deliveryAttempt))).toEqual(new Set([2]));
		for (const unknown of [{ seen: [] }, { start: { date: 1 } }, { start: undefined }]) {
			const failure = publish(SINCE_EVER, { saved: newer(unknown) }).poll();
			await expect(failure).rejects.toMatchObject(failedWith('position_newer'));
		}
	});

	// D1-ERR-01
	test('fails the poll for a refused key and uses a corrected key in the next poll', async () => {
		const credentials = { conversationExportApi: { baseUrl: sandbox.exportUrl, apiKey: 'unknown' } };
		const other = await createEngine([ConversationIntelligencePollTrigger], credentials);
		const { poll, saved } = other.poller(TYPE, SINCE_EVER);
		const message = expect.stringMatching(
			/API key\. If a version was running, n8n has stopped it: .* publish again$/,
		);
		await expect(poll()).rejects.toMatchObject({ message, ...failedWith('api_key_unknown') });
		expect(positionIn(saved())).toBeUndefined();
		credentials.conversationExportApi.apiKey = sandbox.keys.organization;
		expect((await poll()).length).toBeGreaterThan(0);
	});

	// D1-EXP-05
	test("delivers nothing when a team's key matches nobody of the users filter and the service lists all its users", async () => {
		const team = await engineFor(sandbox.exportUrl, sandbox.keys.team);
		const filters = { users: ['nobody@example.com'] };
		expect(await team.poller(TYPE, SINCE_EVER).poll()).not.toEqual([]);
		expect(await team.poller(TYPE, { ...SINCE_EVER, filters }).poll()).toEqual([]);
		sandbox.control.insertConversations({ count: 3 });
		const sample = team.poller(TYPE, { filters }, { mode: 'manual' });
		await expect(sample.poll()).rejects.toMatchObject(failedWith('no_sample'));
	});

	/** What n8n stores of a failed poll: an error as JSON. */
	const stored = async (poll: Promise<unknown>) =>
		JSON.parse(JSON.stringify(await poll.catch((error: unknown) => error))) as IDataObject;

	test.each<[object, string, string]>([
		[{ options: { lookBackMinutes: 0.5 } }, 'value_invalid', 'Look Back (Minutes)'],
		[{ options: { maxConversationsPerPoll: 0.5 } }, 'value_invalid', 'Max Conversations per Poll'],
		[{ options: { retryFailedExecutions: 'never' } }, 'value_invalid', 'Retry Failed Executions'],
		[{ options: { startExecutionFor: 1 } }, 'value_invalid', 'Start an Execution For'],
		// It would start over with each poll.
		[{ startDate: '={{ $now.minus({ days: 1 }) }}' }, 'date_invalid', 'Start Date'],
		[{ filters: { users: '={{ [] }}' } }, 'filter_empty', 'User Names or IDs'],
		[{ filters: { teams: '={{ [] }}' } }, 'filter_empty', 'Team Names or IDs'],
	])('refuses %j without a request, and n8n stores why', async (parameters, code, named) => {
		const { poll, failures } = publish({ ...SINCE_EVER, ...parameters });
		const message = expect.stringContaining(named);
		const error = { name: 'NodeOperationError', message, context: { details: { code } } };
		expect(await stored(poll())).toMatchObject(error);
		expect(JSON.parse(JSON.stringify(failures))).toMatchObject([error]);
		expect(sandbox.requests.list()).toEqual([]);
	});

	test('n8n stores why a poll failed for a conversation without an ID, and its range', async () => {
		const rows = [{ processedDate: '2026-01-01T00:00:00.000Z' }];
		const body = JSON.stringify({ conversations: rows, totalConversations: 1 });
		const server = await ScriptedServer.start({ status: 200, body });
		const failure = await stored((await engineFor(server.url)).poller(TYPE, SINCE_EVER).poll());
		await server.close();
		expect(failure).toMatchObject({
			message: expect.stringMatching(/between 2020-01-01T00:00:00\.000Z and \d{4}-/),
			description: POLL_ERRORS.conversation_without_id.advice,
			context: { details: { code: 'conversation_without_id' } },
		});
	});
});

/** Ends the latest execution like n8n. */
async function endLast(emitted: Emitted[]): Promise<void> {
	const run = { status: 'success', data: { resultData: { runData: {} } } };
	emitted.at(-1)!.done.resolve(run as unknown as IRun);
	await new Promise(setImmediate);
}
