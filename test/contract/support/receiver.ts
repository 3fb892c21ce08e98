import { z } from 'zod';
import { Receiver, type Delivered } from '../../../playground/webhook/receiver';

export { status } from '../../../playground/webhook/receiver';

/** A local endpoint for the tests of one file; empty and answering 200 at the start of each test. */
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

/** The envelope of a delivery. */
export const envelopeOf = ({ json }: Delivered) => envelopeShape.parse(json);

/** The conversation that a delivery is about. */
export const conversationOf = (delivered: Delivered) => envelopeOf(delivered).data.conversation_id;
