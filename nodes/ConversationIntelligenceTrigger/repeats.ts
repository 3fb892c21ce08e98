import { createHash } from 'crypto';
import type { IWebhookFunctions } from 'n8n-workflow';
import { logLine } from '../shared/errors/nodeError';
import { isPresigned } from '../shared/errors/text';
import { instantOf } from '../shared/exportApi/rows';
import type { ReceivedEnvelope } from '../shared/exportApi/schemas';
import { isObject } from '../shared/node/isObject';
import { quoted } from '../shared/node/parameters';
import { MAX_AHEAD_MINUTES, type Settings } from './panel';
import type { Verified } from './verify';

/** Deliveries that a process remembers, of all its triggers: more than come while one can be replayed, and 20 MB. */
const MAX_REMEMBERED = 100_000;
/** How long deliveries without a maximum age are remembered. */
const DAY_MS = 24 * 60 * 60 * 1000;
/** An attempt that is made so long after the accepted one is a person's: the execution may have been lost. */
const SENT_AGAIN_MS = 2 * 60_000;

/** An acknowledged delivery; times are in milliseconds since 1970, `sentAt` is that of its latest copy. */
interface Accepted {
	at: number;
	sentAt: number;
	forgottenAt: number;
}

/** By the digest of trigger and content, the oldest first. */
const accepted = new Map<string, Accepted>();
/** Digests of deliveries whose response has not left, each with the end of that. */
const inFlight = new Map<string, Promise<void>>();

/**
 * Whether an event was acknowledged before with the same content, which is logged; a simultaneous copy waits for the
 * first. If not, the delivery is remembered once its response has left as a success, for as long as a copy of it would
 * pass verification. A repeat does not extend that. Exact within a process; each process has its own memory.
 */
export async function isRepeat(
	context: IWebhookFunctions,
	{ event, isSigned }: Verified,
	{ maximumAgeMs }: Settings,
): Promise<boolean> {
	const hasAge = isSigned && maximumAgeMs > 0;
	const lifetimeMs = hasAge ? maximumAgeMs + MAX_AHEAD_MINUTES * 60_000 + SENT_AGAIN_MS : DAY_MS;
	const sentAt = instantOf(event.sent_at);
	const trigger = `${context.getWorkflow().id}/${context.getNode().id}`;
	const key = createHash('sha256')
		.update(`${trigger}\n${deliveryContent(event)}`)
		.digest('base64');
	for (let other = inFlight.get(key); other; other = inFlight.get(key)) await other;
	const known = accepted.get(key);
	const isSentAgain = known && sentAt > known.sentAt && Date.now() >= known.at + SENT_AGAIN_MS;
	if (known && Date.now() < known.forgottenAt && !isSentAgain) {
		// Otherwise, a recorded copy could be replayed as one that was sent again.
		if (sentAt > known.sentAt) known.sentAt = sentAt;
		logLine(context, 'info', `ignored a repeat of the conversation ${quoted(event.data.conversation_id)}`);
		return true;
	}
	const isAccepted = hasLeft(context.getResponseObject()).then((isSuccess) => {
		if (isSuccess) remember(key, sentAt, lifetimeMs);
		inFlight.delete(key);
	});
	inFlight.set(key, isAccepted);
	return false;
}

/** Forgets the oldest when their time is over or they are too many. */
function remember(key: string, sentAt: number, lifetimeMs: number): void {
	const at = Date.now();
	accepted.delete(key);
	accepted.set(key, { at, sentAt, forgottenAt: at + lifetimeMs });
	for (const [oldest, { forgottenAt }] of accepted) {
		if (at < forgottenAt && accepted.size <= MAX_REMEMBERED) break;
		accepted.delete(oldest);
	}
}

/** Whether a response left in full as a success; after anything else, the sender tries again. */
async function hasLeft(response: ReturnType<IWebhookFunctions['getResponseObject']>): Promise<boolean> {
	if (response.closed) return false;
	await new Promise((resolve) => response.once('close', resolve));
	const { writableFinished, statusCode } = response;
	return writableFinished && statusCode >= 200 && statusCode < 300;
}

/**
 * What makes two deliveries the same event: everything but the order of keys and what the service makes for each attempt,
 * which is `webhook_event_id`, `sent_at` (D1 § Envelope) and the query of a presigned link. A conversation that is
 * processed again differs.
 */
export function deliveryContent(envelope: ReceivedEnvelope): string {
	const event = { ...envelope, webhook_event_id: undefined, sent_at: undefined };
	return JSON.stringify(event, (name, value: unknown) => {
		if (isObject(value)) return Object.fromEntries(Object.entries(value).sort(byKey));
		if (typeof value !== 'string' || !/^https?:\/\/\S+$/i.test(value)) return value;
		// The documentation calls only this link presigned; others show it by their query.
		return name === 'transcript_url' || isPresigned(value) ? value.split(/[?#]/)[0] : value;
	});
}

const byKey = ([one]: [string, unknown], [other]: [string, unknown]) => (one < other ? -1 : 1);
