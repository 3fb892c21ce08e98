import { randomUUID } from 'node:crypto';
import { call, control, users } from './http';
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
	/** Sends to any path under `{crm_base_url}`. */
	const send = (
		method: 'GET' | 'POST' | 'PUT' | 'DELETE',
		path: string,
		body?: unknown,
		more: Record<string, string> = {},
	) => {
		const headers = key === null ? more : { 'x-api-key': key ?? service.keys.organization, ...more };
		return call(`${service.crmUrl}${path}`, { method, headers, body });
	};
	return {
		send,
		save: (body: unknown, more?: Record<string, string>) => send('POST', '/custom/appointment', body, more),
		match: (body: unknown) => send('POST', '/custom/appointment/match', body),
		remove: (eventId: string) => send('DELETE', `/custom/appointment/${encodeURIComponent(eventId)}`),
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

type Stored = { id: string; event_id: string; attendees: string[] } & Record<string, unknown>;

/** Reads and changes the service's state through the sandbox's control API. */
export function crmStore(service: Service) {
	const all = () => control<{ appointments: Stored[]; outcomes: string[] }>(service, 'GET', '/appointments');
	return {
		/** The stored appointment without the time of its last update. */
		async get(eventId: string) {
			const found = (await all()).appointments.find((each) => each.event_id === eventId);
			return found && ({ ...found, updatedAt: undefined } as Stored);
		},
		outcomes: async () => (await all()).outcomes,
		/** Finishes processing an event's media and returns the new conversation's ID. */
		async finish(eventId: string) {
			const done = await control(service, 'POST', '/processing/finish', { eventId });
			return (done as { conversationIds: string[] }).conversationIds[0];
		},
	};
}
