import { hash } from 'node:crypto';

/** D1 § Limits: six hours. */
const lifetimeMs = 6 * 3_600_000;

/** Signs temporary links (D1: six hours or less). Their query must come back byte for byte. */
export class LinkSigner {
	constructor(
		private readonly seed: number,
		private readonly origin: () => string,
	) {}

	/** Signs a path of the object store, for example `/audio/<id>.wav`. */
	link(path: string, expires = Date.now() + lifetimeMs): string {
		return `${this.origin()}${path}?${this.query(path, expires)}`;
	}

	/** Checks a path and query, which must be exactly as received. */
	check(url: string): 'valid' | 'expired' | 'forged' {
		const [path, query = ''] = url.split(/\?(.*)/s, 2);
		const expires = Number(/^expires=(\d+)&/.exec(query)?.[1]);
		if (query !== this.query(path, expires)) return 'forged';
		return Date.now() > expires ? 'expired' : 'valid';
	}

	/**
	 * Sandbox's own choice: the parameter names, milliseconds, and a scope with %2F and %2B. A client that
	 * decodes or re-encodes the query fails, as it would with a real object store.
	 */
	private query(path: string, expires: number): string {
		const toSign = `expires=${Math.floor(expires)}&scope=media%2Bread%2F${Math.floor(expires / 86_400_000)}`;
		// A page has a hundred links, and createHmac would take a fifth of its time.
		const signature = hash('sha256', `media-${this.seed}\n${path}?${toSign}`, 'base64');
		return `${toSign}&signature=${signature.replace(/\+/g, '%2B').replace(/\//g, '%2F')}`;
	}
}
