import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { HarnessProblem } from '../problem';

/** The owner account, without its password. */
export const OWNER = { email: 'owner@example.com', firstName: 'Playground', lastName: 'Owner' };

/**
 * The owner's password of one n8n, made for its user folder and kept there: n8n answers any `Host`, so that a page in a
 * browser of this machine could log in with a password that is known.
 */
export function ownerPassword(userFolder: string): string {
	const file = join(userFolder, 'owner-password');
	// n8n wants a digit and a capital letter.
	if (!existsSync(file)) writeFileSync(file, `Ab1${randomBytes(15).toString('base64url')}`, { mode: 0o600 });
	return readFileSync(file, 'utf8');
}

const API_KEY_LABEL = 'playground';

/** A signed-in connection to n8n: to its public API by key, to the editor's internal API by cookie. */
export class Session {
	private constructor(
		readonly url: string,
		readonly cookie: string,
		readonly apiKey: string,
		readonly signal?: AbortSignal,
		/** Whether n8n registers a workflow's triggers only after its response; n8n 2.36 does so before. */
		readonly publishesLater = true,
	) {}

	/** Signs in as {@link OWNER}, whom it creates in a new n8n, and creates an API key with all scopes. */
	static async signIn(url: string, password: string, signal?: AbortSignal): Promise<Session> {
		const signedOut = new Session(url, '', '', signal);
		const { userManagement } = await signedOut.rest<Settings>('GET', '/settings');
		const [path, body] = userManagement.showSetupOnFirstLoad
			? ['/rest/owner/setup', { ...OWNER, password }]
			: ['/rest/login', { emailOrLdapLoginId: OWNER.email, password }];
		const { headers } = await signedOut.send('POST', path, {}, body);
		const cookies = headers.getSetCookie().map((line) => line.split(';')[0]);
		const signedIn = new Session(url, cookies.join('; '), '', signal);
		const { useWorkflowPublicationService } = await signedIn.rest<Settings>('GET', '/settings');
		const apiKey = await makeApiKey(signedIn);
		return new Session(url, signedIn.cookie, apiKey, signal, useWorkflowPublicationService);
	}

	/** Calls the editor's internal API, e.g. `rest('GET', '/settings')`, and returns its `data`. */
	async rest<T>(method: string, path: string, body?: object): Promise<T> {
		const response = await this.send(method, `/rest${path}`, { cookie: this.cookie }, body);
		return JSON.parse(await response.text()).data;
	}

	async api<T>(method: string, path: string, body?: object): Promise<T> {
		const response = await this.send(method, `/api/v1${path}`, { 'x-n8n-api-key': this.apiKey }, body);
		return JSON.parse(await response.text());
	}

	/** Reads all pages of a public API list, e.g. `list('/workflows')`. */
	async list<T>(path: string): Promise<T[]> {
		const rows: T[] = [];
		let cursor: string | null = '';
		do {
			const query = `${path.includes('?') ? '&' : '?'}limit=250${cursor && `&cursor=${cursor}`}`;
			const page: { data: T[]; nextCursor: string | null } = await this.api('GET', path + query);
			rows.push(...page.data);
			cursor = page.nextCursor;
		} while (cursor);
		return rows;
	}

	/** Reads one of the editor's files, e.g. `/types/nodes.json`. */
	async file(path: string): Promise<Buffer> {
		const response = await this.send('GET', path, { cookie: this.cookie });
		return Buffer.from(await response.arrayBuffer());
	}

	private async send(method: string, path: string, own: object, body?: object): Promise<Response> {
		const { url, signal } = this;
		// n8n closes idle connections after five seconds. On a busy machine, a request can be sent at that moment.
		const headers = { connection: 'close', ...own, ...(body && { 'content-type': 'application/json' }) };
		const init = { method, headers, body: body && JSON.stringify(body), signal };
		const response = await fetch(url + path, init).catch((error: unknown) => {
			signal?.throwIfAborted();
			const cause = error instanceof Error && error.cause ? ` (${String(error.cause)})` : '';
			throw new HarnessProblem(`n8n does not respond at ${url}: ${String(error)}${cause}`);
		});
		if (response.ok) return response;
		const text = (await response.text()).slice(0, 500);
		throw new HarnessProblem(`n8n responded to ${method} ${path} with ${response.status}: ${text}`);
	}
}

interface Settings {
	/** n8n shows it only to signed-in users. */
	useWorkflowPublicationService?: boolean;
	userManagement: { showSetupOnFirstLoad: boolean };
}

/** Replaces the previous run's key, because n8n shows a key only when it is created. */
async function makeApiKey(session: Session): Promise<string> {
	const { items } = await session.rest<{ items: Array<{ id: string; label: string }> }>('GET', '/api-keys');
	for (const { id } of items.filter(({ label }) => label === API_KEY_LABEL)) {
		await session.rest('DELETE', `/api-keys/${id}`);
	}
	const scopes = await session.rest<string[]>('GET', '/api-keys/scopes');
	const wanted = { label: API_KEY_LABEL, expiresAt: null, scopes };
	return (await session.rest<{ rawApiKey: string }>('POST', '/api-keys', wanted)).rawApiKey;
}
