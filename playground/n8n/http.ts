import { PlaygroundProblem } from '../problem';

export interface Call {
	method: string;
	/** From the slash after the host, e.g. `/rest/settings`. */
	path: string;
	headers?: Record<string, string>;
	body?: object;
	signal?: AbortSignal;
}

/**
 * Sends one request to n8n.
 *
 * @param url - n8n's address without a trailing slash
 * @throws {PlaygroundProblem} when n8n does not answer, or, with its own words, when it answers anything but 2xx
 */
export async function send(url: string, { method, path, headers, body, signal }: Call): Promise<Response> {
	const init = {
		method,
		headers: { ...headers, ...(body && { 'content-type': 'application/json' }) },
		body: body && JSON.stringify(body),
		signal,
	};
	const response = await fetch(url + path, init).catch((error: unknown) => {
		signal?.throwIfAborted();
		throw new PlaygroundProblem(`n8n does not answer at ${url}: ${String(error)}`);
	});
	if (response.ok) return response;
	const words = (await response.text()).slice(0, 500);
	throw new PlaygroundProblem(`n8n answered ${method} ${path} with ${response.status}: ${words}`);
}

/** Sends one request and reads the JSON of the answer. The caller says what it holds. */
export async function sendForJson<T>(url: string, call: Call): Promise<T> {
	return JSON.parse(await (await send(url, call)).text());
}
