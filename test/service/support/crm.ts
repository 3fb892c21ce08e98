import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { type Response, call, control, users } from './http';
import type { Service } from './service';

/** A valid body for a new appointment, with a new `event_id` each time. */
export function appointment(userEmail: string, more: object = {}) {
	return {
		event_id: `contract-${randomUUID()}`,
		user_email: userEmail,
		start_time: '2025-03-04 15:00:00',
		end_time: '2025-03-04 16:30:00',
		title: 'Roof inspection',
		customer: { id: 'customer-1', name: 'Ada Example' },
		...more,
	};
}

/** A client of `{crm_base_url}`, by default with the organization's key. `null` sends no key. */
export function crm(service: Service, key?: string | null) {
	const headers = (): Record<string, string> =>
		key === null ? {} : { 'x-api-key': key ?? service.keys.organization };
	const url = (path: string) => `${service.crmUrl}/custom/appointment${path}`;
	return {
		/** POST /custom/appointment. A string is sent as is. */
		save: (body: unknown, more: Record<string, string> = {}): Promise<Response> =>
			call(url(''), { method: 'POST', headers: { ...headers(), ...more }, body }),
		match: (body: unknown, more: Record<string, string> = {}): Promise<Response> =>
			call(url('/match'), { method: 'POST', headers: { ...headers(), ...more }, body }),
		/** DELETE with the URL-encoded event ID. */
		remove: (eventId: string): Promise<Response> =>
			call(url(`/${encodeURIComponent(eventId)}`), { method: 'DELETE', headers: headers() }),
		/** Any path under `{crm_base_url}`. */
		send: (method: 'GET' | 'POST' | 'PUT' | 'DELETE', path: string, body?: unknown): Promise<Response> =>
			call(`${service.crmUrl}${path}`, { method, headers: headers(), body }),
	};
}

/** Emails of users who can be owners: neither removed nor hidden. */
export async function activeEmails(service: Service, key?: string): Promise<string[]> {
	return (await users(service, {}, key)).filter((user) => !user.isRemoved).map((user) => user.email);
}

/** Saves a new appointment and returns its event ID. @throws Error when the service refuses it */
export async function saved(service: Service, more: object = {}): Promise<string> {
	const [owner] = await activeEmails(service);
	const body = appointment(owner, more);
	const response = await crm(service).save(body);
	if (response.status !== 200) throw new Error(`${response.status} ${response.text}`);
	return body.event_id;
}

const stored = z
	.object({
		id: z.string(),
		event_id: z.string(),
		attendees: z.array(z.string()),
		hasRecording: z.boolean(),
	})
	.passthrough();
const book = z.object({ appointments: z.array(stored), outcomes: z.array(z.string()) });
const person = z.object({
	email: z.string(),
	alternateEmails: z.array(z.string()),
	isRemoved: z.boolean(),
	isHidden: z.boolean(),
});
const received = z.object({ eventId: z.string(), payload: z.unknown(), stored: z.record(z.unknown()) });

/** Reads and changes the service's state through the sandbox's control API. */
export function crmStore(service: Service) {
	const all = async () => book.parse(await control(service, 'GET', '/appointments'));
	return {
		/** The stored appointment without the time of its last update. */
		async get(eventId: string) {
			const found = (await all()).appointments.find((each) => each.event_id === eventId);
			if (!found) return undefined;
			const { updatedAt, ...rest } = found;
			return updatedAt === undefined ? found : rest;
		},
		outcomes: async () => (await all()).outcomes,
		people: async () => z.array(person).parse(await control(service, 'GET', '/users')),
		/** A key's debugger view. */
		async events(key: string) {
			const view = await control(service, 'GET', `/debugger?key=${encodeURIComponent(key)}`);
			return z.object({ events: z.array(received) }).parse(view).events;
		},
		deadLetters: async () => JSON.stringify(await control(service, 'GET', '/dead-letters')),
		/** Finishes processing an event's media and returns the new conversations' IDs. */
		async finish(eventId: string) {
			const done = await control(service, 'POST', '/processing/finish', { eventId });
			return z.object({ conversationIds: z.array(z.string()) }).parse(done).conversationIds;
		},
		setRecording: (conversationId: string, state: 'present' | 'none' | 'missing') =>
			control(service, 'POST', '/recordings', { conversationId, state }),
	};
}
