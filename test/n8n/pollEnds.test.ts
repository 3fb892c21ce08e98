import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { saveSandboxCredentials } from '../../harness/credentials';
import { startN8n, type RunningN8n } from '../../harness/n8n/start';
import { startGate, type Gate } from '../support/gate';
import { N8N_START_LIMIT_MS, progress } from '../support/n8n';
import { startSink, type Sink } from '../support/sink';
import { startTestbed, type Testbed } from '../support/testbed';
import { pollWorkflow, publish, waitForExecutions } from '../support/triggerWorkflows';

/** Two executions at a time; n8n queues the others. */
const env = { N8N_CONCURRENCY_PRODUCTION_LIMIT: '2' };

describe('Conversation Intelligence Poll Trigger in a real n8n with a concurrency limit, then updated', () => {
	let testbed: Testbed;
	let n8n: RunningN8n;
	let sink: Sink;
	let gate: Gate;

	beforeAll(async () => {
		[testbed, sink, gate] = await Promise.all([
			startTestbed({ conversations: 5 }, { env }),
			startSink(),
			startGate(),
		]);
		({ n8n } = testbed);
	}, N8N_START_LIMIT_MS);
	afterAll(async () => {
		gate?.open();
		if (n8n !== testbed?.n8n) await n8n?.stop();
		await testbed?.stop();
		await Promise.all([sink?.close(), gate?.close()]);
	}, 60_000);

	const insert = () => testbed.sandbox.control.insertConversations({ count: 1 })[0];

	test('delivers again what the table of ends says: stopped, queued, stopped in the queue, and updated', async () => {
		const publishPoll = async (deliveredWhen: string) => {
			const parameters = { options: { deliveredWhen, executionFor: 'conversation' } };
			return await publish(n8n.client, pollWorkflow(parameters, sink.url, `${gate.url}/${deliveredWhen}`));
		};
		const ended = await publishPoll('ended');
		const succeeded = await publishPoll('succeeded');
		gate.hold(() => true);

		const stopped = insert();
		await gate.holds(2);
		// Both slots are taken.
		const updated = insert();
		const running: string[] = [];
		for (const workflowId of [ended, succeeded]) {
			await waitForExecutions(n8n.client, workflowId, 'new');
			running.push(...(await waitForExecutions(n8n.client, workflowId, 'running')));
		}
		for (const id of running) await n8n.client.stopExecution(id);
		await gate.holds(4);
		const queued = insert();
		// With the one that was stopped.
		await waitForExecutions(n8n.client, succeeded, 'new', 2);
		const [last] = await waitForExecutions(n8n.client, ended, 'new');
		await n8n.client.stopExecution(last);
		expect(n8n.log).toContain(`delivers again (attempt 2): ${stopped}`);
		await n8n.kill();
		updatePackage(testbed.n8n.userFolder);
		gate.open();
		n8n = await startN8n({ userFolder: testbed.n8n.userFolder, report: progress });
		await saveSandboxCredentials(n8n.client, testbed.sandbox);
		expect((await n8n.client.nodeTypes()).map(({ activationMessage }) => activationMessage)).toContain(
			UPDATED,
		);
		const marker = insert();
		await sink.reaches(7);
		expect([...sink.writes.keys()].sort()).toEqual(
			[
				...[updated, queued, marker].map((conversation) => `ended/${conversation}`),
				...[stopped, updated, queued, marker].map((conversation) => `succeeded/${conversation}`),
			].sort(),
		);
	}, 240_000);
});

const UPDATED = 'This is another build.';

/** Replaces the installed package by another build, as an update does. */
function updatePackage(userFolder: string): void {
	const folder = join(userFolder, '.n8n/nodes/node_modules/n8n-nodes-conversation-intelligence');
	const replace = (file: string, text: string | RegExp, other: string) => {
		const path = join(folder, file);
		const before = readFileSync(path, 'utf8');
		writeFileSync(path, before.replace(text, other));
	};
	const node = 'ConversationIntelligencePollTrigger';
	replace('package.json', /"version": "[^"]+"/, '"version": "99.0.0"');
	replace(`dist/nodes/${node}/${node}.node.js`, 'n8n now checks for new conversations.', UPDATED);
}
