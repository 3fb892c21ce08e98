import { createHash } from 'crypto';
import type {
	ICredentialDataDecryptedObject,
	IDataObject,
	IHookFunctions,
	IWebhookFunctions,
	IWebhookResponseData,
} from 'n8n-workflow';
import { codedError, logLine, nodeErrorOf } from '../shared/base/codedErrors';
import { quoted, isPresigned, isObject } from '../shared/base/text';
import { instantOf } from '../shared/exportApi/rows';
import type { ReceivedEnvelope } from '../shared/exportApi/schemas';
import { reasonOf, verdictOf, whyRefused } from '../shared/selection/filters';
import { memoryOf, publicationError, readSelection } from '../shared/triggers/triggerConversations';
import { MAX_AHEAD_MINUTES, STATUSES, TRIGGER_ERRORS } from './triggerErrors';
import { fieldsParameter, rowOf, ruleAndId } from './events';
import { readSettings, type WebhookSettings } from './triggerParameters';
import { Rejection, verify, type ReceiverSecrets, type Verified } from './verify';

/** When a trigger warned of a code last, in milliseconds of `performance.now()`. */
const warnedAt = memoryOf(() => new Map<string, number>());

/**
 * Handles one delivery from its raw bytes to the response; only an event that is selected and new starts an execution.
 * Never throws: that would send status 500 and leave a failed execution.
 */
export async function receiveDelivery(context: IWebhookFunctions): Promise<IWebhookResponseData> {
	return await answer(context).catch((error: unknown) => reject(context, error));
}

async function answer(context: IWebhookFunctions): Promise<IWebhookResponseData> {
	const settings = readSettings(context);
	const request = context.getRequestObject();
	// By now, n8n has read only bodies of the usual content types.
	await request.readRawBody().catch(() => {
		throw new Rejection('body_unreadable');
	});
	// Undefined if it is empty.
	const received = { rawBody: request.rawBody ?? Buffer.alloc(0), headers: { ...context.getHeaderData() } };
	const verified = verify(received, await recentSecrets(context), settings, Date.now());
	const { event, rule, isSigned } = verified;
	if (!rule) {
		warn(context, 'unknown_type', `ignored an event of the unknown type ${quoted(event.event_type)}`);
		return ignore('This trigger does not know the event type.', isSigned);
	}
	if (context.getMode() !== 'manual') {
		if (!settings.events.includes(event.event_type)) {
			return ignore(`Select ${rule.option.name} under Trigger On to start the workflow.`, isSigned);
		}
		const { filter } = readSelection(context, fieldsParameter);
		const row = rowOf(event);
		const verdict = verdictOf(filter, row, true);
		if (typeof verdict === 'object') {
			const reason = reasonOf(filter, verdict.refusedBy, row);
			logLine(context, 'info', `ignored ${quoted(ruleAndId(event).id)}: ${whyRefused(reason)}`);
			return ignore(`The conversation does not pass ${reason.label}.`, isSigned);
		}
		// Only now, because an event that is ignored must not be remembered: the filter may be fixed.
		const isRemembered = rule.about !== 'test' && settings.ignoreRepeats;
		if (isRemembered && (await isRepeat(context, verified, settings))) {
			return { webhookResponse: { status: 'repeat' } };
		}
	}
	return { webhookResponse: { status: 'accepted' }, workflowData: [[{ json: event as IDataObject }]] };
}

/** Success without an execution: the service must not count the delivery as failed. */
function ignore(reason: string, isSigned: boolean): IWebhookResponseData {
	const message = `${isSigned ? 'The signature fits.' : 'The delivery is not signed.'} ${reason}`;
	return { webhookResponse: { status: 'ignored', message } };
}

/**
 * n8n's log says why, and on the Test URL the execution that ends the listening; the sender learns it only once its
 * signature fits, or if it needs none.
 */
function reject(context: IWebhookFunctions, cause: unknown): IWebhookResponseData {
	const isOurs = cause instanceof Rejection;
	const { code, isSigned } = isOurs ? cause : new Rejection('trigger_unreadable');
	const text = TRIGGER_ERRORS[code].join('. ');
	const status = STATUSES[code] ?? 401;
	warn(
		context,
		code,
		`rejected a delivery (${code}): ${text}${isOurs ? '' : ` Cause: ${(cause as Error).message}`}`,
	);
	const isShown = isSigned || status === 422;
	// n8n lets a node choose the status only if it sends the response itself.
	const response = context.getResponseObject().status(status);
	response.json({ status: 'rejected', ...(isShown && { code, message: text }) });
	const isWatched = context.getMode() === 'manual';
	return { noWebhookResponse: true, ...(isWatched && { workflowData: [[{ json: { rejected: code } }]] }) };
}

/** At most once a minute for each trigger and code, because a forged delivery costs its sender nothing. */
function warn(context: IWebhookFunctions, code: string, text: string): void {
	const last = warnedAt(context);
	const now = performance.now();
	if (now - (last.get(code) ?? -Infinity) < 60_000) return;
	last.set(code, now);
	logLine(context, 'warn', text);
}

/** Of all triggers of a process: more than come while one can be replayed, and 20 MB. */
const MAX_REMEMBERED_DELIVERIES = 100_000;
/** How long deliveries without a maximum age are remembered. */
const DAY_MS = 24 * 60 * 60 * 1000;
/** An attempt that is made so long after the accepted one is a person's: the execution may have been lost. */
const SENT_AGAIN_MS = 2 * 60_000;

/**
 * Acknowledged deliveries by the digest of trigger and content, the oldest first; times are in milliseconds since 1970,
 * `sentAt` is that of the latest copy.
 */
