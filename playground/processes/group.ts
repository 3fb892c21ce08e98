const tracked = new Set<number>();

/**
 * Sends a signal to a process started with `detached: true` and to everything it started in turn.
 * A group that is already gone is fine.
 */
export function killGroup(pid: number | undefined, signal: NodeJS.Signals): void {
	if (pid === undefined) return;
	try {
		process.kill(-pid, signal);
	} catch (error) {
		if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error;
	}
}

/** Whether any process of the group still runs. */
export function groupRuns(pid: number): boolean {
	try {
		process.kill(-pid, 0);
		return true;
	} catch {
		return false;
	}
}

/**
 * Remembers a process group, so that nothing of it outlives this process, however this process ends.
 *
 * @returns the function that forgets it again
 */
export function trackGroup(pid: number | undefined): () => void {
	if (pid === undefined) return () => {};
	if (tracked.size === 0) process.once('exit', killTracked);
	tracked.add(pid);
	return () => {
		tracked.delete(pid);
		if (tracked.size === 0) process.off('exit', killTracked);
	};
}

function killTracked(): void {
	for (const pid of tracked) killGroup(pid, 'SIGKILL');
}
