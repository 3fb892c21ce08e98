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
	/** A list where a name is there twice. */
	customHeaders?: Record<string, string> | Array<{ name: string; value: string }>;
}

/** What the web app does with subscriptions, through the control address; each test's own are deleted after it. */
export function useWebhooks(service: Service) {
	let mine: string[] = [];
	afterEach(async () => {
		for (const id of mine)
			await call(`${service.controlUrl}/webhooks/subscriptions/${id}`, { method: 'DELETE' });
		mine = [];
	});
	const path = (id: string) => `/webhooks/subscriptions/${id}`;
	return {
		/** @returns the new subscription's ID. @throws Error when it is refused */
		async subscribe(subscription: NewSubscription): Promise<string> {
			const { id } = added.parse(await control(service, 'POST', '/webhooks/subscriptions', subscription));
			mine.push(id);
			return id;
		},
		/** Status of an attempt to subscribe. */
		async refusal(subscription: unknown): Promise<number> {
			const answer = await call(`${service.controlUrl}/webhooks/subscriptions`, {
				method: 'POST',
				body: subscription,
			});
			const parsed = added.safeParse(answer.json);
			if (parsed.success) mine.push(parsed.data.id);
			return answer.status;
		},
		change: (id: string, change: object) => control(service, 'PATCH', path(id), change),
		remove: (id: string) => control(service, 'DELETE', path(id)),
		/** Send test: what the result shows. */
		sendTest: async (id: string) => testResult.parse(await control(service, 'POST', `${path(id)}/test`)),
		/** Processes conversations again and waits until every delivery is settled, retries included. */
		emit: async (...conversationIds: string[]) =>
			burst.parse(await control(service, 'POST', '/webhooks/emit', { conversationIds })),
		/** The same without waiting. */
		emitOnly: (...conversationIds: string[]) =>
			control(service, 'POST', '/webhooks/emit', { conversationIds, wait: false }),
		deadLetters: async () => JSON.stringify(await control(service, 'GET', '/webhooks/dead-letters')),
		/** Some conversations to announce. */
		async conversations(count: number) {
			return (await list(service, { limit: count })).conversations;
		},
	};
}
