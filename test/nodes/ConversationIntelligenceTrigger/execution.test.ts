import type { IDataObject, INode, INodeParameters } from 'n8n-workflow';
import { ConversationIntelligenceTrigger } from '../../../nodes/ConversationIntelligenceTrigger/ConversationIntelligenceTrigger.node';
import { eventItem } from '../../../nodes/ConversationIntelligenceTrigger/events';
import { ConversationIntelligencePollTrigger } from '../../../nodes/ConversationIntelligencePollTrigger/ConversationIntelligencePollTrigger.node';
import { processedEvent, testEvent } from '../../../harness/webhook/deliveries';
import { sandboxEngine } from '../../support/engine/fixtures';

const EVENT = { output: 'event' };
const SURVEY = { conversationId: 'c', surveyName: 'Mood', createdAt: '2026-03-01', data: {} };

const { sandbox, engine } = sandboxEngine(
	[ConversationIntelligenceTrigger, ConversationIntelligencePollTrigger],
	{
		conversations: 50,
	},
);
beforeEach(() => {
	sandbox.requests.reset();
	sandbox.faults.clear();
});

const run = async (
	events: object[],
	parameters: INodeParameters = {},
	onError?: INode['onError'],
	mode: 'webhook' | 'manual' = 'webhook',
) =>
	await engine.runNode(
		'conversationIntelligenceTrigger',
		{ events: ['conversation_processed'], ...parameters },
		{ input: events.map((json) => ({ json: { ...json } })), onError, mode },
	);

