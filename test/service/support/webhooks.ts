import { type Delivered, Receiver } from '../../../harness/webhook/receiver';
import { call, control, list } from './http';
import type { Service } from './service';

export { status } from '../../../harness/webhook/receiver';

/** A webhook endpoint for a test file. Each test starts with an empty endpoint that responds with 200. */
export function useReceiver(): Receiver {
	const receiver = new Receiver();
	beforeAll(async () => await receiver.listen());
	beforeEach(() => receiver.reset());
	afterAll(async () => await receiver.close());
	return receiver;
}

/** The ID of the delivered conversation. */
export const conversationOf = ({ json }: Delivered) => String(json.data.conversation_id);

/** The web app's webhook features, through the control API. Deletes each test's subscriptions afterwards. */
export function useWebhooks(service: Service) {
	let mine: string[] = [];
	const path = (id: string) => `/webhooks/subscriptions/${id}`;
	afterEach(async () => {
		for (const id of mine) await call(`${service.controlUrl}${path(id)}`, { method: 'DELETE' });
		mine = [];
	});
	/** The status of an attempt to subscribe, and the subscription's ID if it was accepted. */
	const trySubscribe = async (body: unknown) => {
		const url = `${service.controlUrl}/webhooks/subscriptions`;
		const { status, json } = await call(url, { method: 'POST', body });
		const id = String(Object(json).id ?? '');
		if (id) mine.push(id);
		return { status, id };
	};
	return {
		trySubscribe,
		/** Returns the new subscription's ID. @throws Error when it is refused */
		async subscribe(body: { url: string; secret?: string; customHeaders?: object }): Promise<string> {
			const { status, id } = await trySubscribe(body);
			if (status !== 201) throw new Error(`The subscription was refused: ${status}`);
			return id;
		},
		change: (id: string, change: object) => control(service, 'PATCH', path(id), change),
		/** Sends a test and returns its result. */
		sendTest: (id: string) =>
			control<{ status: number | null; isSuccess: boolean }>(service, 'POST', `${path(id)}/test`),
		/** Announces conversations and waits until every delivery is settled, including retries. */
		emit: (...conversationIds: string[]) =>
			control<{ delivered: number; failed: number; attempts: number }>(service, 'POST', '/webhooks/emit', {
				conversationIds,
			}),
		deadLetters: async () => JSON.stringify(await control(service, 'GET', '/webhooks/dead-letters')),
		conversations: async (limit: number) => (await list(service, { limit })).conversations,
	};
}
