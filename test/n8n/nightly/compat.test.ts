import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { INode } from 'n8n-workflow';
import { saveSandboxCredentials } from '../../../harness/credentials';
import { itemsOf } from '../../../harness/n8n/execution';
import { inRow, manualTrigger, workflowNode, type WorkflowFile } from '../../../harness/n8n/workflowFile';
import { useTestbed } from '../../support/testbed';

const COMPAT = join(__dirname, '../../../compat');
/** Makes the appointment that others change, match and delete. */
const BOOKING = 'conversationIntelligenceAppointments.appointment.upsert.json';
const { sandbox, n8n } = useTestbed({ conversations: 400, from: '2025-03-01T00:00:00Z', to: 'now' });
beforeAll(async () => {
	await saveSandboxCredentials(n8n.client, sandbox);
});

const read = <Content>(...path: string[]) =>
	JSON.parse(readFileSync(join(COMPAT, ...path), 'utf8')) as Content;

describe.each(readdirSync(COMPAT))('a workflow that was saved with %s', (release) => {
	const recorded = read<Record<string, { fields: string[] }>>(release, 'recorded.json');

	// In order, because an appointment can no longer be deleted once it was matched.
	test.each(readdirSync(join(COMPAT, release, 'workflows')).sort())('%s opens and runs', async (file) => {
		const saved = read<WorkflowFile>(release, 'workflows', file);
		const id = await n8n.client.importWorkflow({ ...saved, settings: {} });
		const kept = await n8n.client.session.api<WorkflowFile>('GET', `/workflows/${id}`);
		expect(kept.nodes.map(({ parameters }) => parameters)).toEqual(
			saved.nodes.map(({ parameters }) => parameters),
		);
		const [conversationId] = sandbox.control.conversationIds(0, 1);
		const [{ email, teams }] = sandbox.control.users().filter((user) => user.teams.length > 0);
		const jsonOutput = JSON.stringify({ conversationId, email, team: teams[0] });
		const row = workflowNode('Row', 'n8n-nodes-base.set', 3.4, { mode: 'raw', jsonOutput, options: {} });
		const [first] = saved.nodes;
		const isTrigger = first.type.endsWith('Trigger');
		const trigger = isTrigger ? [] : [manualTrigger(), row];
		// The webhook trigger needs a delivery: trigger.test.ts.
		if (first.type.endsWith('conversationIntelligenceTrigger')) return;
		if (first.type.endsWith('Appointments')) {
			const { nodes } = read<WorkflowFile>(release, 'workflows', BOOKING);
			const booking = { name: BOOKING, ...inRow(...trigger, nodes[0]), settings: {} };
			await n8n.client.run(await n8n.client.importWorkflow(booking));
		}
		const once: INode = { ...first, onError: 'continueRegularOutput' };
		const running = await n8n.client.importWorkflow({ name: file, ...inRow(...trigger, once), settings: {} });
		const execution = await n8n.client.run(running, isTrigger ? { trigger: first.name } : {});
		const fields = itemsOf(execution, first.name).flatMap(({ json, binary = {} }) => [
			...Object.keys(json),
			...Object.keys(binary).map((name) => `file ${name}`),
		]);
		expect([...new Set(fields)].sort()).toEqual(expect.arrayContaining(recorded[first.name].fields));
	});
});
