/** The service of a test file, and what its tests ask it. */
import { randomUUID } from 'node:crypto';
import { request } from 'undici';
import { z } from 'zod';
import { Receiver } from '../../harness/webhook/receiver';
import * as schemas from '../../nodes/shared/exportApi/schemas';
import { startSandbox, type Sandbox, type SandboxOptions } from '../../sandbox';
import { tables } from '../../scripts/apiReference';

export const nobody = 'nobody.at.all@example.invalid';
export const absentId = '00000000-0000-4000-8000-000000000000';

type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';
type Headers = Record<string, string>;

/** Sends a body, an object as JSON and a text as it is. Throws for no status. `json` is undefined if the response is none. */
export async function call(method: Method, url: string, headers: Headers = {}, body?: unknown) {
	const given = typeof body === 'object' ? JSON.stringify(body) : (body as string | undefined);
	const ofBody: Headers = body === undefined ? {} : { 'content-type': 'application/json' };
	const response = await request(url, { method, headers: { ...ofBody, ...headers }, body: given });
	const text = await response.body.text();
	const [type] = String(response.headers['content-type']).split(';');
	return { status: response.statusCode, headers: response.headers, type, text, json: jsonOf(text) };
}

function jsonOf(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		return undefined;
	}
}

export type Conversation = z.infer<typeof schemas.conversationsExportSchema>;
export type Team = z.infer<typeof schemas.teamsExportSchema>;
export type User = z.infer<typeof schemas.usersExportSchema>;
export interface Page {
	currentPage: number;
	totalPages: number;
	totalConversations: number;
	totalAwaitingUpload: number;
	totalErrored: number;
	conversations: Conversation[];
	awaitingUpload: Array<z.infer<typeof schemas.recordingsExportSchema>>;
	errored: Array<z.infer<typeof schemas.erroredRecordingsExportSchema>>;
}

/** The rows of all three arrays. */
export const rowsOf = (...pages: Page[]) =>
	pages.flatMap((page) => [...page.conversations, ...page.awaitingUpload, ...page.errored]);

const TYPES: Record<string, z.ZodTypeAny> = {
	string: z.string(),
	number: z.number().finite(),
	boolean: z.boolean(),
	object: z.record(z.unknown()),
	'string (ISO 8601)': z.string().datetime({ offset: true }),
	'string (uuid)': z.string().uuid(),
};

/** What a table of docs/reference/api says about an object: these keys and types, and null only where allowed. */
function documented(table: string): z.ZodTypeAny {
	const ofType = (type: string): z.ZodTypeAny => {
		if (type.endsWith(' | null')) return ofType(type.slice(0, -7)).nullable();
		if (type.endsWith('[]')) return ofType(type.slice(0, -2)).array();
		return type in tables ? documented(type) : TYPES[type];
	};
	const object = z.object(Object.fromEntries(tables[table].map(({ name, type }) => [name, ofType(type)])));
	// "Extra metadata from upstream may be present."
	return table === 'SurveyConversationResult' ? object : object.strict();
}

/** Expects one object or more with exactly the keys and types of a table of docs/reference/api. */
export function expectDocumented(table: string, rows: unknown[]): void {
	expect(rows).not.toEqual([]);
	const { error } = documented(table).array().safeParse(rows);
	expect(error?.issues.slice(0, 5) ?? []).toEqual([]);
}

/** Adds milliseconds to an ISO date. */
export const shifted = (date: string, milliseconds: number) =>
	new Date(Date.parse(date) + milliseconds).toISOString();

/** A valid body for a new appointment, with an event ID of its own. */
export const appointment = (user_email: string, more: object = {}) => ({
	event_id: `contract-${randomUUID()}`,
	user_email,
	start_time: '2025-03-04 15:00:00',
	end_time: '2025-03-04 16:30:00',
	title: 'Roof inspection',
	customer: { id: 'customer-1', name: 'Ada Example' },
	...more,
});

/** A webhook endpoint for a test file. Each test starts with an empty one that responds with 200. */
export function useReceiver(): Receiver {
	const receiver = new Receiver();
	beforeAll(async () => await receiver.listen());
	beforeEach(() => receiver.reset());
	afterAll(async () => await receiver.close());
	return receiver;
}

/**
 * The service for a test file: a new sandbox, or for tests of `outside/` the one that SERVICE describes as JSON, with
 * `exportUrl`, `crmUrl`, `keys` and a `range` with data. Its properties are set before the first test.
 */
export function useService(options: Partial<SandboxOptions> = {}) {
	const range = { fromDate: '2000-01-01T00:00:00Z', toDate: '2100-01-01T00:00:00Z' };
	const service = { range } as Sandbox & { range: typeof range };
	let sandbox: Sandbox | undefined;
	beforeAll(async () => {
		const { SERVICE } = process.env;
		if (SERVICE === undefined) sandbox = await startSandbox(options);
		Object.assign(service, sandbox ?? JSON.parse(SERVICE!));
	});
	afterAll(async () => await sandbox?.close());

	const post = async (path: string, body: object = {}, authorization = service.keys.organization) =>
		await call(
			'POST',
			`${service.exportUrl}/export/${path}`,
			{ authorization },
			{ ...service.range, ...body },
		);
	const get = async (id: string, authorization = service.keys.organization) =>
		await call('GET', `${service.exportUrl}/export/conversations/${id}`, { authorization });
	const list = async (body?: object, key?: string) => (await post('conversations', body, key)).json as Page;
	const users = async (body?: object, key?: string) =>
		((await post('users', body, key)).json as { users: User[] }).users;
	/** A client of the appointment API, by default with the organization's key. `null` sends no key. */
	const crm = (key?: string | null) => {
		const send = async (method: Method, path: string, body?: unknown, more: Headers = {}) => {
			const headers = key === null ? more : { 'x-api-key': key ?? service.keys.organization, ...more };
			return await call(method, `${service.crmUrl}${path}`, headers, body);
		};
		return {
			send,
			save: (body: unknown, more?: Headers) => send('POST', '/custom/appointment', body, more),
			match: (event_id: unknown, conversation_id: unknown) =>
				send('POST', '/custom/appointment/match', { event_id, conversation_id }),
			remove: (eventId: string) => send('DELETE', `/custom/appointment/${encodeURIComponent(eventId)}`),
		};
	};
	/** Emails of users who can be owners: neither removed nor hidden. */
	const owners = async (key?: string) =>
		(await users({}, key)).filter((user) => !user.isRemoved).map((user) => user.email);
	return Object.assign(service, {
		post,
		get,
		list,
		users,
		owners,
		crm,
		/** All pages in order. */
		async all() {
			const pages = [await list()];
			while (pages.length < pages[0].totalPages) pages.push(await list({ page: pages.length + 1 }));
			return pages;
		},
		conversation: async (id: string) => (await get(id)).json as Conversation,
		teams: async (body?: object, key?: string) =>
			((await post('teams', body, key)).json as { teams: Team[] }).teams,
		/** Saves a new appointment and returns its event ID. */
		async saved(more: object = {}): Promise<string> {
			const body = appointment((await owners())[0], more);
			expect(await crm().save(body)).toMatchObject({ status: 200 });
			return body.event_id;
		},
		/** The stored appointment without the time of its last update. */
		stored(eventId: string) {
			const found = service.control.appointments().find((each) => each.event_id === eventId);
			return found && { ...found, updatedAt: undefined };
		},
	});
}
