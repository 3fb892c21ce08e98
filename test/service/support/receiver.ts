import { z } from 'zod';
import { Receiver, type Delivered } from '../../../harness/webhook/receiver';

export { status } from '../../../harness/webhook/receiver';

/** A webhook endpoint for a test file. Each test starts with an empty endpoint that responds with 200. */
export function useReceiver(): Receiver {
	const receiver = new Receiver();
	beforeAll(async () => await receiver.listen());
	beforeEach(() => receiver.reset());
	afterAll(async () => await receiver.close());
	return receiver;
}

const envelopeShape = z.object({
	webhook_event_id: z.string(),
	event_type: z.string(),
	sent_at: z.string(),
	data: z.record(z.unknown()),
});

export const envelopeOf = ({ json }: Delivered) => envelopeShape.parse(json);

/** The ID of the delivered conversation. */
export const conversationOf = (delivered: Delivered) => envelopeOf(delivered).data.conversation_id;
