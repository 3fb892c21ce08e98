import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { z } from 'zod';
import { EVENTS, type EventRule } from '../../../nodes/ConversationIntelligenceTrigger/events';
import { delivery } from '../../../harness/webhook/deliveries';
import { startSandbox, type Sandbox } from '../../../sandbox';
import { createEngine, type Engine } from '../../support/engine';

const TYPE = 'conversationIntelligenceTrigger';
const SECRET = 'the current secret';
const fields = z.object({ id: z.string(), rep: z.string() });
const ruleOf = (name: string, rule: Pick<EventRule, 'about' | 'row'>): EventRule => ({
	option: { name, action: `On ${name.toLowerCase()}` },
	id: 'id',
	fields,
	...rule,
});

let sandbox: Sandbox;
let engine: Engine;
/** The conversation that an event is about, and one that was processed later. */
let id: string;
let email: string;
beforeAll(async () => {
	EVENTS.set('scored', ruleOf('Conversation Scored', { about: 'conversation', row: { userEmail: 'rep' } }));
	EVENTS.set('user_added', ruleOf('User Added', { about: 'other' }));
	const { ConversationIntelligenceTrigger } = await import(
		'../../../nodes/ConversationIntelligenceTrigger/ConversationIntelligenceTrigger.node'
	);
	sandbox = await startSandbox({ conversations: 5 });
	[{ email }] = sandbox.control.users();
	[id] = sandbox.control.insertConversations({ userEmail: email });
	sandbox.control.insertConversations();
	const { exportUrl: baseUrl, keys } = sandbox;
	engine = await createEngine([ConversationIntelligenceTrigger], {
		conversationExportApi: { baseUrl, apiKey: keys.organization, signingSecret: SECRET },
	});
});
afterAll(async () => await sandbox.close());
beforeEach(() => sandbox.requests.reset());

/** Receives an event and runs its execution. */
async function deliver(event: object, more: IDataObject) {
	const parameters = { events: ['scored', 'user_added'], ...more } as INodeParameters;
	const { result, response } = await engine.webhook(
		TYPE,
		parameters,
		delivery({ ...event, sent_at: new Date().toISOString() }, SECRET),
	);
	const body = (response.body ?? result.webhookResponse) as { status: string; code?: string };
	if (!result.noWebhookResponse) response.json(body);
	const [input] = result.workflowData ?? [[]];
	const run = input.length > 0 && (await engine.runNode(TYPE, parameters, { input, mode: 'webhook' }));
	return {
		said: body.code ?? body.status,
		items: run ? run.items.map(({ json }) => json) : [],
		hints: run ? run.hints.map(({ message }) => message) : [],
	};
}

test.each(['simplified', 'raw', 'event'])(
	'a new event about a conversation returns this one, whatever the names of its fields: %s',
	async (output) => {
		const event = { event_type: 'scored', data: { id, rep: email, output } };
		const { items } = await deliver(event, { output, filters: { users: [email] } });
		expect(items).toEqual([expect.objectContaining({ dedupeKey: id, isTest: false, source: 'webhook' })]);
		expect(items[0].conversationId).toBe(output === 'event' ? undefined : id);
		const filters = { users: ['nobody@example.com'] };
		expect(await deliver({ ...event, more: 1 }, { output, filters })).toMatchObject({ said: 'ignored' });
	},
);

test.each(['simplified', 'raw', 'event'])(
	'a new event about something else is returned as it was sent, without filters and requests: %s',
	async (output) => {
		const event = { event_type: 'user_added', data: { id: 'user 1', rep: 7, output } };
		const filters = { users: ['nobody@example.com'], minDuration: 60 };
		const { items, hints } = await deliver(event, { output, filters });
		const origin = { dedupeKey: 'user 1', source: 'webhook', isTest: false, deliveryAttempt: 1 };
		expect(items).toEqual([expect.objectContaining({ ...event.data, event_type: 'user_added', ...origin })]);
		expect(hints).toEqual([expect.stringContaining('rep')]);
		expect(sandbox.requests.list()).toEqual([]);
		expect(await deliver(event, { output })).toMatchObject({ said: 'duplicate', items: [] });
	},
);

test('a new event is offered under Trigger On, and rejected without the ID of what it is about', async () => {
	const [{ options }] = engine.nodeType(TYPE).description.properties;
	expect(options).toContainEqual(expect.objectContaining({ name: 'User Added', value: 'user_added' }));
	for (const event_type of ['scored', 'user_added'])
		expect(await deliver({ event_type, data: { id: ' ' } }, {})).toMatchObject({ said: 'id_missing' });
});
