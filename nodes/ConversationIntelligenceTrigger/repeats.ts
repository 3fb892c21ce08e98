import { createHash } from 'crypto';
import type { IWebhookFunctions } from 'n8n-workflow';
import { logLine } from '../shared/errors/log';
import type { ReceivedEnvelope } from '../shared/exportApi/schemas';
import { quoted } from '../shared/node/parameters';
import { memoryOf } from '../shared/triggers/memory';
import { MAX_AHEAD_MINUTES, type Settings } from './panel';
import type { Verified } from './verify';

/** Deliveries to remember of each trigger: more than the service sends while one can be replayed, and 6 MB. */
const MAX_REMEMBERED = 50_000;
/** How long deliveries without a maximum age are remembered. */
const DAY_MS = 24 * 60 * 60 * 1000;

const memory = memoryOf(() => ({
	/** Digest of an acknowledged delivery → when it is forgotten, least recent first. */
	accepted: new Map<string, number>(),
	/** Digests of deliveries whose response has not left, each with the end of that. */
	inFlight: new Map<string, Promise<void>>(),
}));

/**
 * Whether an event was acknowledged before with the same content, which is logged; a simultaneous copy waits for the
 * first. If not, the delivery is remembered once its response has left as a success, for as long as a copy of it would
 * pass verification. Exact within a process; each process has its own memory.
 */
export async function isRepeat(
	context: IWebhookFunctions,
	{ event, isSigned }: Verified,
	{ maximumAgeMs }: Settings,
): Promise<boolean> {
	const hasAge = isSigned && maximumAgeMs > 0;
	const lifetimeMs = hasAge ? maximumAgeMs + MAX_AHEAD_MINUTES * 60_000 : DAY_MS;
	const { accepted, inFlight } = memory(context);
	const key = createHash('sha256').update(deliveryContent(event)).digest('base64');
	for (let other = inFlight.get(key); other; other = inFlight.get(key)) await other;
	if (Date.now() < (accepted.get(key) ?? -Infinity)) {
		// A repeat has a later time of sending, so it can be replayed for longer than the first copy.
		remember(accepted, key, lifetimeMs);
		logLine(context, 'info', `ignored a repeat of the conversation ${quoted(event.data.conversation_id)}`);
		return true;
	}
	const isAccepted = hasLeft(context.getResponseObject()).then((isSuccess) => {
		if (isSuccess) remember(accepted, key, lifetimeMs);
		inFlight.delete(key);
	});
	inFlight.set(key, isAccepted);
	return false;
}

/** Forgets the oldest when their time is over or they are too many. */
function remember(accepted: Map<string, number>, key: string, lifetimeMs: number): void {
	accepted.delete(key);
	accepted.set(key, Date.now() + lifetimeMs);
	for (const [oldest, forgottenAt] of accepted) {
		if (Date.now() < forgottenAt && accepted.size <= MAX_REMEMBERED) break;
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
 * What makes two deliveries the same event: everything but what the service makes for each attempt, which is
 * `webhook_event_id`, `sent_at` (D1 § Envelope) and presigned links. A conversation that is processed again differs.
 */
export function deliveryContent(envelope: ReceivedEnvelope): string {
	const event = { ...envelope, webhook_event_id: undefined, sent_at: undefined };
	return JSON.stringify(event, (name, value: unknown) => {
		if (typeof value !== 'string' || !/^https?:\/\/\S+$/i.test(value)) return value;
		// Only its signature changes with each attempt: another file has another path.
		return name === 'transcript_url' ? undefined : value.split(/[?#]/)[0];
	});
}
