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

/** Writes each item to a sink under its key, with retries. */
const putNode = (sinkUrl: string): INode => ({
	...node('Write', 'n8n-nodes-base.httpRequest', 4.2, {
		method: 'PUT',
		url: `=${sinkUrl}/{{ $json.dedupeKey }}`,
		options: {},
	}),
	retryOnFail: true,
});

/** Waits until a gate releases the items' keys. */
const workNode = (gateUrl: string): INode =>
	node('Work', 'n8n-nodes-base.httpRequest', 4.2, {
		url: `=${gateUrl}/{{ $json.dedupeKey }}`,
		options: { timeout: 600_000 },
	});

/** Connects nodes one after another to a workflow. */
const workflow = (name: string, ...nodes: INode[]): WorkflowFile => ({
	name,
	...inRow(...nodes),
	settings: { executionOrder: 'v1' },
});

/** A webhook trigger, then optionally work that a gate can hold and a write. `path` follows `/webhook/` in its URL. */
export function webhookWorkflow(parameters: INodeParameters = {}, sinkUrl?: string, gateUrl?: string) {
	const webhookId = randomUUID();
	const trigger = {
		...node('Conversation Intelligence Trigger', `${PACKAGE}.conversationIntelligenceTrigger`, 1.1, {
			events: ['conversation_processed'],
			// Deliveries of most tests are about conversations that the service does not have.
			output: 'event',
			...parameters,
		}),
		webhookId,
		credentials: { conversationExportApi: { id: '', name: '' } },
	};
	const work = gateUrl === undefined ? [] : [workNode(gateUrl)];
	const write = sinkUrl === undefined ? [] : [putNode(sinkUrl)];
	const file = workflow(`webhook ${webhookId}`, trigger, ...work, ...write);
	return { path: `${webhookId}/conversation`, file };
}

/** A trigger that polls every five seconds, followed by optional work that a gate can hold, and a write. */
export function pollWorkflow(parameters: INodeParameters, sinkUrl: string, gateUrl?: string): WorkflowFile {
	const trigger = {
		...node('Conversation Intelligence Poll Trigger', `${PACKAGE}.conversationIntelligencePollTrigger`, 1, {
			pollTimes: EVERY_FIVE_SECONDS,
			...parameters,
		}),
		credentials: { conversationExportApi: { id: '', name: '' } },
	};
	const work = gateUrl === undefined ? [] : [workNode(gateUrl)];
	return workflow(`poll ${randomUUID()}`, trigger, ...work, putNode(sinkUrl));
}

export async function publish(client: N8nClient, file: WorkflowFile): Promise<string> {
	const id = await client.importWorkflow(file);
	await client.publish(id);
	return id;
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

export async function triggeredItems({ session }: N8nClient, workflowId: string, trigger: string) {
	const path = `/executions?workflowId=${workflowId}&includeData=true`;
	const executions = await session.list<Execution>(path);
	return executions.flatMap((execution) => itemsOf(execution, trigger).map(({ json }) => json));
}
