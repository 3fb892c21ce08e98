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

export const nobody = 'nobody.at.all@example.invalid';
export const absentId = '00000000-0000-4000-8000-000000000000';

interface Call {
	method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
	headers?: Record<string, string>;
	/** An object is sent as JSON, a string as is. */
	body?: unknown;
}

/** Sends an HTTP request. Does not throw for any status. `json` is undefined if the body is no JSON. */
export async function call(url: string, { method = 'GET', headers = {}, body }: Call = {}) {
	const response = await request(url, {
		method,
		headers: { ...(body !== undefined && { 'content-type': 'application/json' }), ...headers },
		body: body === undefined || typeof body === 'string' ? body : JSON.stringify(body),
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
export async function exportPost(service: Service, path: string, body: object = {}, key?: string) {
	return await call(`${service.exportUrl}/export/${path}`, {
		method: 'POST',
		headers: { authorization: key ?? service.keys.organization },
		body: { ...service.range, ...body },
	});
}

/** GET {base_url}/export/conversations/{conversationId}. */
export async function exportGet(service: Service, conversationId: string, key?: string) {
	return await call(`${service.exportUrl}/export/conversations/${conversationId}`, {
		headers: { authorization: key ?? service.keys.organization },
	});
}

/** A page of the three arrays (D1 § ConversationsExportResponse). */
const page = z.object({
	currentPage: z.number(),
	totalPages: z.number(),
	totalConversations: z.number(),
	totalAwaitingUpload: z.number().optional(),
	totalErrored: z.number(),
	conversations: z.array(conversationsExportSchema),
	awaitingUpload: z.array(recordingsExportSchema).default([]),
	errored: z.array(erroredRecordingsExportSchema),
});
export type Page = z.infer<typeof page>;
export type Conversation = Page['conversations'][number];

/** Reads and validates a page of conversations and recordings. */
export async function list(service: Service, body: object = {}, key?: string) {
	return page.parse((await exportPost(service, 'conversations', body, key)).json);
}

/** Reads all pages in order. */
export async function listAll(service: Service, body: object = {}, key?: string) {
	const pages = [await list(service, body, key)];
	while (pages.length < pages[0].totalPages) {
		pages.push(await list(service, { ...body, page: pages.length + 1 }, key));
	}
	return pages;
}

/** The rows of all three arrays of these pages. */
export const rowsOf = (pages: Page[]) =>
	pages.flatMap(({ conversations, awaitingUpload, errored }) => [
		...conversations,
		...awaitingUpload,
		...errored,
	]);

export async function conversation(service: Service, conversationId: string) {
	return conversationsExportSchema.parse((await exportGet(service, conversationId)).json);
}

export async function teams(service: Service, body: object = {}, key?: string) {
	const { json } = await exportPost(service, 'teams', body, key);
	return z.object({ teams: z.array(teamsExportSchema) }).parse(json).teams;
}

export async function users(service: Service, body: object = {}, key?: string) {
	const { json } = await exportPost(service, 'users', body, key);
	return z.object({ users: z.array(usersExportSchema) }).parse(json).users;
}

/** Calls the sandbox's control API. @throws Error when it refuses */
export async function control<Result = unknown>(
	service: Service,
	method: Call['method'],
	path: string,
	body?: unknown,
) {
	const response = await call(`${service.controlUrl}${path}`, { method, body });
	if (response.status >= 300) throw new Error(`${method} ${path}: ${response.status} ${response.text}`);
	return response.json as Result;
}

/** Adds milliseconds to an ISO date. */
export const shifted = (date: string, milliseconds: number) =>
	new Date(Date.parse(date) + milliseconds).toISOString();
