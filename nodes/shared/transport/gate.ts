import { sleep } from 'n8n-workflow';

/**
 * One gate per run, passed by every request: a 429 closes it for all lanes, not only for the one that met it.
 */
export class Gate {
	private openAt = 0;

	/**
	 * Keeps the gate closed for at least this long from now.
	 *
	 * @param milliseconds the pause
	 */
	close(milliseconds: number): void {
		this.openAt = Math.max(this.openAt, Date.now() + milliseconds);
	}

	/** Resolves once the gate is open; it may have been closed again meanwhile, so it looks twice. */
	async pass(): Promise<void> {
		for (let wait = this.openAt - Date.now(); wait > 0; wait = this.openAt - Date.now()) await sleep(wait);
	}
}