/** A row without what changes with each response. */
const sameLinks = (json: IDataObject) =>
	JSON.parse(JSON.stringify(json).replace(/\?[^"]*|(?<="urlsExpireAt":")[^"]*/g, '')) as IDataObject;

// D1-CONVENTION-03
test.each([
	['when it has all fields', {}, []],
	[
		'when it lacks a field, or one has another type',
		{ user_email: undefined, surveys: [{ surveyId: 1, ...SURVEY }] },
		['user_email is missing', 'surveys[].surveyId is not text'],
	],
])(
	'returns the event unchanged and requests nothing; a hint names what is unexpected %s',
	async (_, data, mismatches) => {
		const sent = JSON.parse(JSON.stringify(processedEvent('id', data)));
		const { items, hints } = await run([sent], EVENT);
		expect(items).toEqual([{ json: eventItem(sent), pairedItem: { item: 0 } }]);
		const message = `Unexpected event data: ${mismatches.join('; ')}. The event is returned unchanged.`;
		const hint = { message, location: 'outputPane', type: 'warning' };
		expect(hints).toEqual(mismatches.length ? [expect.objectContaining(hint)] : []);
		expect(sandbox.requests.list()).toEqual([]);
	},
);

// D1-TEST-01
test.each(['simplified', 'raw'])(
	'a test shows the newest conversation with the keys of production: %s',
	async (output) => {
		const [newest] = sandbox.control.insertConversations();
		const [test, ...others] = (await run([testEvent()], { output })).items;
		const [production] = (await run([processedEvent(newest)], { output })).items;
		expect(others).toEqual([]);
		expect(sameLinks(test.json)).toEqual({ ...sameLinks(production.json), isTest: true });
		expect(Object.keys(test.json)).toEqual(Object.keys(production.json));
	},
);

test('a test shows the event with the keys of production, null where it lacks one', async () => {
	const data: IDataObject = { ...testEvent().data };
	delete data.customer;
	const { items, hints } = await run([{ ...testEvent(), data }, processedEvent()], EVENT);
	const [test, production] = items.map(({ json }) => json);
	expect(Object.keys(test).sort()).toEqual(Object.keys(production).sort());
	expect(test).toMatchObject({ ...data, customer: null, isTest: true, event_type: 'test' });
	expect(hints).toEqual([]);
	expect(sandbox.requests.list()).toEqual([]);
});

// D1-GET-02
test.each(['simplified', 'raw'])(
	'both triggers return the same for one conversation but where it comes from: %s',
	async (output) => {
		const startDate = new Date().toISOString();
		const [id] = sandbox.control.insertConversations();
		const { items } = await run([processedEvent(id)], { output });
		const poller = engine.poller('conversationIntelligencePollTrigger', {
			output,
			startFrom: 'date',
			startDate,
		});
		const [polled] = await poller.poll();
		expect(sameLinks(items[0].json)).toEqual({ ...sameLinks(polled.json), source: 'webhook' });
		expect(Object.keys(items[0].json)).toEqual(Object.keys(polled.json));
		expect(polled.json).toMatchObject({ dedupeKey: id, source: 'poll' });
	},
);

describe('Filters in the execution', () => {
	const ids = async (filters: INodeParameters, output = 'simplified', data: object = {}) => {
		const [id] = sandbox.control.insertConversations();
		sandbox.requests.reset();
		const { items, error } = await run([processedEvent(id, { ...data })], { filters, output });
		expect(error).toBeUndefined();
		for (const { json } of items) expect('event_type' in json).toBe(output === 'event');
		return items.length;
	};

	test.each([
		['webhook', 0, 'Nothing is returned: '],
		['manual', 1, 'In production, this would return nothing: '],
	] as const)('say what they want and what the conversation has: %s', async (mode, count, said) => {
		const [id] = sandbox.control.insertConversations({ fields: { outcome: 'Sold' } });
		const event = processedEvent(id, { customer: { name: 'Sam <b>', email: null, phone: null } });
		for (const [filters, why] of [
			[{ outcome: 'NotSold' }, 'Outcome wants "NotSold", this conversation has "Sold".'],
			[{ customer: 'Miller' }, 'Customer wants "Miller", this conversation has "Sam ‹b>".'],
		] as const) {
			for (const output of ['event', 'simplified']) {
				const { items, hints } = await run([event], { filters, output }, undefined, mode);
				expect(items).toHaveLength(count);
				expect(hints.map(({ message }) => message)).toEqual([said + why]);
			}
		}
		const { items, hints } = await run([event], { filters: { outcome: 'sold' } }, undefined, mode);
		expect([items.length, hints]).toEqual([1, []]);
	});

	// D1-DATA-01..04
	test.each([undefined, null, '', 7, {}])(
		'ask the export when the event says %j for the rep or the link',
		async (value) => {
			const conversation = { user_email: value, transcript_url: value };
			const filters = { users: [sandbox.control.users()[0].email], hasTranscript: true };
			// See `ids`: the conversation is of any rep.
			expect(await ids({ hasTranscript: true }, 'event', { transcript_url: value })).toBe(
				value === null ? 0 : 1,
			);
			await ids(filters, 'event', conversation);
			if (value !== null) expect(sandbox.requests.list()).toHaveLength(1);
		},
	);

	test('request nothing for Event when it says enough', async () => {
		const filters = { users: ['ana@example.com'], hasTranscript: true, customer: 'DOE 555-0100' };
		expect(await ids(filters, 'event')).toBe(1);
		expect(await ids({ customer: 'ana' }, 'event', { customer: null })).toBe(0);
		expect(sandbox.requests.list()).toEqual([]);
	});

	test('find the members of teams once for ten minutes, also for Event', async () => {
		const [member] = sandbox.control.users().filter(({ isRemoved, isHidden }) => !isRemoved && !isHidden);
		const [team] = member.teams;
		expect(await ids({ teams: [team] }, 'event', { user_email: member.email })).toBe(1);
		expect(sandbox.requests.list()).toHaveLength(1);
		expect(await ids({ teams: [team] }, 'event', { user_email: 'nobody@example.com' })).toBe(0);
		expect(sandbox.requests.list()).toEqual([]);
	});
});

test.each([
	['fails the execution', 'stopWorkflow'],
	['goes to the error output with its event, the others to the success output', 'continueErrorOutput'],
	['keeps its place, with the message in place of the error field of the event', 'continueRegularOutput'],
] as const)('a conversation that cannot be fetched %s', async (_, onError) => {
	const [refused, given] = sandbox.control.insertConversations({ count: 2 });
	sandbox.faults.add({ kind: 'htmlPage', status: 401, path: `/data/export/conversations/${refused}` });
	const sent = { ...processedEvent(refused), error: 'of the event' };
	const event = eventItem(sent);
	const cause = { code: 'api_key_unknown', retryable: false, status: 401 };
	const details = { ...cause, item: 0, conversationId: refused };
	const words = { error: 'The service does not recognize the API key', message: expect.any(String) };
	const { items, errorItems, error } = await run([sent, processedEvent(given)], {}, onError);
	if (onError === 'stopWorkflow') {
		expect(items).toEqual([]);
		expect(error).toMatchObject({ name: 'NodeApiError', message: words.error, context: { details } });
		return;
	}
	const isRouted = onError === 'continueErrorOutput';
	const failed = isRouted ? { ...words, details: { ...details, event } } : { ...event, ...words, details };
	expect([...errorItems, ...items].map(({ json }) => json)).toEqual([
		failed,
		expect.objectContaining({ conversationId: given }),
	]);
	expect(errorItems.map(({ pairedItem }) => pairedItem)).toEqual(isRouted ? [{ item: 0 }] : []);
});
