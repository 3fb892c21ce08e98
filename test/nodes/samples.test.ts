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
	const written = async (more: INodeParameters, input: IDataObject = row) => {
		const options = { onError: 'continueRegularOutput' } as const;
		return (await runAppointments(engine, automatic(more), [input], options)).items[0].json;
	};
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
	const failing = async () => {
		const parameters = { resource: 'conversation', operation: 'get', conversationId: 'unknown-1' };
		const options = { onError: 'continueRegularOutput' } as const;
		return (await engine.runNode('conversationIntelligence', parameters, options)).items[0].json;
	};
	/** The output of an operation on an appointment that was created before. */
	const afterwards = async (more: INodeParameters) => {
		await written({}, row);
		return await written(more, row);
	};
	const samples: Record<string, Record<string, () => Promise<IDataObject>>> = {
		'Conversation Intelligence': {
			'Conversation: Get and Get Many': async () => await get('conversation', 'get'),
			'Conversation: Get Many, one row per checklist': async () =>
				await get('conversation', 'getAll', { rowsFor: 'checklists' }),
			'Conversation: Get Many, as a file': async () =>
				await get('conversation', 'getAll', { outputAs: 'file', returnAll: true }),
			'Conversation: Download Transcript': async () =>
				await get('conversation', 'downloadTranscript', { maxTranscriptLength: 120 }),
			'Conversation: Download Audio': async () => await get('conversation', 'downloadAudio'),
			'Recording: Get Missing': async () => await get('recording', 'getMissing'),
			'Team: Get Many': async () => await get('team', 'getAll'),
			'User: Get Many': async () => await get('user', 'getAll'),
			'A failed item': failing,
		},
		'Conversation Intelligence Appointments': {
			'Create or Update': async () => await written({}, upsert),
			Update: async () => await written({ operation: 'update' }, { ...upsert, title: 'Roof repair' }),
			'Sync Appointments, a cancelled row': async () =>
				await afterwards({ operation: 'sync', status: 'cancelled' }),
			'Match Conversation': async () =>
				await written({ operation: 'match', eventId: 'crm-2', conversationId }),
			Delete: async () => await afterwards({ operation: 'delete', eventId: row.event_id }),
			'A failed item': async () => await written({}, { ...row, price: '1.234' }),
		},
		'Conversation Intelligence Trigger': { Default: trigger },
		'Conversation Intelligence Poll Trigger': { Default: poll },
	};
	const sections: string[] = [];
	for (const [node, items] of Object.entries(samples)) {
		sections.push(`\n## ${node}\n`);
		for (const [operation, item] of Object.entries(items)) {
			if (operation !== 'Default') sections.push(`\n### ${operation}\n`);
			sections.push(`\n\`\`\`json\n${comparable(await item())}\n\`\`\`\n`);
		}
	}
	const page = `${INTRODUCTION}${sections.join('')}`;
	if (process.env.RECORD === '1') writeFileSync(PAGE, page);
	expect(page).toBe(readFileSync(PAGE, 'utf8'));
});
