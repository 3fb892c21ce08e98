import { HarnessProblem } from '../problem';

/** The owner account. The password is public, because only this machine can reach the playground's n8n. */
export const OWNER = {
	email: 'owner@example.com',
	password: 'Playground1',
	firstName: 'Playground',
	lastName: 'Owner',
};

const API_KEY_LABEL = 'playground';

/** A signed-in connection to n8n: to its public API by key, to the editor's internal API by cookie. */
export class Session {
	private constructor(
		readonly url: string,
		readonly cookie: string,
		readonly apiKey: string,
		/** Cancels every call. */
		readonly signal?: AbortSignal,
		/** Whether n8n registers a workflow's triggers only after its response; n8n 2.36 does so before. */
		readonly publishesLater = true,
	) {}

	/**
	 * Signs in as {@link OWNER}, whom it creates in a new n8n, and creates an API key with all scopes.
	 *
	 * @param url - n8n's address without a trailing slash
	 */
	static async signIn(url: string, signal?: AbortSignal): Promise<Session> {
		const signedOut = new Session(url, '', '', signal);
		const { userManagement } = await signedOut.rest<Settings>('GET', '/settings');
		const signIn = userManagement.showSetupOnFirstLoad
			? { path: '/rest/owner/setup', body: OWNER }
			: { path: '/rest/login', body: { emailOrLdapLoginId: OWNER.email, password: OWNER.password } };
		const { headers } = await send(url, { method: 'POST', ...signIn, signal });
		const cookies = headers.getSetCookie().map((line) => line.split(';')[0]);
		const signedIn = new Session(url, cookies.join('; '), '', signal);
		const { useWorkflowPublicationService } = await signedIn.rest<Settings>('GET', '/settings');
		const apiKey = await makeApiKey(signedIn);
		return new Session(url, signedIn.cookie, apiKey, signal, useWorkflowPublicationService);
	}

	/** Calls the editor's internal API, e.g. `rest('GET', '/settings')`, and returns its `data`. */
	async rest<T>(method: string, path: string, body?: object): Promise<T> {
		const { url, cookie, signal } = this;
		const call = { method, path: `/rest${path}`, headers: { cookie }, body, signal };
		return (await json<{ data: T }>(send(url, call))).data;
	}

	/** Calls the public API, e.g. `api('GET', '/workflows')`. */
	async api<T>(method: string, path: string, body?: object): Promise<T> {
		const { url, apiKey, signal } = this;
		const call = { method, path: `/api/v1${path}`, headers: { 'x-n8n-api-key': apiKey }, body, signal };
		return await json(send(url, call));
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
	async file<T>(path: string): Promise<T> {
		const { url, cookie, signal } = this;
		return await json(send(url, { method: 'GET', path, headers: { cookie }, signal }));
	}
}

interface Settings {
	/** n8n shows it only to signed-in users. */
	useWorkflowPublicationService?: boolean;
	userManagement: { showSetupOnFirstLoad: boolean };
}

interface ApiKey {
	id: string;
	label: string;
}

/** Replaces the previous run's key, because n8n shows a key only when it is created. */
async function makeApiKey(session: Session): Promise<string> {
	const { items } = await session.rest<{ items: ApiKey[] }>('GET', '/api-keys');
	for (const { id } of items.filter(({ label }) => label === API_KEY_LABEL)) {
		await session.rest('DELETE', `/api-keys/${id}`);
	}
	const scopes = await session.rest<string[]>('GET', '/api-keys/scopes');
	const wanted = { label: API_KEY_LABEL, expiresAt: null, scopes };
	return (await session.rest<{ rawApiKey: string }>('POST', '/api-keys', wanted)).rawApiKey;
}

interface Call {
	method: string;
	/** Begins with a slash, e.g. `/rest/settings`. */
	path: string;
	headers?: Record<string, string>;
	body?: object;
	signal?: AbortSignal;
}

/**
 * Sends a request to n8n.
 *
 * @param url - n8n's address without a trailing slash
 * @throws {HarnessProblem} when n8n does not respond, or that quotes any response except success
 */
async function send(url: string, { method, path, headers, body, signal }: Call): Promise<Response> {
	const init = {
		method,
		// n8n closes idle connections after five seconds. On a busy machine, a request can be sent at that moment.
		headers: { connection: 'close', ...headers, ...(body && { 'content-type': 'application/json' }) },
		body: body && JSON.stringify(body),
		signal,
	};
	const response = await fetch(url + path, init).catch((error: unknown) => {
		signal?.throwIfAborted();
		const cause = error instanceof Error && error.cause ? ` (${String(error.cause)})` : '';
		throw new HarnessProblem(`n8n does not respond at ${url}: ${String(error)}${cause}`);
	});
	if (response.ok) return response;
	const text = (await response.text()).slice(0, 500);
	throw new HarnessProblem(`n8n responded to ${method} ${path} with ${response.status}: ${text}`);
}

/** The caller states the type. */
const json = async <T>(response: Promise<Response>): Promise<T> => JSON.parse(await (await response).text());
