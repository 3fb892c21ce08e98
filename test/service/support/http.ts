import { request } from 'undici';
import { z } from 'zod';
import {
	conversationsExportSchema,
	erroredRecordingsExportSchema,
	recordingsExportSchema,
	teamsExportSchema,
	usersExportSchema,
} from '../../../nodes/shared/exportApi/schemas';
import type { Service } from './service';

export interface Response {
	status: number;
	headers: Record<string, string | string[] | undefined>;
	text: string;
	/** The body if it is JSON. */
	json: unknown;
}

interface Call {
	method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
	headers?: Record<string, string | string[]>;
	/** An object is sent as JSON, a string as is. */
	body?: unknown;
}

/** Sends an HTTP request. Does not throw for any status. */
export async function call(
	url: string,
	{ method = 'GET', headers = {}, body }: Call = {},
): Promise<Response> {
	const response = await request(url, {
		method,
		headers: { ...(body !== undefined && { 'content-type': 'application/json' }), ...headers },
		body: body === undefined ? undefined : typeof body === 'string' ? body : JSON.stringify(body),
	});
	const text = await response.body.text();
	return { status: response.statusCode, headers: response.headers, text, json: jsonOf(text) };
}

function jsonOf(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		return undefined;
	}
}

/** POST {base_url}/export/…, by default with the service's range. */
export async function exportPost(service: Service, path: string, body: unknown, key?: string) {
	const full = typeof body === 'object' && body !== null ? { ...service.range, ...body } : body;
	return await call(`${service.exportUrl}/export/${path}`, {
		method: 'POST',
		headers: { authorization: key ?? service.keys.organization },
		body: full,
	});
}

/** A page of the three arrays (D1 § ConversationsExportResponse). */
const conversationsExportResponseSchema = z
	.object({
		currentPage: z.number(),
		totalPages: z.number(),
		totalConversations: z.number(),
		totalAwaitingUpload: z.number().optional(),
		totalErrored: z.number(),
		conversations: z.array(conversationsExportSchema),
		awaitingUpload: z.array(recordingsExportSchema).optional(),
		errored: z.array(erroredRecordingsExportSchema),
	})
	.passthrough();
const teamsExportResponseSchema = z.object({ teams: z.array(teamsExportSchema) });
const usersExportResponseSchema = z.object({ users: z.array(usersExportSchema) });

/** Body of POST /export/conversations (D1). */
export interface ListBody {
	fromDate?: string;
	toDate?: string;
	dateType?: string;
	page?: number;
	limit?: number;
	users?: string[];
}

/** Reads and validates a page of conversations and recordings. */
export async function list(service: Service, body: ListBody = {}, key?: string) {
	const response = await exportPost(service, 'conversations', body, key);
	if (response.status !== 200) throw new Error(`${response.status} ${response.text}`);
	return conversationsExportResponseSchema.parse(response.json);
}

/** Reads all pages in order. */
export async function listAll(service: Service, body: ListBody = {}, key?: string) {
	const pages = [await list(service, body, key)];
	while (pages.length < pages[0].totalPages) {
		pages.push(await list(service, { ...body, page: pages.length + 1 }, key));
	}
	return pages;
}

/** Every row of all three arrays and all pages. */
export async function allRows(service: Service) {
	const pages = await listAll(service);
	return pages.flatMap((page) => [...page.conversations, ...(page.awaitingUpload ?? []), ...page.errored]);
}

export async function teams(service: Service, body: object = {}, key?: string) {
	return teamsExportResponseSchema.parse((await exportPost(service, 'teams', body, key)).json).teams;
}

export async function users(service: Service, body: object = {}, key?: string) {
	return usersExportResponseSchema.parse((await exportPost(service, 'users', body, key)).json).users;
}

/** GET {base_url}/export/conversations/{conversationId}. */
export async function exportGet(service: Service, conversationId: string, key?: string) {
	return await call(`${service.exportUrl}/export/conversations/${conversationId}`, {
		headers: { authorization: key ?? service.keys.organization },
	});
}

/** Calls the sandbox's control API. */
export async function control(
	service: Service,
	method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE',
	path: string,
	body?: unknown,
) {
	const response = await call(`${service.controlUrl}${path}`, { method, body });
	if (response.status >= 300) throw new Error(`${method} ${path}: ${response.status} ${response.text}`);
	return response.json;
}

/** Adds milliseconds to an ISO date. */
export const shifted = (date: string, milliseconds: number) =>
	new Date(Date.parse(date) + milliseconds).toISOString();
