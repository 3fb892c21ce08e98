import { sleep } from 'n8n-workflow';

/** The signal with which n8n stops an execution; undefined in triggers and lists, which cannot be stopped. */
export function cancelSignal(
	context: object & { getExecutionCancelSignal?: () => AbortSignal | undefined },
): AbortSignal | undefined {
	return context.getExecutionCancelSignal?.();
}

/**
 * Settles like the work, or rejects as soon as the execution is stopped; a late rejection of the work is ignored.
 *
 * @throws what the work throws, or the signal's reason
 */
export async function orCancelled<T>(work: Promise<T>, signal?: AbortSignal): Promise<T> {
	if (signal === undefined) return await work;
	let stop = (): void => {};
	const stopped = new Promise<never>((_resolve, reject) => {
		stop = () => reject(signal.reason as Error);
		if (signal.aborted) stop();
		else signal.addEventListener('abort', stop);
	});
	try {
		return await Promise.race([work, stopped]);
	} finally {
		signal.removeEventListener('abort', stop);
	}
}

/**
 * Waits, or rejects as soon as the execution is stopped.
 *
 * @throws the signal's reason
 */
export async function wait(milliseconds: number, signal?: AbortSignal): Promise<void> {
	await orCancelled(sleep(milliseconds), signal);
}
