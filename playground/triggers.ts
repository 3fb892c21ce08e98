import { SIGNING_SECRET } from '../harness/credentials';
import { errorOf } from '../harness/n8n/execution';
import type { WorkflowFile } from '../harness/n8n/workflowFile';
import type { Report } from '../harness/problem';
import { exampleWorkflow } from '../harness/workflows';
import type { Stage } from './once';
import { failureOf, type Outcome } from './outcome';

const TABLE = 'Processed conversations';

/** Number of conversations that the webhook delivers twice, and of those that only the poll can find. */
const ANNOUNCED = 5;
const MISSED = 3;
const EXPECTED = ANNOUNCED + MISSED;

/** The example that waits for conversations instead of being run by hand. */
export const TRIGGER_EXAMPLE = 'process-once';

/**
 * Publishes the example with a webhook and a poll trigger. Lets the poll find some conversations, and announces others
 * twice by webhook.
 *
 * @param n8nUrl n8n's address without a trailing slash
 * @returns its outcome, also for a failure
 */
export async function runTriggerExample(stage: Stage, n8nUrl: string, report: Report): Promise<Outcome> {
	const { client, sandbox } = stage;
	const { name: workflow } = exampleWorkflow(TRIGGER_EXAMPLE);
	report(`Delivering ${MISSED} conversations by poll and ${ANNOUNCED} by webhook, twice, to "${workflow}"`);
	sandbox.requests.reset();
	const start = Date.now();
	const failure = await runOnce(stage, n8nUrl).catch((error: unknown) => failureOf(error, client));
	const rows = (await client.tableRows(TABLE)).length;
	const mismatch = rows === EXPECTED ? undefined : `${rows} rows in the table instead of ${EXPECTED}`;
	return {
		workflow,
		requests: sandbox.requests.count(),
		did: `${rows} conversations in the table`,
		seconds: (Date.now() - start) / 1000,
		result: failure ?? mismatch ?? 'ok',
	};
}

/** @returns what is wrong, if anything */
async function runOnce({ client, sandbox }: Stage, n8nUrl: string): Promise<string | undefined> {
	const since = new Date().toISOString();
	sandbox.control.insertConversations({ count: MISSED });
	const workflowId = await client.importWorkflow(startingAt(since));
	const made = errorOf(await client.run(workflowId));
	if (made) return made.message;
	await client.publish(workflowId);
	const url = `${n8nUrl}/webhook/${await client.webhookPath(workflowId)}`;
	const subscription = sandbox.webhooks.subscriptions.add({ url, secret: SIGNING_SECRET });
	const conversationIds = sandbox.control.insertConversations({ count: ANNOUNCED });
	await sandbox.webhooks.emit({ conversationIds, repeatShare: 1, repeatWhen: 'later' });
	sandbox.webhooks.subscriptions.remove(subscription.id);
	// The run by hand, the first poll, and one for each announced conversation.
	const expected = 1 + 1 + ANNOUNCED;
	const counts = await client.settled(workflowId, expected);
	const isRight = counts.success === expected && Object.keys(counts).length === 1;
	return isRight ? undefined : `executions: ${JSON.stringify(counts)} instead of ${expected} that succeeded`;
}

/** The example whose first poll delivers when it is published, instead of five minutes later. */
function startingAt(startDate: string): WorkflowFile {
	const workflow = exampleWorkflow(TRIGGER_EXAMPLE);
	const nodes = workflow.nodes.map((node) =>
		node.name === 'Conversation Intelligence Poll Trigger'
			? { ...node, parameters: { ...node.parameters, startFrom: 'date', startDate } }
			: node,
	);
	return { ...workflow, nodes };
}
