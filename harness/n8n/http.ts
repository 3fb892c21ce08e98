import { HarnessProblem } from '../problem';

export interface Call {
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
export async function send(url: string, { method, path, headers, body, signal }: Call): Promise<Response> {
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

/** Sends a request and parses the JSON response. The caller states its type. */
export async function sendForJson<T>(url: string, call: Call): Promise<T> {
	return JSON.parse(await (await send(url, call)).text());
}
