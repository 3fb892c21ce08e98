/** A forged delivery costs its sender nothing, so each must not cost a line. */
const INTERVAL_MS = 60_000;

/** No n8n has this many triggers. */
const MAX_TRIGGERS = 1000;

/** Lets one warning a minute of each trigger through, and counts the others by their reason. */
export class WarningLog {
	private readonly triggers = new Map<string, { writtenAt: number; others: Record<string, number> }>();

	/** @param now a monotonic clock in milliseconds */
	constructor(private readonly now: () => number = () => performance.now()) {}

	/**
	 * Decides whether a warning is written. Without a timer: what was left out is said with the next one.
	 *
	 * @returns undefined for a warning to leave out; else how many were left out since the last one, by reason
	 */
	next(trigger: string, reason: string): Record<string, number> | undefined {
		const last = this.triggers.get(trigger);
		if (last && this.now() - last.writtenAt < INTERVAL_MS) {
			last.others[reason] = (last.others[reason] ?? 0) + 1;
			return undefined;
		}
		this.triggers.delete(trigger);
		this.triggers.set(trigger, { writtenAt: this.now(), others: {} });
		const [oldest] = this.triggers.keys();
		if (this.triggers.size > MAX_TRIGGERS) this.triggers.delete(oldest);
		return last?.others ?? {};
	}
}
