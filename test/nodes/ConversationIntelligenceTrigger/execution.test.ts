import type { IDataObject, INode, INodeParameters } from 'n8n-workflow';
import { ConversationIntelligenceTrigger } from '../../../nodes/ConversationIntelligenceTrigger/ConversationIntelligenceTrigger.node';
import { ConversationIntelligencePollTrigger } from '../../../nodes/ConversationIntelligencePollTrigger/ConversationIntelligencePollTrigger.node';
import { processedEvent, testEvent } from '../../../harness/webhook/deliveries';
import { documentedRow } from '../../support/engine/documentedRow';
import { sandboxEngine } from '../../support/engine/fixtures';

const NODES = [ConversationIntelligenceTrigger, ConversationIntelligencePollTrigger];
const { sandbox, engine } = sandboxEngine(NODES, { conversations: 50 });
beforeEach(() => {
	sandbox.requests.reset();
	sandbox.faults.clear();
});

const run = async (events: object[], parameters: INodeParameters = {}, onError?: INode['onError']) =>
	await engine.runNode('conversationIntelligenceTrigger', parameters, {
		input: events.map((json) => ({ json: { ...json } })),
		onError,
		mode: 'webhook',
	});

/** A row without what changes with each response. */
const sameLinks = (json: IDataObject) =>
	JSON.parse(JSON.stringify(json).replace(/\?[^"]*|(?<="urlsExpireAt":")[^"]*/g, '')) as IDataObject;

/** A `conversation_processed` event that was sent three minutes ago, because nothing may count from when it arrives. */
function eventWith(data: IDataObject) {
	const sent_at = new Date(Date.now() - 180_000).toISOString();
	return documentedRow('Envelope', { event_type: 'conversation_processed', sent_at, data });
}

/** The item of Event: the data, the event's own fields, and what each item has. */
function itemOf({ data, ...event }: IDataObject): IDataObject {
	const { conversation_id: dedupeKey, transcript_url } = data as IDataObject;
	const expiry = new Date(Date.parse(event.sent_at as string) + 6 * 3_600_000).toISOString();
	const transcriptUrlExpiresAt = typeof transcript_url === 'string' ? expiry : null;
	const origin = { source: 'webhook', isTest: false, deliveryAttempt: 1 };
	return { ...(data as IDataObject), ...event, transcriptUrlExpiresAt, dedupeKey, ...origin };
}

const SURVEY = { surveyId: 1, conversationId: 'c', surveyName: 'Mood', createdAt: '2026-03-01', data: {} };

// D1-DATA-01..13, D1-EVENTCUSTOMER-01..03, D1-EVENTSURVEY-01..05, D1-ENVELOPE-01..04, D1-LIM-04, D1-CONVENTION-03
test.each<[string, IDataObject, string]>([
	['it has all fields', documentedRow('EventData'), ''],
	['it has nulls', documentedRow('EventData', {}, 'null'), ''],
	[
		'it has more fields',
		documentedRow('EventData', { more: { deep: [null] }, event_type: 'mine', dedupeKey: 1 }),
		'',
	],
	['it lacks a field', { ...documentedRow('EventData'), user_email: undefined }, 'user_email is missing'],
	[
		'a field has another type',
		documentedRow('EventData', { surveys: [SURVEY] }),
		'surveys[].surveyId is not text',
	],
])(
	'returns an event unchanged and requests nothing; a hint names what is unexpected: %s',
	async (_, data, mismatch) => {
		const [sent, other] = [data, documentedRow('EventData')].map(
			(row) => JSON.parse(JSON.stringify(eventWith(row))) as IDataObject,
		);
		const { items, hints } = await run([sent, other], { output: 'event' });
		expect(items).toEqual([
			{ json: itemOf(sent), pairedItem: { item: 0 } },
			{ json: itemOf(other), pairedItem: { item: 1 } },
		]);
		const message = `Unexpected event data: ${mismatch}. The event is returned unchanged.`;
		const hint = { message, location: 'outputPane', type: 'warning' };
		expect(hints).toEqual(mismatch ? [expect.objectContaining(hint)] : []);
		expect(sandbox.requests.list()).toEqual([]);
	},
);

// D1-TEST-01, D1-GET-02
test.each(['simplified', 'raw'])(
	'both triggers return the same but its origin, and a test shows it as the newest conversation: %s',
	async (output) => {
		const startDate = new Date().toISOString();
		const [newest] = sandbox.control.insertConversations();
		const [test, ...others] = (await run([testEvent()], { output })).items;
		const [production] = (await run([processedEvent(newest)], { output })).items;
		const settings = { output, startFrom: 'date', startDate };
		const [polled] = await engine.poller('conversationIntelligencePollTrigger', settings).poll();
		expect(others).toEqual([]);
		expect(sameLinks(test.json)).toEqual({ ...sameLinks(production.json), isTest: true });
		expect(sameLinks(polled.json)).toEqual({ ...sameLinks(production.json), source: 'poll' });
		expect(production.json).toMatchObject({ dedupeKey: newest, source: 'webhook', isTest: false });
		for (const { json } of [test, polled]) expect(Object.keys(json)).toEqual(Object.keys(production.json));
	},
);

test('a test shows the event with the keys of production, null where it lacks one', async () => {
	const data: IDataObject = { ...testEvent().data };
	delete data.customer;
	const { items, hints } = await run([{ ...testEvent(), data }, processedEvent()], { output: 'event' });
	const [test, production] = items.map(({ json }) => json);
	expect(Object.keys(test).sort()).toEqual(Object.keys(production).sort());
	expect(test).toMatchObject({ ...data, customer: null, isTest: true, event_type: 'test' });
	expect([hints, sandbox.requests.list()]).toEqual([[], []]);
});

test('the members of teams are found once for ten minutes, also for Event', async () => {
	const [member] = sandbox.control.users().filter(({ isRemoved, isHidden }) => !isRemoved && !isHidden);
	const filters = { teams: [member.teams[0]] };
	const events = [member.email, 'nobody@example.com'].map((user_email) =>
		processedEvent('id', { user_email }),
	);
	const { items, hints } = await run(events, { filters, output: 'event' });
	expect(items.map(({ json }) => json.user_email)).toEqual([member.email]);
	const why = `Team Names or IDs wants "${member.teams[0]}", this conversation has "nobody@example.com"`;
	expect(hints.map(({ message }) => message)).toEqual([`Nothing is returned: ${why}.`]);
	expect(sandbox.requests.list()).toHaveLength(1);

	// Without its rep in the event, the whole conversation decides.
	const outside = sandbox.control.users().find(({ teams }) => !teams.includes(member.teams[0]))!.email;
	const [id] = sandbox.control.insertConversations({ userEmail: outside });
	const fetched = await run([processedEvent(id, { user_email: null })], { filters, output: 'event' });
	expect(fetched.items).toEqual([]);
	const [{ message }] = fetched.hints;
	expect(message).toBe(`Nothing is returned: ${why.replace('nobody@example.com', outside)}.`);
});

test.each([
	['fails the execution', 'stopWorkflow'],
	['goes to the error output with its event, the others to the success output', 'continueErrorOutput'],
	['keeps its place, with the message in place of the error field of the event', 'continueRegularOutput'],
] as const)('a conversation that cannot be fetched %s', async (_, onError) => {
	const [refused, given] = sandbox.control.insertConversations({ count: 2 });
	sandbox.faults.add({ kind: 'htmlPage', status: 401, path: `/data/export/conversations/${refused}` });
	const sent = { ...processedEvent(refused), error: 'of the event' };
	const event = itemOf(sent);
	const details = {
		code: 'api_key_unknown',
		retryable: false,
		status: 401,
		item: 1,
		conversationId: refused,
	};
	const words = { error: 'The service does not recognize the API key', message: expect.any(String) };
	const { items, errorItems, error } = await run([processedEvent(given), sent], {}, onError);
	if (onError === 'stopWorkflow') {
		expect(items).toEqual([]);
		expect(error).toMatchObject({ name: 'NodeApiError', message: words.error, context: { details } });
		return;
	}
	const isRouted = onError === 'continueErrorOutput';
	const failed = isRouted ? { ...words, details: { ...details, event } } : { ...event, ...words, details };
	expect([...items, ...errorItems].map(({ json }) => json)).toEqual([
		expect.objectContaining({ conversationId: given }),
		failed,
	]);
	expect(errorItems.map(({ pairedItem }) => pairedItem)).toEqual(isRouted ? [{ item: 1 }] : []);
});
