import { sleep } from 'n8n-workflow';

/** The signal with which n8n stops an execution; undefined in triggers and lists, which cannot be stopped. */
export function cancelSignal(
	context: object & { getExecutionCancelSignal?: () => AbortSignal | undefined },
): AbortSignal | undefined {
	return context.getExecutionCancelSignal?.();
}

type Listener = (reason: Error) => void;

/** What waits for each signal. One listener serves them all, because Node warns of a leak at the eleventh. */
const waiting = new WeakMap<AbortSignal, Set<Listener>>();

/**
 * Settles like the work, or rejects as soon as the signal is aborted; a late rejection of the work is ignored.
 * @throws what the work throws, or the signal's reason
 */
export async function orAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
	return await new Promise<T>((resolve, reject) => {
		const listeners = waiting.get(signal) ?? listen(signal);
		listeners.add(reject);
		if (signal.aborted) reject(signal.reason as Error);
		void work.then(resolve, reject).finally(() => listeners.delete(reject));
	});
}

function listen(signal: AbortSignal): Set<Listener> {
	const listeners = new Set<Listener>();
	signal.addEventListener('abort', () => {
		for (const abort of listeners) abort(signal.reason as Error);
	});
	waiting.set(signal, listeners);
	return listeners;
}

/** Waits, or rejects with the signal's reason as soon as it is aborted. */
export async function wait(milliseconds: number, signal: AbortSignal): Promise<void> {
	await orAborted(sleep(milliseconds), signal);
}
