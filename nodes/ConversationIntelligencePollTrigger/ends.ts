import type { IRun } from 'n8n-workflow';

/** How an execution ended; `lost` means that it did not, e.g. because n8n or its worker was killed. */
export type End = 'succeeded' | 'failed' | 'waiting' | 'lost';

/**
 * What an end means for its conversations; `failed` delivers them again. n8n never reports how a waiting execution ends,
 * so it counts as running where failed ones are delivered again, else as ended.
 */
export function stateAfter(end: End, retriesFailed: boolean): 'running' | 'ended' | 'failed' {
	if (end === 'lost') return 'failed';
	if (end === 'succeeded' || !retriesFailed) return 'ended';
	return end === 'waiting' ? 'running' : 'failed';
}

/** How n8n reports an end. Failed before its first node means lost: n8n reports a dead worker like that. */
export function endOf(run: IRun | undefined): End {
	if (run === undefined || run.status === 'crashed') return 'lost';
	if (run.status === 'success') return 'succeeded';
	if (run.status === 'waiting') return 'waiting';
	const { lastNodeExecuted, runData } = run.data.resultData;
	const hasStarted = lastNodeExecuted !== undefined || Object.keys(runData).length > 0;
	return run.status === 'error' && !hasStarted ? 'lost' : 'failed';
}

/** A person or a time limit stopped the execution; otherwise it was not stored, queued or finished. */
export function endOfRejected(error: unknown): End {
	const { reason } = error as { reason?: unknown };
	return reason === 'manual' || reason === 'timeout' ? 'failed' : 'lost';
}
