import type { IWebhookFunctions } from 'n8n-workflow';
import { logLine } from '../shared/errors/log';
import type { ReceivedEnvelope } from '../shared/exportApi/schemas';
import { quoted } from '../shared/node/parameters';
import { deliveryContent } from './deliveryContent';
import { DeliveryMemory, type Permit } from './deliveryMemory';
import { keyOf, MAX_AHEAD_MINUTES, type Settings } from './settings';

/** More than the service sends while a delivery can be replayed, and 6 MB. */
const MAX_REMEMBERED = 50_000;

/** How long deliveries without a maximum age are remembered. */
const DAY_MS = 24 * 60 * 60 * 1000;

/** Lives as long as the process. */
const memory = new DeliveryMemory(MAX_REMEMBERED);

/**
 * Whether a conversation was accepted before with the same content, which is logged. If not, the delivery is remembered
 * once its response has left as a success, for as long as a copy of it would pass verification.
 */
export async function isRepeat(
	context: IWebhookFunctions,
	{ envelope, isSigned }: { envelope: ReceivedEnvelope; isSigned: boolean },
	{ ignoreRepeats, maximumAgeMs }: Settings,
): Promise<boolean> {
	if (!ignoreRepeats || envelope.event_type !== 'conversation_processed') return false;
	const hasAge = isSigned && maximumAgeMs > 0;
	const lifetimeMs = hasAge ? maximumAgeMs + MAX_AHEAD_MINUTES * 60_000 : DAY_MS;
	const permit = await memory.acquire(keyOf(context), deliveryContent(envelope), lifetimeMs);
	if (permit === undefined) {
		const id = quoted(envelope.data.conversation_id);
		logLine(context, 'info', `ignored a repeat of the conversation ${id}`);
		return true;
	}
	releaseWithResponse(context, permit);
	return false;
}

/** Only a success that left in full counts as acknowledged; a sender that hung up tries again. */
function releaseWithResponse(context: IWebhookFunctions, permit: Permit): void {
	const response = context.getResponseObject();
	if (response.closed) return permit.release(false);
	response.once('close', () => {
		const { writableFinished, statusCode } = response;
		permit.release(writableFinished && statusCode >= 200 && statusCode < 300);
	});
}
