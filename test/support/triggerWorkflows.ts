import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { INode, INodeParameters } from 'n8n-workflow';
import type { N8nClient } from '../../harness/n8n/client';
import { itemsOf, type Execution } from '../../harness/n8n/execution';
import { inRow, workflowNode as node, type WorkflowFile } from '../../harness/n8n/workflowFile';

const PACKAGE = 'n8n-nodes-conversation-intelligence';

/** n8n refuses intervals below a minute, but accepts twelve poll times. It also polls when publishing. */
const EVERY_FIVE_SECONDS = {
	item: Array.from({ length: 12 }, (_, n) => ({ mode: 'custom', cronExpression: `${n * 5} * * * * *` })),
};

/** Half an hour from now, so that n8n polls only when it starts or publishes the workflow. */
export const onlyAtStart = () => ({
	pollTimes: { item: [{ mode: 'everyHour', minute: (new Date().getMinutes() + 30) % 60 }] },
});

/** A time in the past, so that tests need not wait for a conversation to be older than Look Back. */
export const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString();

const httpRequest = (name: string, parameters: INodeParameters, more: Partial<INode> = {}): INode => ({
	...node(name, 'n8n-nodes-base.httpRequest', 4.2, { options: {}, ...parameters }),
	...more,
});

/** A trigger, then optionally work until a gate releases the items' keys, and a write of each to a sink, with retries. */
function workflow(name: string, trigger: INode, sinkUrl?: string, gateUrl?: string): WorkflowFile {
	const url = (base: string) => `=${base}/{{ $json.dedupeKey }}`;
	const work = gateUrl && httpRequest('Work', { url: url(gateUrl), options: { timeout: 600_000 } });
	const write = sinkUrl && httpRequest('Write', { method: 'PUT', url: url(sinkUrl) }, { retryOnFail: true });
	const nodes = inRow(trigger, ...[work, write].filter((one) => typeof one === 'object'));
	return { name, ...nodes, settings: { executionOrder: 'v1' } };
}

/** A webhook trigger, optionally with a write. `path` follows `/webhook/` in its URL. */
export function webhookWorkflow(parameters: INodeParameters = {}, sinkUrl?: string) {
	const webhookId = randomUUID();
	// Deliveries of most tests are about conversations that the service does not have.
	const own = { events: ['conversation_processed'], output: 'event', ...parameters };
	const name = 'Conversation Intelligence Trigger';
	const type = `${PACKAGE}.conversationIntelligenceTrigger`;
	const trigger = { ...node(name, type, 1.1, own, 'conversationExportApi'), webhookId };
	return { path: `${webhookId}/conversation`, file: workflow(`webhook ${webhookId}`, trigger, sinkUrl) };
}

/** A trigger that polls every five seconds, followed by optional work that a gate can hold, and a write. */
export function pollWorkflow(parameters: INodeParameters, sinkUrl: string, gateUrl?: string): WorkflowFile {
	const own = { pollTimes: EVERY_FIVE_SECONDS, ...parameters };
	const name = 'Conversation Intelligence Poll Trigger';
	const type = `${PACKAGE}.conversationIntelligencePollTrigger`;
	const trigger = node(name, type, 1, own, 'conversationExportApi');
	return workflow(`poll ${randomUUID()}`, trigger, sinkUrl, gateUrl);
}

/**
 * IDs of a workflow's executions with this status, once there are so many. n8n's public API lists neither those that
 * wait for a slot nor, in queue mode, those that exceeded their time limit.
 */
export async function waitForExecutions(
	{ session }: N8nClient,
	workflowId: string,
	status: 'new' | 'running' | 'canceled',
	count = 1,
): Promise<string[]> {
	const filter = encodeURIComponent(JSON.stringify({ workflowId, status: [status] }));
	for (;;) {
		const path = `/executions?filter=${filter}`;
		const { results } = await session.rest<{ results: Array<{ id: string }> }>('GET', path);
		if (results.length >= count) return results.map(({ id }) => id);
		await delay(250);
	}
}

/** What a trigger, or another node, returned in all executions of a workflow. */
export async function triggeredItems({ session }: N8nClient, workflowId: string, trigger: string) {
	const path = `/executions?workflowId=${workflowId}&includeData=true`;
	const executions = await session.list<Execution>(path);
	return executions.flatMap((execution) => itemsOf(execution, trigger).map(({ json }) => json));
}
