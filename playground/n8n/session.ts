import { PlaygroundProblem } from '../problem';

/** The owner that the playground makes. Nothing but this machine can reach its n8n. */
export const OWNER = {
	email: 'owner@example.com',
	password: 'Playground1',
	firstName: 'Playground',
	lastName: 'Owner',
};

const API_KEY_LABEL = 'playground';

/** A signed-in connection to a running n8n: its public API (by key) and its editor's own API (by cookie). */
export class Session {
	private constructor(
		readonly url: string,
		readonly cookie: string,
		readonly apiKey: string,
	) {}

	/**
	 * Signs in as {@link OWNER}, making the owner on a new n8n, and makes an API key with all rights.
	 *
	 * @param url - n8n's address without a trailing slash
	 */
	static async signIn(url: string): Promise<Session> {
		const settings = await call<{ userManagement: { showSetupOnFirstLoad: boolean } }>(
			url,
			'GET',
			'/rest/settings',
		);
		const isNew = settings.userManagement.showSetupOnFirstLoad;
		const signIn = isNew
			? await request(url, 'POST', '/rest/owner/setup', {}, OWNER)
			: await request(
					url,
					'POST',
					'/rest/login',
					{},
					{ emailOrLdapLoginId: OWNER.email, password: OWNER.password },
				);
		const cookie = signIn.headers
			.getSetCookie()
			.map((line) => line.split(';')[0])
			.join('; ');
		return new Session(url, cookie, await makeApiKey(url, cookie));
	}

	/** Calls the editor's own API, e.g. `rest('GET', '/settings')`, and returns its `data`. */
	async rest<T>(method: string, path: string, body?: object): Promise<T> {
		return await call<T>(this.url, method, `/rest${path}`, { cookie: this.cookie }, body);
	}

	/** Calls the public API, e.g. `api('GET', '/workflows')`. */
	async api<T>(method: string, path: string, body?: object): Promise<T> {
		const response = await request(
			this.url,
			method,
			`/api/v1${path}`,
			{ 'x-n8n-api-key': this.apiKey },
			body,
		);
		return JSON.parse(await response.text());
	}

	/** Reads a file that the editor reads, e.g. `/types/nodes.json`. */
	async file<T>(path: string): Promise<T> {
		const response = await request(this.url, 'GET', path, { cookie: this.cookie });
		return JSON.parse(await response.text());
	}
}

/** n8n keeps only a hash of a key, so each run replaces the key of the run before. */
async function makeApiKey(url: string, cookie: string): Promise<string> {
	const headers = { cookie };
	const keys = await call<
		Array<{ id: string; label: string }> | { items: Array<{ id: string; label: string }> }
	>(url, 'GET', '/rest/api-keys', headers);
	for (const { id, label } of Array.isArray(keys) ? keys : keys.items) {
		if (label === API_KEY_LABEL) await call(url, 'DELETE', `/rest/api-keys/${id}`, headers);
	}
	const scopes = await call<string[]>(url, 'GET', '/rest/api-keys/scopes', headers);
	const made = await call<{ rawApiKey: string }>(url, 'POST', '/rest/api-keys', headers, {
		label: API_KEY_LABEL,
		expiresAt: null,
		scopes,
	});
	return made.rawApiKey;
}

async function call<T>(
	url: string,
	method: string,
	path: string,
	headers: Record<string, string> = {},
	body?: object,
): Promise<T> {
	const response = await request(url, method, path, headers, body);
	return JSON.parse(await response.text()).data;
}

/** @throws {PlaygroundProblem} with n8n's own words, when it answers anything but 2xx */
async function request(
	url: string,
	method: string,
	path: string,
	headers: Record<string, string>,
	body?: object,
): Promise<Response> {
	const response = await fetch(url + path, {
		method,
		headers: { ...headers, ...(body && { 'content-type': 'application/json' }) },
		body: body && JSON.stringify(body),
	});
	if (response.ok) return response;
	const words = (await response.text()).slice(0, 500);
	throw new PlaygroundProblem(`n8n answered ${method} ${path} with ${response.status}: ${words}`);
}
