import { z } from 'zod';
import { call, control, list } from './http';
import type { Service } from './service';

const added = z.object({ id: z.string() });
const testResult = z.object({
	status: z.number().nullable(),
	isSuccess: z.boolean(),
	milliseconds: z.number(),
});
const burst = z.object({ delivered: z.number(), failed: z.number(), attempts: z.number() });

export interface NewSubscription {
	url: string;
	secret?: string;
	/** A list can repeat a name. */
	customHeaders?: Record<string, string> | Array<{ name: string; value: string }>;
}

/** The web app's webhook features, through the control API. Deletes each test's subscriptions afterwards. */
export function useWebhooks(service: Service) {
	let mine: string[] = [];
	afterEach(async () => {
		for (const id of mine)
			await call(`${service.controlUrl}/webhooks/subscriptions/${id}`, { method: 'DELETE' });
		mine = [];
	});
	const path = (id: string) => `/webhooks/subscriptions/${id}`;
	return {
		/** Returns the new subscription's ID. @throws Error when it is refused */
		async subscribe(subscription: NewSubscription): Promise<string> {
			const { id } = added.parse(await control(service, 'POST', '/webhooks/subscriptions', subscription));
			mine.push(id);
			return id;
		},
		/** Tries to subscribe and returns the status. */
		async refusal(subscription: unknown): Promise<number> {
			const response = await call(`${service.controlUrl}/webhooks/subscriptions`, {
				method: 'POST',
				body: subscription,
			});
			const parsed = added.safeParse(response.json);
			if (parsed.success) mine.push(parsed.data.id);
			return response.status;
		},
		change: (id: string, change: object) => control(service, 'PATCH', path(id), change),
		remove: (id: string) => control(service, 'DELETE', path(id)),
		/** Sends a test and returns its result. */
		sendTest: async (id: string) => testResult.parse(await control(service, 'POST', `${path(id)}/test`)),
		/** Announces conversations and waits until every delivery is settled, including retries. */
		emit: async (...conversationIds: string[]) =>
			burst.parse(await control(service, 'POST', '/webhooks/emit', { conversationIds })),
		/** Announces conversations without waiting. */
		emitOnly: (...conversationIds: string[]) =>
			control(service, 'POST', '/webhooks/emit', { conversationIds, wait: false }),
		deadLetters: async () => JSON.stringify(await control(service, 'GET', '/webhooks/dead-letters')),
		async conversations(count: number) {
			return (await list(service, { limit: count })).conversations;
		},
	};
}
