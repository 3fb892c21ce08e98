/**
 * Runs the package's nodes on the real n8n-core engine in this process: with real contexts, HTTP helpers,
 * expressions and binary storage, but without a server or database.
 */
import 'reflect-metadata';
import { Container } from '@n8n/di';
import { BinaryDataService, ExecutionLifecycleHooks, WorkflowExecute } from 'n8n-core';
import {
	createRunExecutionData,
	type IBinaryData,
	type IDataObject,
	type INode,
	type INodeExecutionData,
	type INodeParameters,
	type WorkflowExecuteMode,
} from 'n8n-workflow';
import { createHost, type CredentialValues, type NodeClass } from './host';
import { callTriggers } from './triggers';

/** n8n 2.36 does not keep an error's `failure`, because it lacks the scheduler that reads it. */
export const KEEPS_FAILURE = process.env.TEST_VERSIONS !== 'n8n-oldest';

export type Engine = Awaited<ReturnType<typeof createEngine>>;

export interface RunOptions {
	input?: INodeExecutionData[];
	continueOnFail?: boolean;
	/** What the node does on an error; takes precedence over `continueOnFail`. */
	onError?: INode['onError'];
	/** Why n8n runs it; `manual` in the editor. */
	mode?: WorkflowExecuteMode;
	/** Settings of the node, beside its parameters. */
	settings?: Partial<INode>;
	/** IANA name of the workflow's time zone. */
	timezone?: string;
	/** Cancels the run when it resolves. */
	cancelWhen?: Promise<unknown>;
}

type RunError = Error & { description?: string | null; context?: IDataObject };

/** @param nodes the classes of the nodes under test */
export async function createEngine(nodes: NodeClass[], credentials: CredentialValues = {}) {
	const files = Container.get(BinaryDataService);
	await files.init();
	const host = createHost(nodes, credentials);
	return {
		...callTriggers(host),

		nodeType: host.nodeType,

		/** Runs `execute()` in a workflow with only this node. `errorItems` is output 1, the error output if it has one. */
		async runNode(
			type: string,
			parameters: INodeParameters,
			{ input = [{ json: {} }], mode = 'manual', timezone, cancelWhen, ...options }: RunOptions = {},
		) {
			const onError = options.onError ?? (options.continueOnFail ? 'continueRegularOutput' : undefined);
			const node = host.createNode(type, parameters, { ...options.settings, ...(onError && { onError }) });
			const saved = { id: 'workflow', name: 'workflow', nodes: [node], connections: {} };
			const hooks = new ExecutionLifecycleHooks('manual', '1', saved as never);
			const nodeExecutionStack = [{ node, data: { main: [input] }, source: null }];
			const running = new WorkflowExecute(
				host.additionalData({ hooks }),
				mode,
				createRunExecutionData({ executionData: { nodeExecutionStack } }),
			).processRunExecutionData(host.createWorkflow(node, { timezone }));
			void cancelWhen?.then(() => running.cancel());
			const { data, status } = await running;
			const last = data.resultData.runData.Node?.at(-1);
			const [items = [], errorItems = []] = last?.data?.main ?? [];
			const error = (data.resultData.error ?? last?.error) as RunError | undefined;
			return { status, items: items ?? [], errorItems: errorItems ?? [], error, hints: last?.hints ?? [] };
		},

		/** Reads the bytes of an output item's binary property. */
		binary: async (data: IBinaryData) => await files.getAsBuffer(data),
	};
}
