import { HookContext, PollContext, WebhookContext } from 'n8n-core';
import type { IDataObject, INodeParameters, IWebhookData, WorkflowActivateMode } from 'n8n-workflow';
import type { Host } from './host';
import { createRequest, RecordedResponse, type WebhookCall } from './webhookExchange';

export interface PollerOptions {
	staticData?: IDataObject;
	global?: IDataObject;
	mode?: 'trigger' | 'manual';
	/** The node's ID. */
	id?: string;
	/** How long n8n lets a poll run; only its scheduler sets a limit. */
	budgetMs?: number;
}

/** The calls that n8n makes to triggers. */
export function callTriggers(host: Host) {
	return {
		/** Calls `webhook()` of a trigger with one delivery. */
		async webhook(
			type: string,
			parameters: INodeParameters,
			call: WebhookCall,
			response = new RecordedResponse(),
		) {
			const node = host.createNode(type, parameters);
			const workflow = host.createWorkflow(node);
			const nodeType = host.nodeType(type);
			const [webhookDescription] = nodeType.description.webhooks ?? [];
			const extra = { httpRequest: createRequest(call), httpResponse: response };
			const context = new WebhookContext(
				workflow,
				node,
				host.additionalData(extra),
				call.mode ?? 'webhook',
				{
					httpMethod: 'POST',
					node: node.name,
					path: 'x',
					webhookDescription,
					workflowId: 'workflow',
				} as IWebhookData,
				[],
				null,
			);
			return { result: await nodeType.webhook!.call(context), response };
		},

		/** Registers a trigger's webhook as n8n does it before it listens; `manual` is the editor's test listening. */
		async register(type: string, parameters: INodeParameters, activation: WorkflowActivateMode) {
			const node = host.createNode(type, parameters);
			const mode = activation === 'manual' ? 'manual' : 'trigger';
			const workflow = host.createWorkflow(node);
			const context = new HookContext(workflow, node, host.additionalData(), mode, activation);
			const { checkExists, create } = host.nodeType(type).webhookMethods!.default!;
			return (await checkExists.call(context)) || (await create.call(context));
		},

		/**
		 * Publishes a poll trigger: each call of `poll` is one poll with the same context, as n8n does it. `saved` is
		 * what n8n would keep of the node and of the whole workflow.
		 */
		poller(type: string, parameters: INodeParameters, options: PollerOptions = {}) {
			const { staticData = {}, global = {}, mode = 'trigger', id = 'node-under-test', budgetMs } = options;
			const node = host.createNode(type, parameters, { id });
			// Through JSON, as n8n keeps it.
			const kept = JSON.stringify({ global, [`node:${node.name}`]: staticData });
			const workflow = host.createWorkflow(node, {}, JSON.parse(kept) as IDataObject);
			const context = new PollContext(workflow, node, host.additionalData(), mode, 'update');
			if (budgetMs !== undefined) Object.assign(context, { getPollBudgetMs: () => budgetMs });
			const saved = workflow.staticData as Record<string, IDataObject>;
			return {
				poll: async () => await host.nodeType(type).poll!.call(context),
				saved: () => ({ staticData: saved[`node:${node.name}`] ?? {}, global: saved.global }),
			};
		},

		/** Publishes a poll trigger and polls once. */
		async poll(type: string, parameters: INodeParameters, options: PollerOptions = {}) {
			const { poll, saved } = this.poller(type, parameters, options);
			const result = await poll();
			return { result, ...saved() };
		},
	};
}
