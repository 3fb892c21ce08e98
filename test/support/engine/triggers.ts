import { randomUUID } from 'node:crypto';
import { HookContext, PollContext, WebhookContext } from 'n8n-core';
import type {
	IDataObject,
	INodeExecutionData,
	INodeParameters,
	IRun,
	IWebhookData,
	WorkflowActivateMode,
} from 'n8n-workflow';
import type { Host } from './host';
import { createRequest, RecordedResponse, type WebhookCall } from './webhookExchange';

export interface PollerOptions {
	/** What n8n saved of the workflow. */
	saved?: IDataObject;
	mode?: 'trigger' | 'manual';
	activation?: WorkflowActivateMode;
	/** The node's name; n8n keeps its ID. */
	name?: string;
	timezone?: string;
	/** How long n8n lets a poll run; only its scheduler sets a limit. */
	budgetMs?: number;
	/** Pollers of the same process know what it has delivered; each has its own by default. */
	process?: string;
}

/** What a trigger emitted, and how to end the execution. */
export interface Emitted {
	items: INodeExecutionData[];
	done: { resolve: (run: IRun | undefined) => void };
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
			const node = host.createNode(type, parameters, call.nodeId ? { id: call.nodeId } : {});
			const workflow = host.createWorkflow(node, { id: call.workflowId });
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
		 * Publishes a poll trigger: each call of `poll` is one poll with the same context, as n8n does it, and returns the
		 * items that it emitted. `saved` is what n8n keeps of the workflow.
		 */
		poller(type: string, parameters: INodeParameters, options: PollerOptions = {}) {
			const {
				saved = {},
				mode = 'trigger',
				activation = 'update',
				name = 'Node',
				timezone,
				budgetMs,
			} = options;
			const node = host.createNode(type, parameters, { name });
			// Through JSON, as n8n keeps it.
			const staticData = JSON.parse(JSON.stringify(saved)) as IDataObject;
			const workflow = host.createWorkflow(
				node,
				{ timezone, id: options.process ?? randomUUID() },
				staticData,
			);
			const emitted: Emitted[] = [];
			const emit = ([items]: INodeExecutionData[][], _response: unknown, done?: Emitted['done']) =>
				void emitted.push({ items, done: done! });
			const context = new PollContext(workflow, node, host.additionalData(), mode, activation, emit);
			if (budgetMs !== undefined) Object.assign(context, { getPollBudgetMs: () => budgetMs });
			return {
				emitted,
				poll: async () => {
					const before = emitted.length;
					const returned = await host.nodeType(type).poll!.call(context);
					return returned?.[0] ?? emitted.slice(before).flatMap(({ items }) => items);
				},
				saved: () => JSON.parse(JSON.stringify(workflow.staticData)) as IDataObject,
			};
		},
	};
}
