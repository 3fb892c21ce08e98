/**
 * Runs the package's nodes on the real n8n-core engine inside this process: real contexts, HTTP helpers,
 * expressions and binary storage; no server, no database, no mocks of the node context.
 */
import 'reflect-metadata';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Container } from '@n8n/di';
import {
	BinaryDataService,
	ExecutionLifecycleHooks,
	PollContext,
	WebhookContext,
	WorkflowExecute,
} from 'n8n-core';
import {
	createRunExecutionData,
	Workflow,
	type IBinaryData,
	type IDataObject,
	type INode,
	type INodeExecutionData,
	type INodeParameters,
	type IRun,
	type IWebhookData,
	type IWorkflowExecuteAdditionalData,
	type NodeExecutionHint,
} from 'n8n-workflow';
import { PlainCredentialsHelper, type CredentialValues } from './credentialsHelper';
import { loadCredentialTypes, PACKAGE_NAME, SourceNodeTypes } from './nodeTypes';
import { createRequest, RecordedResponse, type WebhookCall } from './webhookExchange';

export { RecordedResponse } from './webhookExchange';

process.env.N8N_USER_FOLDER ??= mkdtempSync(join(tmpdir(), 'engine-'));
process.env.N8N_ENCRYPTION_KEY ??= 'engine-tests';

export interface RunOptions {
	input?: INodeExecutionData[];
	continueOnFail?: boolean;
	/** What the node does on an error; wins over `continueOnFail`. */
	onError?: INode['onError'];
	/** IANA name; the workflow's time zone. */
	timezone?: string;
	typeVersion?: number;
	/** Called once the run has started; its result cancels the run when it resolves. */
	cancelWhen?: Promise<unknown>;
}

export interface NodeRun {
	status: IRun['status'];
	/** Output 0 of the node. */
	items: INodeExecutionData[];
	/** Output 1: the error output where the node has one. */
	errorItems: INodeExecutionData[];
	error:
		| (Error & { description?: string | null; httpCode?: string | null; context?: IDataObject })
		| undefined;
	hints: NodeExecutionHint[];
}

export interface PollerOptions {
	staticData?: IDataObject;
	global?: IDataObject;
	mode?: 'trigger' | 'manual';
	/** The node's ID. */
	id?: string;
	/** How long n8n lets a poll run; only its scheduler sets a limit. */
	budgetMs?: number;
}

export type Engine = Awaited<ReturnType<typeof createEngine>>;

/**
 * @param credentials values by credential type; every node is given all of them
 */
export async function createEngine(credentials: CredentialValues = {}) {
	await Container.get(BinaryDataService).init();
	const nodeTypes = new SourceNodeTypes();
	const credentialsHelper = new PlainCredentialsHelper(loadCredentialTypes(), credentials);

	const createNode = (type: string, parameters: INodeParameters, more: Partial<INode> = {}): INode => ({
		id: 'node-under-test',
		name: 'Node',
		type: `${PACKAGE_NAME}.${type}`,
		typeVersion: 1,
		position: [0, 0],
		parameters,
		credentials: Object.fromEntries(Object.keys(credentials).map((name) => [name, { id: name, name }])),
		...more,
	});

	const createWorkflow = (node: INode, { timezone = 'UTC' } = {}, staticData?: IDataObject) =>
		new Workflow({
			id: 'workflow',
			nodes: [node],
			connections: {},
			nodeTypes,
			active: true,
			staticData,
			settings: { executionOrder: 'v1', timezone },
		});

	const additionalData = (more: object = {}) =>
		({
			credentialsHelper,
			executionId: '1',
			restApiUrl: 'http://localhost/rest',
			instanceBaseUrl: 'http://localhost',
			webhookBaseUrl: 'http://localhost/webhook',
			webhookTestBaseUrl: 'http://localhost/webhook-test',
			webhookWaitingBaseUrl: 'http://localhost/webhook-waiting',
			formWaitingBaseUrl: 'http://localhost/form-waiting',
			variables: {},
			setExecutionStatus() {},
			sendDataToUI() {},
			logAiEvent() {},
			...more,
		}) as unknown as IWorkflowExecuteAdditionalData;

	return {
		description: (type: string) => nodeTypes.getByNameAndVersion(`${PACKAGE_NAME}.${type}`).description,

		nodeType: (type: string) => nodeTypes.getByNameAndVersion(`${PACKAGE_NAME}.${type}`),

		/** Runs `execute()` of one node. */
		async runNode(type: string, parameters: INodeParameters, options: RunOptions = {}): Promise<NodeRun> {
			const {
				input = [{ json: {} }],
				continueOnFail = false,
				timezone,
				typeVersion = 1,
				cancelWhen,
				onError = continueOnFail ? 'continueRegularOutput' : undefined,
			} = options;
			const node = createNode(type, parameters, { typeVersion, ...(onError ? { onError } : {}) });
			const workflow = createWorkflow(node, { timezone });
			const hooks = new ExecutionLifecycleHooks('manual', '1', {
				id: 'workflow',
				name: 'workflow',
				nodes: [node],
				connections: {},
			} as unknown as ConstructorParameters<typeof ExecutionLifecycleHooks>[2]);
			const runExecutionData = createRunExecutionData({
				executionData: { nodeExecutionStack: [{ node, data: { main: [input] }, source: null }] },
			});
			const running = new WorkflowExecute(
				additionalData({ hooks }),
				'manual',
				runExecutionData,
			).processRunExecutionData(workflow);
			void cancelWhen?.then(() => running.cancel());
			const { data, status } = await running;
			const last = data.resultData.runData.Node?.at(-1);
			return {
				status,
				items: last?.data?.main?.[0] ?? [],
				errorItems: last?.data?.main?.[1] ?? [],
				error: (data.resultData.error ?? last?.error) as NodeRun['error'],
				hints: last?.hints ?? [],
			};
		},

		/** The bytes behind a binary property of an output item. */
		async binary(data: IBinaryData): Promise<Buffer> {
			return await Container.get(BinaryDataService).getAsBuffer(data);
		},

		/** Calls `webhook()` of a trigger with one delivery. */
		async webhook(
			type: string,
			parameters: INodeParameters,
			call: WebhookCall,
			response = new RecordedResponse(),
		) {
			const node = createNode(type, parameters);
			const workflow = createWorkflow(node);
			const nodeType = nodeTypes.getByNameAndVersion(node.type);
			const [webhookDescription] = nodeType.description.webhooks ?? [];
			const extra = { httpRequest: createRequest(call), httpResponse: response };
			const context = new WebhookContext(
				workflow,
				node,
				additionalData(extra),
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

		/**
		 * Publishes a poll trigger: each call of `poll` is one poll with the same context, as n8n does it. `saved` is
		 * what n8n would keep of the node and of the whole workflow.
		 */
		poller(type: string, parameters: INodeParameters, options: PollerOptions = {}) {
			const { staticData = {}, global = {}, mode = 'trigger', id = 'node-under-test', budgetMs } = options;
			const node = createNode(type, parameters, { id });
			// Through JSON, as n8n keeps it.
			const kept = JSON.stringify({ global, [`node:${node.name}`]: staticData });
			const workflow = createWorkflow(node, {}, JSON.parse(kept) as IDataObject);
			const context = new PollContext(workflow, node, additionalData(), mode, 'update');
			if (budgetMs !== undefined) Object.assign(context, { getPollBudgetMs: () => budgetMs });
			const saved = workflow.staticData as Record<string, IDataObject>;
			return {
				poll: async () => await nodeTypes.getByNameAndVersion(node.type).poll!.call(context),
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
