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
	/** The workflow's saved static data. */
	saved?: IDataObject;
	mode?: 'trigger' | 'manual';
	activation?: WorkflowActivateMode;
	/** The node's name; its ID does not change. */
	name?: string;
	timezone?: string;
	/** n8n's time limit for a poll; null for an n8n without `getPollBudgetMs`. */
	budgetMs?: number | null;
	/** Pollers of the same process share what it has delivered; by default, each has its own. */
	process?: string;
}

/** A trigger's output, and how to end the execution. */
export interface Emitted {
	items: INodeExecutionData[];
	done: { resolve: (run: IRun | undefined) => void };
}

export function callTriggers(host: Host) {
	return {
		/** Calls a trigger's `webhook()` with a delivery. */
		async webhook(type: string, parameters: INodeParameters, call: WebhookCall) {
			const { response = new RecordedResponse(), workflowId } = call;
			const node = host.createNode(type, parameters, call.node);
			const workflow = host.createWorkflow(node, { id: workflowId });
			const nodeType = host.nodeType(type);
			const [webhookDescription] = nodeType.description.webhooks ?? [];
			const data = host.additionalData({ httpRequest: createRequest(call), httpResponse: response });
			const own = {
				httpMethod: 'POST',
				node: node.name,
				path: 'x',
				webhookDescription,
				workflowId: 'workflow',
			};
			const mode = call.mode ?? 'webhook';
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
		 * Publishes a poll trigger. Like in n8n, all calls of `poll` use the same context; each returns the items
		 * that it emitted. `saved` returns the workflow's static data.
		 */
		poller(type: string, parameters: INodeParameters, options: PollerOptions = {}) {
			const { saved = {}, mode = 'trigger', activation = 'update', name = 'Node' } = options;
			const { timezone, budgetMs, process: id = randomUUID() } = options;
			const node = host.createNode(type, parameters, { name });
			// n8n stores static data as JSON.
			const staticData = JSON.parse(JSON.stringify(saved)) as IDataObject;
			const workflow = host.createWorkflow(node, { timezone, id }, staticData);
			const emitted: Emitted[] = [];
			const failures: Error[] = [];
			const emit = ([items]: INodeExecutionData[][], _response: unknown, done?: Emitted['done']) =>
				void emitted.push({ items, done: done! });
			const fail = (error: Error) => void failures.push(error);
			const data = host.additionalData();
			const context = new PollContext(workflow, node, data, mode, activation, emit, fail);
			if (budgetMs !== undefined) {
				Object.assign(context, { getPollBudgetMs: budgetMs === null ? undefined : () => budgetMs });
			}
			return {
				emitted,
				/** Errors that n8n shows as failed executions. */
				failures,
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
