import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { ConversationIntelligencePollTrigger } from '../../../nodes/ConversationIntelligencePollTrigger/ConversationIntelligencePollTrigger.node';
import { createEngine, KEEPS_FAILURE, type Engine } from '../../support/engine';
import { sandboxEngine } from '../../support/engine/fixtures';

const TYPE = 'conversationIntelligencePollTrigger';
const SINCE_EVER = { startFrom: 'date', startDate: '2020-01-01T00:00:00Z' };
const failedWith = (code: string) => ({ context: { details: { code } } });
const idsOf = (items: Array<{ json: IDataObject }>) => items.map(({ json }) => json.dedupeKey);
/** What n8n stores of a failed poll: an error as JSON. */
const stored = (error: unknown) => JSON.parse(JSON.stringify(error)) as IDataObject;

const { sandbox, engine } = sandboxEngine([ConversationIntelligencePollTrigger], { conversations: 20 });
const engineFor = async (apiKey: string) => {
	const conversationExportApi = { baseUrl: sandbox.exportUrl, apiKey };
	const other = await createEngine([ConversationIntelligencePollTrigger], { conversationExportApi });
	return { conversationExportApi, other };
};
const publish = (parameters: INodeParameters = {}, options: Parameters<Engine['poller']>[2] = {}) =>
	engine.poller(TYPE, parameters, options);

beforeEach(() => sandbox.requests.reset());

// D1-WH-07
test('starts when the workflow is published and delivers each new conversation once', async () => {
	const { poll, emitted } = publish();
	await poll();
	expect(emitted).toEqual([]);
	const inserted = sandbox.control.insertConversations({ count: 3 });
	expect(idsOf(await poll())).toEqual(inserted);
	expect(await poll()).toEqual([]);
});

test.each(['raw', 'simplified'])(
	'the sample in the editor has the fields of production: %s',
	async (output) => {
		sandbox.control.insertConversations({ count: 5 });
		const [{ json }] = await publish({ ...SINCE_EVER, output }).poll();
		const sample = await publish({ output }, { mode: 'manual' }).poll();
		expect(sample.map(({ json: { isTest, source } }) => isTest && source)).toEqual(Array(5).fill('poll'));
		for (const item of sample) expect(Object.keys(item.json)).toEqual(Object.keys(json));
	},
);

test('says how to recover from a damaged position, and that polling again does not help', async () => {
	const saved = { global: { [`${TYPE}:node-under-test`]: { start: SINCE_EVER.startDate } } };
	await expect(publish(SINCE_EVER, { saved }).poll()).rejects.toMatchObject({
		...failedWith('position_damaged'),
		description: expect.stringContaining('choose another Start Date'),
		...(KEEPS_FAILURE && { failure: { cause: 'configuration-invalid' } }),
	});
});

// D1-ERR-01
test('fails the poll for a refused key and uses a corrected key in the next poll', async () => {
	const { conversationExportApi, other } = await engineFor('unknown');
	const { poll, saved } = other.poller(TYPE, SINCE_EVER);
	const message = expect.stringMatching(
		/API key\. If a version was running, n8n has stopped it: .* publish again$/,
	);
	await expect(poll()).rejects.toMatchObject({ message, ...failedWith('api_key_unknown') });
	expect(saved()).toEqual({ global: {} });
	conversationExportApi.apiKey = sandbox.keys.organization;
	expect(await poll()).not.toEqual([]);
});

// D1-EXP-05
test("delivers nothing when a team's key matches nobody of the users filter and the service lists all its users", async () => {
	const { other } = await engineFor(sandbox.keys.team);
	const filters = { users: ['nobody@example.com'] };
	expect(await other.poller(TYPE, SINCE_EVER).poll()).not.toEqual([]);
	expect(await other.poller(TYPE, { ...SINCE_EVER, filters }).poll()).toEqual([]);
	sandbox.control.insertConversations({ count: 3 });
	const sample = other.poller(TYPE, { filters }, { mode: 'manual' });
	await expect(sample.poll()).rejects.toMatchObject(failedWith('no_sample'));
});

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
	const error = { name: 'NodeOperationError', message, ...failedWith(code) };
	expect(stored(await poll().catch((thrown: unknown) => thrown))).toMatchObject(error);
	expect(stored(failures)).toMatchObject([error]);
	expect(sandbox.requests.list()).toEqual([]);
});
