import type { IWebhookFunctions } from 'n8n-workflow';
import { logLine } from '../shared/errors/log';
import type { ReceivedEnvelope } from '../shared/exportApi/schemas';
import { isObject } from '../shared/node/isObject';
import { quoted } from '../shared/node/parameters';
import { DeliveryMemory, type Permit } from './deliveryMemory';
import { keyOf, MAX_AHEAD_MINUTES, type Settings } from './settings';
import type { Verified } from './verify';

/** More than the service sends while a delivery can be replayed, and 6 MB. */
const MAX_REMEMBERED = 50_000;

/** How long deliveries without a maximum age are remembered. */
const DAY_MS = 24 * 60 * 60 * 1000;

/** Lives as long as the process. */
const memory = new DeliveryMemory(MAX_REMEMBERED);

/**
 * Whether an event was accepted before with the same content, which is logged. If not, the delivery is remembered
 * once its response has left as a success, for as long as a copy of it would pass verification.
 */
export async function isRepeat(
	context: IWebhookFunctions,
	{ event, isSigned }: Verified,
	{ maximumAgeMs }: Settings,
): Promise<boolean> {
	const hasAge = isSigned && maximumAgeMs > 0;
	const lifetimeMs = hasAge ? maximumAgeMs + MAX_AHEAD_MINUTES * 60_000 : DAY_MS;
	const permit = await memory.acquire(keyOf(context), deliveryContent(event), lifetimeMs);
	if (permit === undefined) {
		const id = quoted(event.data.conversation_id);
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

/**
 * What makes two deliveries the same event: everything but what the service makes for each attempt, which is
 * `webhook_event_id`, `sent_at` (D1 § Envelope) and presigned links. A conversation that is processed again differs.
 */
export function deliveryContent(envelope: ReceivedEnvelope): string {
	const event = { ...envelope, webhook_event_id: undefined, sent_at: undefined };
	return JSON.stringify(event, (name, value: unknown) => {
		// Only its signature changes with each attempt: another file has another path.
		if (isLink(value)) return name === 'transcript_url' ? undefined : value.replace(/[?#].*/s, '');
		return isObject(value) ? inOrder(value) : value;
	});
}

function isLink(value: unknown): value is string {
	return typeof value === 'string' && /^https?:\/\/\S+$/i.test(value);
}

/** The order of keys means nothing in JSON. */
function inOrder(value: object): object {
	return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
}
