import type { IDataObject, INode, INodeParameters } from 'n8n-workflow';
import { ConversationIntelligenceTrigger } from '../../../nodes/ConversationIntelligenceTrigger/ConversationIntelligenceTrigger.node';
import { ConversationIntelligencePollTrigger } from '../../../nodes/ConversationIntelligencePollTrigger/ConversationIntelligencePollTrigger.node';
import { processedEvent, testEvent } from '../../../harness/webhook/deliveries';
import { tables } from '../../../scripts/apiReference';
import { documentedRow } from '../../support/engine/documentedRow';
import { sandboxEngine } from '../../support/engine/fixtures';

const POLL = 'conversationIntelligencePollTrigger';
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
test.each<[mismatch: string, IDataObject]>([
	['', documentedRow('EventData', {}, 'null')],
	['', documentedRow('EventData', { more: { deep: [null] }, event_type: 'mine', dedupeKey: 1 })],
	['user_email', { ...documentedRow('EventData'), user_email: undefined }],
	['surveys[].surveyId', documentedRow('EventData', { surveys: [SURVEY] })],
])(
	'returns an event unchanged and requests nothing; a hint names what is unexpected: "%s"',
	async (mismatch, data) => {
		const events = [data, documentedRow('EventData')].map(
			(row) => JSON.parse(JSON.stringify(eventWith(row))) as IDataObject,
		);
		const { items, hints } = await run(events, { output: 'event' });
		expect(items).toEqual(events.map((sent, item) => ({ json: itemOf(sent), pairedItem: { item } })));
		const message = `These fields do not match the API documentation: ${mismatch}. The event is returned unchanged.`;
		const hint = { message, location: 'outputPane', type: 'warning' };
		expect(hints).toEqual(mismatch ? [expect.objectContaining(hint)] : []);
		expect(sandbox.requests.list()).toEqual([]);
	},
);

const SIMPLIFIED =
	'conversationId date processedDate title duration crmEventID userName userEmail totalSold outcome jobSummary serviceUrl customerName';

// D1-TEST-01, D1-GET-02
test.each([
	['simplified', SIMPLIFIED.split(' ')],
	['raw', [...tables.ConversationsExport.map(({ name }) => name), 'urlsExpireAt']],
])(
	'both triggers return the same but its origin, and a test the newest conversation, in the editor too: %s',
	async (output, fields) => {
		const date = new Date(Date.now() - 3_600_000).toISOString();
		sandbox.control.insertConversations({ count: 4, date });
		const startDate = new Date().toISOString();
		const [newest] = sandbox.control.insertConversations();
		const [test, ...others] = (await run([testEvent()], { output })).items;
		const [production] = (await run([processedEvent(newest)], { output })).items;
		const settings = { output, startFrom: 'date', startDate };
		const [polled] = await engine.poller(POLL, settings).poll();
		const [sample, ...more] = await engine.poller(POLL, settings, { mode: 'manual' }).poll();
		expect([others.length, more.length]).toEqual([0, 4]);
		const same = sameLinks(production.json);
		expect(sameLinks(test.json)).toEqual({ ...same, isTest: true });
		expect(sameLinks(polled.json)).toEqual({ ...same, source: 'poll' });
		expect(sameLinks(sample.json)).toEqual({ ...same, source: 'poll', isTest: true });
		const origin = { dedupeKey: newest, source: 'webhook', isTest: false, deliveryAttempt: 1 };
		expect(production.json).toMatchObject(origin);
		const names = [...fields, ...Object.keys(origin)];
		for (const { json } of [test, production, polled, sample])
			expect(Object.keys(json).sort()).toEqual(names.sort());
	},
);

test('both triggers show the trackers of a conversation if a filter compares them', async () => {
	const startDate = new Date().toISOString();
	const trackerData = [
		{ trackerName: 'Budget', trackerIsHit: true },
		{ trackerName: 'Price', trackerIsHit: false },
	];
	const checklists = [{ checklistName: 'Discovery', trackerData }];
	const [id] = sandbox.control.insertConversations({ fields: { checklists, aiTrackers: [] } });
	const filters = { trackerNames: 'budget', hitOrMissed: 'hit' };
	const { items } = await run([processedEvent(id)], { filters });
	const polled = await engine.poller(POLL, { filters, startFrom: 'date', startDate }).poll();
	const shown = { json: { conversationId: id, hitTrackers: 'Budget', missedTrackers: 'Price' } };
	expect([items, polled]).toMatchObject([[shown], [shown]]);
});

