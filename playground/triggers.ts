import { SIGNING_SECRET } from '../harness/credentials';
import { errorOf } from '../harness/n8n/execution';
import type { Report } from '../harness/problem';
import { exampleWorkflow, importExample } from '../harness/workflows';
import type { Stage } from './once';
import { failureOf, type Outcome } from './outcome';

const TABLE = 'Processed conversations';

/** Number of conversations that the webhook delivers twice, and of those that only a poll can find. */
const ANNOUNCED = 5;
const MISSED = 3;

/** An example that waits for conversations instead of being run by hand. */
interface TriggerJob {
	/** Publishes the example and delivers conversations. Returns what is wrong, if anything. */
	run(stage: Stage, n8nUrl: string): Promise<string | undefined>;
	/** What the example has done with how many conversations. */
	done(stage: Stage): Promise<{ count: number; of: number; what: string }>;
}

/** Examples that only a published trigger can start, by the workflow's file name. */
export const TRIGGER_JOBS: Record<string, TriggerJob> = {
	'backfill-a-year': {
		run: async ({ client, sandbox, doubles }) => {
			doubles.reset();
			const startDate = new Date().toISOString();
			sandbox.control.insertConversations({ count: MISSED });
			const change = { 'Since a Year Ago': { startFrom: 'date', startDate } };
			const workflowId = await importExample(client, 'backfill-a-year', change);
			await client.publish(workflowId);
			const counts = await client.waitForAll(workflowId, MISSED);
			await client.unpublish(workflowId);
			return allSucceeded(counts, MISSED);
		},
		done: async ({ doubles }) => ({ count: doubles.files.size, of: MISSED, what: 'transcripts' }),
	},
	'process-once': {
		run: processOnce,
		done: async ({ client }) => ({
			count: (await client.tableRows(TABLE)).length,
			of: ANNOUNCED + MISSED,
			what: 'conversations in the table',
		}),
	},
};

/**
 * Publishes each of them and delivers conversations.
 *
 * @param n8nUrl n8n's address without a trailing slash
 * @returns an outcome for each, including failures
 */
export async function runTriggerExamples(stage: Stage, n8nUrl: string, report: Report): Promise<Outcome[]> {
	const outcomes: Outcome[] = [];
	for (const [slug, { run, done }] of Object.entries(TRIGGER_JOBS)) {
		const workflow = exampleWorkflow(slug).name;
		report(`Publishing "${workflow}"`);
		stage.sandbox.requests.reset();
		const start = Date.now();
		const failure = await run(stage, n8nUrl).catch((error: unknown) => failureOf(error, stage.client));
		const { count, of, what } = await done(stage);
		const mismatch = count === of ? undefined : `${count} ${what} instead of ${of}`;
		outcomes.push({
			workflow,
			requests: stage.sandbox.requests.count(),
			did: `${count} ${what}`,
			seconds: (Date.now() - start) / 1000,
			result: failure ?? mismatch ?? 'ok',
		});
	}
	return outcomes;
}

/** Lets the poll find some conversations, and announces others twice by webhook. */
async function processOnce({ client, sandbox }: Stage, n8nUrl: string): Promise<string | undefined> {
	const startDate = new Date().toISOString();
	sandbox.control.insertConversations({ count: MISSED });
	// With a start date, the first poll delivers when the workflow is published instead of five minutes later.
	const change = { 'Conversation Intelligence Poll Trigger': { startFrom: 'date', startDate } };
	const workflowId = await importExample(client, 'process-once', change);
	const made = errorOf(await client.run(workflowId));
	if (made) return made.message;
	await client.publish(workflowId);
	const url = `${n8nUrl}/webhook/${await client.webhookPath(workflowId)}`;
	const subscription = sandbox.webhooks.subscriptions.add({ url, secret: SIGNING_SECRET });
	const conversationIds = sandbox.control.insertConversations({ count: ANNOUNCED });
	await sandbox.webhooks.emit({ conversationIds, repeatShare: 1, repeatWhen: 'later' });
	sandbox.webhooks.subscriptions.remove(subscription.id);
	// The run by hand, and one for each polled and each announced conversation.
	const expected = 1 + MISSED + ANNOUNCED;
	return allSucceeded(await client.waitForAll(workflowId, expected), expected);
}

function allSucceeded(counts: Record<string, number>, expected: number): string | undefined {
	const isRight = counts.success === expected && Object.keys(counts).length === 1;
	return isRight ? undefined : `executions: ${JSON.stringify(counts)} instead of ${expected} that succeeded`;
}
