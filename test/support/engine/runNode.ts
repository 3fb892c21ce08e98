import { ExecutionLifecycleHooks, WorkflowExecute } from 'n8n-core';
import {
	createRunExecutionData,
	type IDataObject,
	type INode,
	type INodeExecutionData,
	type INodeParameters,
	type IRun,
	type NodeExecutionHint,
	type WorkflowExecuteMode,
} from 'n8n-workflow';
import type { Host } from './host';

export interface RunOptions {
	input?: INodeExecutionData[];
	continueOnFail?: boolean;
	/** What the node does on an error; takes precedence over `continueOnFail`. */
	onError?: INode['onError'];
	/** Why n8n runs it; `manual` in the editor. */
	mode?: WorkflowExecuteMode;
	/** IANA name of the workflow's time zone. */
	timezone?: string;
	/** Cancels the run when it resolves. */
	cancelWhen?: Promise<unknown>;
}

export interface NodeRun {
	status: IRun['status'];
	items: INodeExecutionData[];
	/** Output 1, the error output if the node has one. */
	errorItems: INodeExecutionData[];
	error:
		| (Error & { description?: string | null; httpCode?: string | null; context?: IDataObject })
		| undefined;
	hints: NodeExecutionHint[];
}

/** Runs `execute()` in a workflow with only this node. */
export async function runNode(
	host: Host,
	type: string,
	parameters: INodeParameters,
	{ input = [{ json: {} }], continueOnFail, timezone, cancelWhen, mode = 'manual', ...more }: RunOptions = {},
): Promise<NodeRun> {
	const onError = more.onError ?? (continueOnFail ? 'continueRegularOutput' : undefined);
	const node = host.createNode(type, parameters, onError ? { onError } : {});
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
	return {
		status,
		items: last?.data?.main?.[0] ?? [],
		errorItems: last?.data?.main?.[1] ?? [],
		error: (data.resultData.error ?? last?.error) as NodeRun['error'],
		hints: last?.hints ?? [],
	};
}
