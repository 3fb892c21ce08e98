import { randomUUID } from 'node:crypto';
import { EventEmitter } from 'node:events';
import type { IncomingHttpHeaders } from 'node:http';
import { HookContext, PollContext, WebhookContext } from 'n8n-core';
import {
	jsonParse,
	type IDataObject,
	type INode,
	type INodeExecutionData,
	type INodeParameters,
	type IWebhookData,
	type WorkflowActivateMode,
} from 'n8n-workflow';
import type { createHost } from './host';

/** A delivery to a webhook. */
export interface WebhookCall {
	body?: Buffer;
	headers?: IncomingHttpHeaders;
	mode?: 'webhook' | 'manual';
	/** What reading the body throws, e.g. for one that is too large. */
	unreadable?: Error;
	/** Of the trigger that receives it, if not the usual one. */
	node?: Partial<INode>;
	workflowId?: string;
	/** The usual one records what is sent. */
	response?: RecordedResponse;
}

/** A request like n8n passes to nodes: with headers, raw bytes, and the parsed body if it is JSON. */
function requestOf({ body: rawBody, headers = {}, unreadable }: WebhookCall) {
	const body = rawBody && jsonParse<unknown>(rawBody.toString(), { fallbackValue: null });
	const readRawBody = async () => {
		if (unreadable) throw unreadable;
	};
	return { headers, query: {}, params: {}, rawBody, body, readRawBody };
}

/** Records a node's response: what a node uses of Express's, and what it emits. */
export class RecordedResponse extends EventEmitter {
	statusCode = 200;
	body: unknown;
	closed = false;
	headersSent = false;
	writableFinished = false;

	status(code: number): this {
		this.statusCode = code;
		return this;
	}

	json(body: unknown): this {
		this.body = body;
		return this.end();
	}

	end(): this {
		this.headersSent = this.writableFinished = true;
		return this.abort();
	}

	/** Closes the connection; alone, before the response is sent. */
	abort(): this {
		this.closed = true;
		this.emit('close');
		return this;
	}
}

export const callTriggers = (host: ReturnType<typeof createHost>) => ({
	/** Calls a trigger's `webhook()` with a delivery. */
	async webhook(type: string, parameters: INodeParameters, call: WebhookCall) {
		const { response = new RecordedResponse(), workflowId } = call;
		const node = host.createNode(type, parameters, call.node);
		const nodeType = host.nodeType(type);
		const [webhookDescription] = nodeType.description.webhooks ?? [];
		const data = host.additionalData({ httpRequest: requestOf(call), httpResponse: response });
		const own = {
			httpMethod: 'POST',
			node: node.name,
			path: 'x',
			webhookDescription,
			workflowId: 'workflow',
		};
		const { mode = 'webhook' } = call;
		const workflow = host.createWorkflow(node, { id: workflowId });
		const context = new WebhookContext(workflow, node, data, mode, own as IWebhookData, [], null);
		return { result: await nodeType.webhook!.call(context), response };
	},

	/** Registers a trigger's webhook like n8n does; `manual` stands for testing in the editor. */
	async register(type: string, parameters: INodeParameters, activation: WorkflowActivateMode) {
		const node = host.createNode(type, parameters);
		const mode = activation === 'manual' ? 'manual' : 'trigger';
		const workflow = host.createWorkflow(node);
		const context = new HookContext(workflow, node, host.additionalData(), mode, activation);
		const { checkExists, create } = host.nodeType(type).webhookMethods!.default!;
		return (await checkExists.call(context)) || (await create.call(context));
	},

	/**
	 * Publishes a poll trigger, in a process of its own. Like in n8n, all calls of `poll` use the same context; each returns
	 * the items that it emitted. `saved` takes and returns the workflow's static data.
	 */
	poller(
		type: string,
		parameters: INodeParameters,
		{ saved = {}, mode = 'trigger' }: { saved?: IDataObject; mode?: 'trigger' | 'manual' } = {},
	) {
		const node = host.createNode(type, parameters);
		// n8n stores static data as JSON.
		const staticData = JSON.parse(JSON.stringify(saved)) as IDataObject;
		const workflow = host.createWorkflow(node, { id: randomUUID() }, staticData);
		const emitted: INodeExecutionData[] = [];
		/** Errors that n8n shows as failed executions. */
		const failures: Error[] = [];
		const emit = ([items]: INodeExecutionData[][]) => void emitted.push(...items);
		const fail = (error: Error) => void failures.push(error);
		const context = new PollContext(workflow, node, host.additionalData(), mode, 'update', emit, fail);
		return {
			emitted,
			failures,
			poll: async () => {
				const before = emitted.length;
				const returned = await host.nodeType(type).poll!.call(context);
				return returned?.[0] ?? emitted.slice(before);
			},
			saved: () => JSON.parse(JSON.stringify(workflow.staticData)) as IDataObject,
		};
	},
});
