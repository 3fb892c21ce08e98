import { request } from 'undici';
import type { Sandbox } from '../../../sandbox';

/** A range with all generated data. */
export const always = { fromDate: '2000-01-01T00:00:00Z', toDate: '2100-01-01T00:00:00Z' };

export interface Response {
	status: number;
	type: string;
	text: string;
	// Tests read any JSON, like a client.
	// eslint-disable-next-line @typescript-eslint/no-explicit-any
	json: any;
}

export async function send(
	url: string,
	options: {
		method?: 'GET' | 'POST' | 'PATCH' | 'DELETE';
		headers?: Record<string, string>;
		body?: string;
	} = {},
): Promise<Response> {
	const response = await request(url, { method: 'GET', ...options });
	const text = await response.body.text();
	const type = String(response.headers['content-type'] ?? '');
	return {
		status: response.statusCode,
		type,
		text,
		json: type.startsWith('application/json') ? JSON.parse(text) : undefined,
	};
}

/** Posts JSON to the export API. */
export function exportPost(sandbox: Sandbox, path: string, body: unknown, key = sandbox.keys.organization) {
	return send(`${sandbox.exportUrl}/export/${path}`, {
		method: 'POST',
		headers: { authorization: key, 'content-type': 'application/json' },
		body: typeof body === 'string' ? body : JSON.stringify(body),
	});
}

/** Gets a conversation. */
export function exportGet(sandbox: Sandbox, id: string, key = sandbox.keys.organization) {
	return send(`${sandbox.exportUrl}/export/conversations/${id}`, { headers: { authorization: key } });
}

/** Posts JSON to the control API. */
export function controlPost(sandbox: Sandbox, path: string, body: unknown) {
	return send(`${sandbox.url}/control/${path}`, {
		method: 'POST',
		headers: { 'content-type': 'application/json' },
		body: JSON.stringify(body),
	});
}

/** Calls the CRM API. A string body is sent as is. */
export function crm(
	sandbox: Sandbox,
	method: 'GET' | 'POST' | 'DELETE',
	path: string,
	body?: unknown,
	headers: Record<string, string> = { 'x-api-key': sandbox.keys.organization },
) {
	return send(`${sandbox.crmUrl}${path}`, {
		method,
		headers: { ...(body !== undefined && { 'content-type': 'application/json' }), ...headers },
		body: body === undefined || typeof body === 'string' ? body : JSON.stringify(body),
	});
}

/** A complete appointment whose owner exists in every sandbox. */
export const appointment = {
	event_id: 'e-1',
	user_email: 'ava.adams@example.com',
	start_time: '2025-06-01 15:00:00',
	end_time: '2025-06-01 16:00:00',
	title: 'Estimate',
	customer: { id: 'c-1', name: 'Jo Customer' },
};
