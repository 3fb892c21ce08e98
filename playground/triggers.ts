import type { INodeParameters } from 'n8n-workflow';

import { SIGNING_SECRET } from '../harness/credentials';
import { errorOf } from '../harness/n8n/execution';
import type { Report } from '../harness/problem';
import { exampleWorkflow, importExample } from '../harness/workflows';
import type { Stage } from './once';
import { failureOf, type Outcome } from './outcome';

const WORK = 'process-once';
const BY_WEBHOOK = 'process-once-by-webhook';
const BY_POLL = 'process-once-by-poll';
const TABLE = 'Processed conversations';

/** Number of conversations that the webhook delivers twice, and of those that only the poll can find. */
const ANNOUNCED = 5;
const MISSED = 3;

/** The examples that wait for conversations instead of being run by hand. */
export const TRIGGER_EXAMPLES = [WORK, BY_WEBHOOK, BY_POLL];

/**
 * Publishes the webhook and the poll that share a sub-workflow. Announces some conversations twice by webhook, and leaves
 * others for the poll to find.
 *
 * @param n8nUrl n8n's address without a trailing slash
 * @returns an outcome for each trigger, including failures
 */
export async function runTriggerExamples(stage: Stage, n8nUrl: string, report: Report): Promise<Outcome[]> {
	const { client, sandbox } = stage;
	const before = new Date();
	report(`Announcing ${ANNOUNCED} conversations, each twice, to "${exampleWorkflow(BY_WEBHOOK).name}"`);
	const byWebhook = await outcomeOf(stage, BY_WEBHOOK, ANNOUNCED, async () => {
		const workId = await client.importWorkflow(exampleWorkflow(WORK));
		const made = errorOf(await client.run(workId));
		if (made) return made.message;
		await client.publish(workId);
		const workflow = exampleWorkflow(BY_WEBHOOK);
		const workflowId = await importExample(client, workflow);
		await client.publish(workflowId);
		const { webhookId } = workflow.nodes.find((node) => node.webhookId)!;
		const url = `${n8nUrl}/webhook/${webhookId}/conversation`;
		const subscription = sandbox.webhooks.subscriptions.add({ url, secret: SIGNING_SECRET });
		const conversationIds = sandbox.control.insertConversations({ count: ANNOUNCED });
		await sandbox.webhooks.emit({ conversationIds, repeatShare: 1, repeatWhen: 'later' });
		sandbox.webhooks.subscriptions.remove(subscription.id);
		return unexpected(await client.settled(workflowId, ANNOUNCED), ANNOUNCED);
	});
	report(`Letting "${exampleWorkflow(BY_POLL).name}" find ${MISSED} conversations that were not announced`);
	const byPoll = await outcomeOf(stage, BY_POLL, ANNOUNCED + MISSED, async () => {
		sandbox.control.insertConversations({ count: MISSED });
		const since = { startFrom: 'date', startDate: before.toISOString() };
		const workflowId = await importExample(client, withTrigger(exampleWorkflow(BY_POLL), since));
		await client.publish(workflowId);
		return unexpected(await client.settled(workflowId, 1), 1);
	});
	return [byWebhook, byPoll];
}

/** Runs one of them, and compares the table with the expected number of rows. */
async function outcomeOf(
	{ client, sandbox }: Stage,
	slug: string,
	expected: number,
	run: () => Promise<string | undefined>,
): Promise<Outcome> {
	sandbox.requests.reset();
	const start = Date.now();
	const failure = await run().catch((error: unknown) => failureOf(error, client));
	const seconds = (Date.now() - start) / 1000;
	const rows = (await client.tableRows(TABLE)).length;
	const mismatch = rows === expected ? undefined : `${rows} rows in the table instead of ${expected}`;
	return {
		workflow: exampleWorkflow(slug).name,
		requests: sandbox.requests.count(),
		did: `${rows} conversations in the table`,
		seconds,
		result: failure ?? mismatch ?? 'ok',
	};
}

/** Describes unexpected executions of a workflow; undefined when exactly this many succeeded and there are no others. */
function unexpected(counts: Record<string, number>, successes: number): string | undefined {
	const isRight = counts.success === successes && Object.keys(counts).length === 1;
	return isRight ? undefined : `executions: ${JSON.stringify(counts)} instead of ${successes} that succeeded`;
}

/** Makes the first poll deliver when the workflow is published instead of five minutes later. */
function withTrigger(workflow: ReturnType<typeof exampleWorkflow>, parameters: INodeParameters) {
	const nodes = workflow.nodes.map((node) =>
		node.name === 'Conversation Intelligence Poll Trigger'
			? { ...node, parameters: { ...node.parameters, ...parameters } }
			: node,
	);
	return { ...workflow, nodes };
}
