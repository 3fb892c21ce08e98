import { DIALER } from '../harness/examples/credentials';
import type { Doubles } from '../harness/examples/doubles';
import { writeSampleVisits } from '../harness/examples/visits';
import type { N8nClient } from '../harness/n8n/client';
import { errorOf, itemsOf } from '../harness/n8n/execution';
import { HarnessProblem, inWords, type Report } from '../harness/problem';
import {
	exampleWorkflows,
	importExample,
	needsPostgres,
	startedByHand,
	type ExampleWorkflow,
} from '../harness/workflows';
import type { startStage } from './stage';

/** Where examples run: an n8n, the local service, and doubles of outside services. */
type Stage = Awaited<ReturnType<typeof startStage>>;

/** Conversations that are processed while a poll trigger is published. */
const CONVERSATIONS = 3;

/**
 * Runs every example once: by hand if it has a trigger for that, otherwise published while conversations are processed or
 * a call is sent. That the result is complete is checked by `npm run test:examples`.
 */
export async function runExamples(stage: Stage, hasPostgres: boolean, report: Report) {
	const outcomes = [];
	for (const example of exampleWorkflows()) {
		const workflow = example.workflow.name;
		report(`Running "${workflow}"`);
		stage.sandbox.requests.reset();
		stage.doubles.reset();
		writeSampleVisits(stage.doubles);
		const startedAt = Date.now();
		let [did, result] = ['', 'skipped: needs PostgreSQL'];
		if (hasPostgres || !needsPostgres(example.workflow)) {
			try {
				[did, result] = [await runExample(stage, example), 'ok'];
			} catch (error) {
				stage.n8n.client.session.signal?.throwIfAborted();
				result = inWords(error);
			}
		}
		const seconds = (Date.now() - startedAt) / 1000;
		outcomes.push({ workflow, did, requests: stage.sandbox.requests.count(), seconds, result });
	}
	return outcomes;
}

/** Returns what the example did, in words. @throws {HarnessProblem} that says what went wrong */
async function runExample(
	{ n8n: { client }, sandbox, doubles }: Stage,
	{ slug, workflow }: ExampleWorkflow,
): Promise<string> {
	const byHand = startedByHand(workflow);
	const polls = workflow.nodes.find(({ type, disabled }) => /PollTrigger$/.test(type) && !disabled);
	const startDate = new Date().toISOString();
	const change = polls ? { [polls.name]: { parameters: { startFrom: 'date', startDate } } } : {};
	const workflowId = await importExample(client, slug, change);
	const did: string[] = [];
	if (workflow.nodes.some(({ type }) => type === 'n8n-nodes-base.webhook')) {
		const status = await sendCall(client, workflowId);
		if (status !== 200) throw new HarnessProblem(`the webhook answered ${status}`);
		did.push('1 call');
	}
	if (byHand) {
		const execution = await client.run(workflowId, { trigger: byHand.name });
		const error = errorOf(execution)?.message;
		if (execution.status !== 'success') throw new HarnessProblem(error ?? execution.status);
		did.push(count(itemsOf(execution).length, 'item'));
	}
	if (polls) {
		sandbox.control.insertConversations({ count: CONVERSATIONS });
		await client.publish(workflowId);
		const expected = CONVERSATIONS + (byHand ? 1 : 0);
		const statuses = await client.waitForAll(workflowId, expected);
		await client.unpublish(workflowId);
		if (statuses.success !== expected) throw new HarnessProblem(`executions: ${JSON.stringify(statuses)}`);
		did.push(count(CONVERSATIONS, 'execution'));
	}
	return [...did, ...received(doubles)].join(', ');
}

/** Calls the webhook of the dialer's example as a dialer would, and returns the status of its response. */
async function sendCall(client: N8nClient, workflowId: string): Promise<number> {
	const now = Date.now();
	const call = { call_id: now, rep_email: 'ava.adams@example.com', started_at: now - 60_000, ended_at: now };
	const recording = { customer_phone: '+1 555 0100', recording_url: 'https://dialer.example/recording.mp3' };
	await client.publish(workflowId);
	const { status } = await fetch(`${client.session.url}/webhook/recorded-calls`, {
		method: 'POST',
		headers: { 'content-type': 'application/json', [DIALER.name]: DIALER.value },
		body: JSON.stringify({ ...call, ...recording }),
	});
	await client.unpublish(workflowId);
	return status;
}

/** What the doubles of outside services have received, in words. */
function received({ mailbox, messages, hubSpot, sheet, files }: Doubles): string[] {
	const numbers: Array<[number, string]> = [
		[mailbox.mails.length, 'mail'],
		[messages.length, 'Slack message'],
		[hubSpot.meetings.filter(({ properties }) => properties.hs_timestamp).length, 'HubSpot meeting'],
		[Math.max(0, sheet.length - 1), 'sheet row'],
		[files.size, 'file'],
	];
	return numbers.filter(([number]) => number > 0).map(([number, noun]) => count(number, noun));
}

const count = (number: number, noun: string) => `${number} ${noun}${number === 1 ? '' : 's'}`;
