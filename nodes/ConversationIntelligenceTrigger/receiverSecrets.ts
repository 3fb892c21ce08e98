import type { ICredentialDataDecryptedObject } from 'n8n-workflow';

/** What a delivery must prove, read from the credential. */
export interface ReceiverSecrets {
	/** Current and previous signing secret; empty ones left out. */
	signing: string[];
	/** The custom header that each delivery must carry; both parts empty when none is wanted. */
	receiverHeader: { name: string; value: string };
}

/** A value and when reading it began, in milliseconds of `performance.now()`. */
interface Reading {
	began: number;
	secrets: ReceiverSecrets;
}

/** One entry per trigger node; more than any n8n runs, and small. */
const MOST_NODES = 1000;

/**
 * Keeps the secrets of a node for a moment. n8n builds an expression sandbox each time a credential is read, which
 * costs more than the rest of a delivery; whoever needs newer secrets says so and shares one read with others.
 */
export class SecretsCache {
	private readonly known = new Map<string, Reading>();
	private readonly underWay = new Map<string, { began: number; reading: Promise<Reading> }>();

	/** @param now not the time of day: two looks at it in one millisecond must differ */
	constructor(private readonly now: () => number = () => performance.now()) {}

	/**
	 * @param key names the node and its credential
	 * @param notBefore the oldest reading that will do, in milliseconds of `now`
	 * @param read reads the credential
	 * @throws what `read` throws; nothing is remembered then
	 */
	async get(
		key: string,
		notBefore: number,
		read: () => Promise<ICredentialDataDecryptedObject>,
	): Promise<ReceiverSecrets> {
		const known = this.known.get(key);
		if (known && known.began >= notBefore) return known.secrets;
		const other = this.underWay.get(key);
		if (other && other.began >= notBefore) return (await other.reading).secrets;

		const began = this.now();
		const reading = read().then((data) => ({ began, secrets: readSecrets(data) }));
		this.underWay.set(key, { began, reading });
		try {
			const result = await reading;
			this.keep(key, result);
			return result.secrets;
		} finally {
			if (this.underWay.get(key)?.reading === reading) this.underWay.delete(key);
		}
	}

	private keep(key: string, reading: Reading): void {
		if ((this.known.get(key)?.began ?? -Infinity) > reading.began) return;
		this.known.delete(key);
		this.known.set(key, reading);
		for (const [oldest] of this.known) {
			if (this.known.size <= MOST_NODES) break;
			this.known.delete(oldest);
		}
	}
}

/** The fields of the Conversation Export API credential that a delivery is compared with. */
export function readSecrets(data: ICredentialDataDecryptedObject): ReceiverSecrets {
	return {
		signing: [text(data.signingSecret), text(data.previousSigningSecret)].filter(
			(secret) => secret.trim() !== '',
		),
		// Header values arrive without surrounding whitespace, so a pasted line break must not count.
		receiverHeader: {
			name: text(data.receiverHeaderName).trim(),
			value: text(data.receiverHeaderSecret).trim(),
		},
	};
}

function text(value: unknown): string {
	return typeof value === 'string' ? value : '';
}
