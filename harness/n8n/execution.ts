import type { IDataObject, INodeExecutionData, IRunData } from 'n8n-workflow';

export interface ExecutionError {
	message: string;
	description?: string | null;
	httpCode?: string | null;
	node?: { name: string };
	context?: IDataObject;
}

export interface Execution {
	id: string;
	workflowId: string;
	status: 'success' | 'error' | 'crashed' | 'canceled' | 'running' | 'waiting' | 'new' | 'unknown';
	mode: string;
	startedAt: string;
	stoppedAt: string | null;
	/** Only present when requested. */
	data?: { resultData: { runData: IRunData; lastNodeExecuted?: string; error?: ExecutionError } };
}

export function itemsOf(
	execution: Execution,
	node = execution.data?.resultData.lastNodeExecuted,
	output = 0,
): INodeExecutionData[] {
	const runs = node ? execution.data?.resultData.runData[node] : undefined;
	return runs?.at(-1)?.data?.main[output] ?? [];
}

export function errorOf(execution: Execution): ExecutionError | undefined {
	return execution.data?.resultData.error;
}

/** The details of an error of this package's nodes, e.g. its `code`. */
export const detailsOf = (execution: Execution): unknown => errorOf(execution)?.context?.details;