// What is said, if anything: the rep's turn first.
const SAID: Array<[said: string[] | undefined, error: RegExp | null, isReturned: boolean]> = [
	[['Hello', 'That is too expensive'], null, true],
	[['Too expensive?', 'No'], null, false],
	[['Hello', 'expensive, too'], null, false],
	[undefined, /^The transcript could not be downloaded/, true],
];

test('both triggers return conversations by what was said, and what cannot be searched with the reason', async () => {
	const at = (index: number) => new Date(Date.now() - 1000 + index * 10).toISOString();
	const startDate = at(-1);
	const ids = SAID.flatMap(([said = []], index) =>
		sandbox.control.insertConversations({ said, date: at(index) }),
	);
	sandbox.faults.add({ kind: 'htmlPage', status: 404, path: `/transcripts/${ids[3]}.json` });
	const filters = { said: '"too expensive"', saidBy: 'others' };
	const wanted = SAID.flatMap(([, error, isReturned], index) => {
		const transcriptError = error && expect.stringMatching(error);
		return isReturned ? [expect.objectContaining({ conversationId: ids[index], transcriptError })] : [];
	});
	const { items, hints } = await run(
		ids.map((id) => processedEvent(id)),
		{ filters },
	);
	expect(items.map(({ json }) => json)).toEqual(wanted);
	const why =
		'Nothing is returned: Words Said is set to "\\"too expensive\\"", but this conversation has none.';
	expect(hints.map(({ message }) => message)).toEqual([why, why]);

	const downloads = () =>
		sandbox.requests.list().filter(({ path }) => path.startsWith('/transcripts/')).length;
	const poller = engine.poller(POLL, { filters, startFrom: 'date', startDate });
	expect((await poller.poll()).map(({ json }) => json)).toEqual(wanted);
	const [sample, ...more] = await engine.poller(POLL, { filters }, { mode: 'manual' }).poll();
	expect([sample.json.conversationId, more.length]).toEqual([ids[3], 1]);
	// What was not said is not searched again.
	sandbox.requests.reset();
	expect(await poller.poll()).toEqual([]);
	expect(downloads()).toBe(0);
});

test('Event needs no request but that of the transcript to know what was said', async () => {
	const [id, other] = [['the price'], ['the roof']].flatMap((said) =>
		sandbox.control.insertConversations({ said }),
	);
	const sent = [id, other].map((one) => {
		const transcript_url = sandbox.control.transcriptUrl(one);
		return processedEvent(one, { transcript_url });
	});
	sandbox.requests.reset();
	const { items } = await run(sent, { output: 'event', filters: { said: 'price' } });
	expect(items.map(({ json }) => [json.conversation_id, json.transcriptError])).toEqual([[id, null]]);
	expect(sandbox.requests.list().map(({ path }) => path.split('?')[0])).toEqual([
		`/transcripts/${id}.json`,
		`/transcripts/${other}.json`,
	]);
});

test('a test shows the event with the keys of production, null where it lacks one', async () => {
	const data: IDataObject = { ...testEvent().data };
	delete data.customer;
	const { items, hints } = await run([{ ...testEvent(), data }, processedEvent()], { output: 'event' });
	const [test, production] = items.map(({ json }) => json);
	expect(Object.keys(test).sort()).toEqual(Object.keys(production).sort());
	expect(test).toMatchObject({ ...data, customer: null, isTest: true, event_type: 'test' });
	expect([hints, sandbox.requests.list()]).toEqual([[], []]);
});

test('finds members of teams and subteams once, and reads the conversation if the event does not name its rep', async () => {
	const repOf = (team: string) => sandbox.control.users().find(({ teams }) => teams.includes(team))!.email;
	const [inside, outside] = [repOf('West Coast'), repOf('East')];
	const [id] = sandbox.control.insertConversations({ userEmail: outside });
	const reps = [inside, 'nobody@example.com', null];
	const events = reps.map((user_email) => processedEvent(id, { user_email }));
	const { items, hints } = await run(events, { filters: { teams: ['West'] }, output: 'event' });
	expect(items.map(({ json }) => json.user_email)).toEqual([inside]);
	const why = (rep: string) =>
		`Nothing is returned: Team Names or IDs is set to "West", but this conversation has "${rep}".`;
	expect(hints.map(({ message }) => message)).toEqual(['nobody@example.com', outside].map(why));
	expect(sandbox.requests.list()).toHaveLength(3);
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
	const message = expect.stringContaining(
		'Check the API Key in the Conversation Export API credential',
	) as string;
	const words = { error: 'The service does not recognize the API key', message };
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
