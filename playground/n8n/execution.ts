import type { IDataObject, INodeExecutionData, IRunData } from 'n8n-workflow';

/** An error as an execution keeps it. */
export interface ExecutionError {
	message: string;
	description?: string | null;
	httpCode?: string | null;
	node?: { name: string };
	context?: IDataObject;
}

/** One run of a workflow. */
export interface Execution {
	id: string;
	workflowId: string;
	status: 'success' | 'error' | 'crashed' | 'canceled' | 'running' | 'waiting' | 'new' | 'unknown';
	mode: string;
	startedAt: string;
	stoppedAt: string | null;
	/** Only when it was asked for. */
	data?: { resultData: { runData: IRunData; lastNodeExecuted?: string; error?: ExecutionError } };
}

/**
 * The items that a node put out in its last run.
 *
 * @param node - its name; the node that ran last by default
 * @param output - which of its outputs, counted from 0
 */
export function itemsOf(
	execution: Execution,
	node = execution.data?.resultData.lastNodeExecuted,
	output = 0,
): INodeExecutionData[] {
	const runs = node ? execution.data?.resultData.runData[node] : undefined;
	return runs?.at(-1)?.data?.main[output] ?? [];
}

/** The error that ended an execution. */
export function errorOf(execution: Execution): ExecutionError | undefined {
	return execution.data?.resultData.error;
}

/** How long an execution took, in seconds. */
export function secondsOf({ startedAt, stoppedAt }: Execution): number {
	return stoppedAt ? (Date.parse(stoppedAt) - Date.parse(startedAt)) / 1000 : NaN;
}
