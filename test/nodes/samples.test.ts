import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { processedEvent } from '../../harness/webhook/deliveries';
import { ConversationIntelligence } from '../../nodes/ConversationIntelligence/ConversationIntelligence.node';
import { ConversationIntelligenceAppointments } from '../../nodes/ConversationIntelligenceAppointments/ConversationIntelligenceAppointments.node';
import { ConversationIntelligencePollTrigger } from '../../nodes/ConversationIntelligencePollTrigger/ConversationIntelligencePollTrigger.node';
import { ConversationIntelligenceTrigger } from '../../nodes/ConversationIntelligenceTrigger/ConversationIntelligenceTrigger.node';
import { sandboxEngine } from '../support/engine/fixtures';
import { RANGE } from './ConversationIntelligence/listing';
import { automatic, CREATE, runAppointments } from './ConversationIntelligenceAppointments/mapping';

/** `RECORD=1 npx jest --selectProjects nodes --testPathPatterns nodes/samples` writes this page. */
const PAGE = join(__dirname, '../../docs/reference/output.md');
const NODES = [
	ConversationIntelligence,
	ConversationIntelligenceAppointments,
	ConversationIntelligencePollTrigger,
	ConversationIntelligenceTrigger,
];
const INTRODUCTION = `# Sample output

One item of each operation and trigger, mostly with default settings, from the [local service](local-service.md). Meaning and unit of each field: [fields](fields.md).

The test \`test/nodes/samples\`: "each operation and trigger returns the item that docs/reference/output.md shows" writes and checks this page.
`;

const { sandbox, engine } = sandboxEngine(NODES, { conversations: 60, awaitingUpload: 2, errored: 2 });

/** Without what differs from run to run: origins, signatures and the time of the request. */
const comparable = (json: IDataObject) =>
	JSON.stringify(json, null, '\t')
		.replaceAll(sandbox.url, 'https://api.example.com')
		.replace(/(?<=https:[^"\s]*)\?[^"\s]*/g, '?…')
		.replace(/(?<="(?:urlsExpireAt|sent_at)": ")[^"]*/g, '2026-01-31T15:00:00.000Z')
		.replace(/(?<="seconds": )[\d.]+/, '0.3');

test('each operation and trigger returns the item that docs/reference/output.md shows', async () => {
	const [owner] = sandbox.control.users().filter(({ isRemoved, isHidden }) => !isRemoved && !isHidden);
	const [conversationId] = sandbox.control.conversationIds(0, 1);
	const get = async (resource: string, operation: string, more: object = {}) => {
		const parameters = { resource, operation, conversationId, ...RANGE, ...more };
		return (await engine.runNode('conversationIntelligence', parameters)).items[0].json;
	};
	const row = { ...CREATE, user_email: owner.email, attendee_emails: owner.email };
	const write = async (more: INodeParameters, input: IDataObject = row) =>
		await runAppointments(engine, automatic(more), [input], { onError: 'continueRegularOutput' });
	const written = async (more: INodeParameters, input?: IDataObject) =>
		(await write(more, input)).items[0].json;
	const trigger = async () => {
		const input = [{ json: { ...processedEvent(conversationId) } as IDataObject }];
		const started = await engine.runNode('conversationIntelligenceTrigger', {}, { input, mode: 'webhook' });
		return started.items[0].json;
	};
	const poll = async () => {
		const settings = { startFrom: 'date', startDate: '2020-01-01' };
		return (await engine.poller('conversationIntelligencePollTrigger', settings).poll())[0].json;
	};
	const upsert = { ...row, event_id: 'crm-2' };
	const samples: Array<[node: string, operation: string, item: () => Promise<IDataObject>]> = [
		[
			'Conversation Intelligence',
			'Conversation: Get and Get Many',
			async () => await get('conversation', 'get'),
		],
		[
			'Conversation Intelligence',
			'Conversation: Get Many, one row per checklist',
			async () => await get('conversation', 'getAll', { rowsFor: 'checklists' }),
		],
		[
			'Conversation Intelligence',
			'Conversation: Get Many, as a file',
			async () => await get('conversation', 'getAll', { outputAs: 'file', returnAll: true }),
		],
		[
			'Conversation Intelligence',
			'Conversation: Download Transcript',
			async () => await get('conversation', 'downloadTranscript', { maxTranscriptLength: 120 }),
		],
		[
			'Conversation Intelligence',
			'Conversation: Download Audio',
			async () => await get('conversation', 'downloadAudio'),
		],
		['Conversation Intelligence', 'Recording: Get Missing', async () => await get('recording', 'getMissing')],
		['Conversation Intelligence', 'Team: Get Many', async () => await get('team', 'getAll')],
		['Conversation Intelligence', 'User: Get Many', async () => await get('user', 'getAll')],
		[
			'Conversation Intelligence',
			'A failed item',
			async () => {
				const parameters = { resource: 'conversation', operation: 'get', conversationId: 'unknown-1' };
				const options = { onError: 'continueRegularOutput' } as const;
				return (await engine.runNode('conversationIntelligence', parameters, options)).items[0].json;
			},
		],
		['Conversation Intelligence Appointments', 'Create or Update', async () => await written({}, upsert)],
		[
			'Conversation Intelligence Appointments',
			'Update',
			async () => await written({ operation: 'update' }, { ...upsert, title: 'Roof repair' }),
		],
		[
			'Conversation Intelligence Appointments',
			'Sync Appointments, a cancelled row',
			async () => {
				await written({}, row);
				return await written({ operation: 'sync', status: 'cancelled' }, row);
			},
		],
		[
			'Conversation Intelligence Appointments',
			'Match Conversation',
			async () => await written({ operation: 'match', eventId: 'crm-2', conversationId }),
		],
		[
			'Conversation Intelligence Appointments',
			'Delete',
			async () => {
				await written({}, row);
				return await written({ operation: 'delete', eventId: row.event_id });
			},
		],
		[
			'Conversation Intelligence Appointments',
			'A failed item',
			async () => await written({}, { ...row, price: '1.234' }),
		],
		['Conversation Intelligence Trigger', 'Default', trigger],
		['Conversation Intelligence Poll Trigger', 'Default', poll],
	];
	const nodes = new Map<string, string[]>();
	for (const [node, operation, item] of samples) {
		const heading = operation === 'Default' ? [] : [`### ${operation}`];
		const text = [...heading, `\`\`\`json\n${comparable(await item())}\n\`\`\``].join('\n\n');
		nodes.set(node, [...(nodes.get(node) ?? []), text]);
	}
	const sections = [...nodes].map(([node, texts]) => `\n## ${node}\n\n${texts.join('\n\n')}\n`);
	const page = `${INTRODUCTION}${sections.join('')}`;
	if (process.env.RECORD === '1') writeFileSync(PAGE, page);
	expect(page).toBe(readFileSync(PAGE, 'utf8'));
});