const accepted = new Map<string, { at: number; sentAt: number; forgottenAt: number }>();
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
	{ maximumAgeMs }: WebhookSettings,
): Promise<boolean> {
	const hasAge = isSigned && maximumAgeMs > 0;
	const lifetimeMs = hasAge ? maximumAgeMs + MAX_AHEAD_MINUTES * 60_000 + SENT_AGAIN_MS : DAY_MS;
	const sentAt = instantOf(event.sent_at);
	const content = [context.getWorkflow().id, context.getNode().id, deliveryContent(event)].join('\n');
	const key = createHash('sha256').update(content).digest('base64');
	for (let other = inFlight.get(key); other; other = inFlight.get(key)) await other;
	const known = accepted.get(key);
	const isSentAgain = known && sentAt > known.sentAt && Date.now() >= known.at + SENT_AGAIN_MS;
	if (known && Date.now() < known.forgottenAt && !isSentAgain) {
		// Otherwise, a recorded copy could be replayed as one that was sent again.
		if (sentAt > known.sentAt) known.sentAt = sentAt;
		logLine(context, 'info', `ignored a repeat of the event about ${quoted(ruleAndId(event).id)}`);
		return true;
	}
	const leaves = hasLeft(context.getResponseObject()).then((isSuccess) => {
		if (isSuccess) remember(key, sentAt, lifetimeMs);
		inFlight.delete(key);
	});
	inFlight.set(key, leaves);
	return false;
}

/** Forgets the oldest when their time is over or they are too many. */
function remember(key: string, sentAt: number, lifetimeMs: number): void {
	const at = Date.now();
	accepted.delete(key);
	accepted.set(key, { at, sentAt, forgottenAt: at + lifetimeMs });
	for (const [oldest, { forgottenAt }] of accepted) {
		if (at < forgottenAt && accepted.size <= MAX_REMEMBERED_DELIVERIES) break;
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

/** Reads what a delivery must prove from the Conversation Export API credential. */
export function readSecrets(data: ICredentialDataDecryptedObject): ReceiverSecrets {
	const [name = ''] = formsOf(data.receiverHeaderName);
	return {
		signing: [data.signingSecret, data.previousSigningSecret].flatMap(formsOf),
		receiverHeader: { name, values: formsOf(data.receiverHeaderSecret) },
	};
}

/** A text without the blanks around it, which are often pasted along, and as it was saved: the other side may have them. */
function formsOf(value: unknown): string[] {
	return typeof value === 'string' && value.trim() !== '' ? [...new Set([value.trim(), value])] : [];
}

/** A new secret counts after this time, and forged deliveries cost at most one read in it. */
const LIFETIME_MS = 1000;

/** The latest read of the chosen credential, and when it began, in milliseconds of `performance.now()`. */
const latestRead = memoryOf(
	() => ({}) as { chosen?: string; began: number; secrets: Promise<ReceiverSecrets> },
);

/**
 * The secrets of a trigger, read at most once a second: for each read of a credential n8n builds an expression sandbox, at
 * a higher cost than the rest of a delivery.
 * @throws what n8n throws for an unreadable credential
 */
async function recentSecrets(context: IWebhookFunctions): Promise<ReceiverSecrets> {
	const latest = latestRead(context);
	const chosen = JSON.stringify(context.getNode().credentials);
	const now = performance.now();
	if (latest.chosen !== chosen || now - latest.began > LIFETIME_MS) {
		const secrets = context.getCredentials('conversationExportApi').then(readSecrets);
		Object.assign(latest, { chosen, began: now, secrets });
	}
	return await latest.secrets;
}

/** A shorter signing secret could be guessed from one recorded delivery. D1 sets no minimum, so it is warned of only. */
const SAFE_SECRET_LENGTH = 16;
const SHORT_SECRET = `the signing secret has fewer than ${SAFE_SECRET_LENGTH} characters and could be guessed from one recorded delivery: choose a longer one in the service and the credential`;

/** While n8n starts, nobody sees an error, and a webhook that fails to register is never registered again. */
const UNATTENDED = ['init', 'leadershipChange'];

/**
 * Refuses to listen or to be published when no secret can ever fit, so that the user sees why. Whatever else would reject
 * deliveries is only logged in production, because n8n takes down the version that was live if publishing fails.
 * @throws NodeOperationError without a signing secret, unless unsigned deliveries are allowed; while the editor listens,
 *   also for whatever else is wrong
 */
export async function requireSecret(context: IHookFunctions): Promise<void> {
	let hasNone = false;
	try {
		const { allowUnsigned } = readSettings(context);
		readSelection(context, fieldsParameter);
		const credential = await context.getCredentials('conversationExportApi');
		const { signing, receiverHeader } = readSecrets(credential);
		hasNone = signing.length === 0 && !allowUnsigned;
		const hasShort = signing.some(({ length }) => length < SAFE_SECRET_LENGTH);
		if (hasShort) logLine(context, 'warn', SHORT_SECRET);
		const isHalf = (receiverHeader.name === '') !== (receiverHeader.values.length === 0);
		const code = hasNone ? 'signing_secret_missing' : isHalf && 'receiver_header_incomplete';
		if (code) throw codedError(TRIGGER_ERRORS, code, {});
	} catch (reason) {
		const error = nodeErrorOf(context.getNode(), reason);
		const mode = context.getActivationMode();
		if (mode === 'manual') throw error;
		if (hasNone && !UNATTENDED.includes(mode)) throw publicationError(context.getNode(), error);
		logLine(context, 'warn', `cannot accept deliveries: ${error.message}`);
	}
}
