import type { ICredentialDataDecryptedObject } from 'n8n-workflow';
import { readSecrets, type ReceiverSecrets } from './settings';

/** One small entry per trigger node; no n8n has this many. */
const MAX_NODES = 1000;

/**
 * Keeps the secrets of a node for a moment. For each read of a credential n8n builds an expression sandbox, at a higher
 * cost than the rest of a delivery.
 */
export class SecretsCache {
	/** The latest read of each node, least recent first, and when it began in milliseconds of `now`. */
	private readonly readings = new Map<string, { began: number; secrets: Promise<ReceiverSecrets> }>();

	/** @param now a monotonic clock: two looks in one millisecond must differ */
	constructor(private readonly now: () => number = () => performance.now()) {}

	/**
	 * Reads the secrets, unless a recent enough read is known or running. A failed read is not remembered.
	 *
	 * @param key identifies the node and its credential
	 * @param notBefore the oldest acceptable read, in milliseconds of `now`
	 * @throws what `read` throws
	 */
	async get(
		key: string,
		notBefore: number,
		read: () => Promise<ICredentialDataDecryptedObject>,
	): Promise<ReceiverSecrets> {
		const known = this.readings.get(key);
		if (known && known.began >= notBefore) return await known.secrets;
		const reading = { began: this.now(), secrets: read().then(readSecrets) };
		this.readings.delete(key);
		this.readings.set(key, reading);
		const [oldest] = this.readings.keys();
		if (this.readings.size > MAX_NODES) this.readings.delete(oldest);
		reading.secrets.catch(() => {
			if (this.readings.get(key) === reading) this.readings.delete(key);
		});
		return await reading.secrets;
	}
}
