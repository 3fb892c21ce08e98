import type { INodeParameters } from 'n8n-workflow';

import type { Sandbox } from '../../sandbox';
import { SIGNING_SECRET } from '../credentials';
import type { N8nClient } from '../n8n/client';
import { errorOf } from '../n8n/execution';
import type { Report } from '../problem';
import { exampleWorkflow } from '../workflows';
import { failureOf, type Outcome } from './outcome';

const REACT = 'react-to-processed-conversations';
const CATCH_UP = 'catch-up-on-processed-conversations';
const TABLE = 'Processed conversations';

/** How many conversations the webhook brings, each twice, and how many only the poll can bring. */
const ANNOUNCED = 5;
const MISSED = 3;

/** Whether an example waits for conversations instead of being run. */
export const isTriggerExample = (slug: string) => [REACT, CATCH_UP].includes(slug);

/**
 * Publishes the two examples that wait for conversations: some are announced by webhook, each twice, and some are not
 * announced at all, so that only the poll brings them.
 *
 * @param n8nUrl n8n's address without a trailing slash
 * @returns an outcome for each example; failures are outcomes too
 */
export async function runTriggerExamples(
	client: N8nClient,
	n8nUrl: string,
	sandbox: Sandbox,
	report: Report,
): Promise<Outcome[]> {
	const before = new Date();
	report(`Announcing ${ANNOUNCED} conversations, each twice, to "${exampleWorkflow(REACT).name}"`);
	const react = await outcomeOf(client, sandbox, REACT, ANNOUNCED, async () => {
		const workflow = exampleWorkflow(REACT);
		const workflowId = await client.importWorkflow(workflow);
		const made = errorOf(await client.run(workflowId));
		if (made) return made.message;
		await client.publish(workflowId);
		const { webhookId } = workflow.nodes.find(({ name }) => name === 'Conversation Intelligence Trigger')!;
		const url = `${n8nUrl}/webhook/${webhookId}/conversation`;
		const subscription = sandbox.webhooks.subscriptions.add({ url, secret: SIGNING_SECRET });
		const conversationIds = sandbox.control.insertConversations({ count: ANNOUNCED });
		await sandbox.webhooks.emit({ conversationIds, repeatShare: 1, repeatWhen: 'later' });
		sandbox.webhooks.subscriptions.remove(subscription.id);
		// The run that made the table, and one for each conversation.
		return unexpected(await client.settled(workflowId, 1 + ANNOUNCED), 1 + ANNOUNCED);
	});
	report(`Letting "${exampleWorkflow(CATCH_UP).name}" find ${MISSED} that were not announced`);
	const catchUp = await outcomeOf(client, sandbox, CATCH_UP, ANNOUNCED + MISSED, async () => {
		sandbox.control.insertConversations({ count: MISSED });
		const since = { startFrom: 'date', startDate: before.toISOString() };
		const workflowId = await client.importWorkflow(withTrigger(exampleWorkflow(CATCH_UP), since));
		await client.publish(workflowId);
		return unexpected(await client.settled(workflowId, 1), 1);
	});
	return [react, catchUp];
}

/** Runs one of them, and holds the table against the number of rows that must be there then. */
async function outcomeOf(
	client: N8nClient,
	sandbox: Sandbox,
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
	const result = failure ?? mismatch ?? 'ok';
	return { workflow: exampleWorkflow(slug).name, requests: sandbox.requests.count(), rows, seconds, result };
}

/** What is wrong with the executions of a workflow; undefined when so many succeeded and no other is there. */
function unexpected(counts: Record<string, number>, successes: number): string | undefined {
	const isRight = counts.success === successes && Object.keys(counts).length === 1;
	return isRight ? undefined : `executions: ${JSON.stringify(counts)} instead of ${successes} that succeeded`;
}

/** The first poll then delivers at publication instead of after five minutes. */
function withTrigger(workflow: ReturnType<typeof exampleWorkflow>, parameters: INodeParameters) {
	const nodes = workflow.nodes.map((node) =>
		node.name === 'Conversation Intelligence Poll Trigger'
			? { ...node, parameters: { ...node.parameters, ...parameters } }
			: node,
	);
	return { ...workflow, nodes };
}
