import { createHash } from 'crypto';
import type {
	ICredentialDataDecryptedObject,
	IDataObject,
	IHookFunctions,
	IWebhookFunctions,
	IWebhookResponseData,
} from 'n8n-workflow';
import { codedError, logLine, nodeErrorOf } from '../shared/base/codedErrors';
import { quoted, isPresigned } from '../shared/base/text';
import type { ReceivedEnvelope } from '../shared/exportApi/schemas';
import { reasonOf, verdictOf, whyRefused } from '../shared/selection/filters';
import { memoryOf, publicationError, readSelection } from '../shared/triggers/triggerConversations';
import { MAX_AHEAD_MINUTES, STATUSES, TRIGGER_ERRORS } from './triggerErrors';
import { fieldsParameter, rowOf, ruleAndId } from './events';
import { readSettings, type WebhookSettings } from './triggerParameters';
import { Rejection, verify, type ReceiverSecrets, type Verified } from './verify';

/** When a trigger warned of a code last, by `performance.now()`. */
const warnedAt = memoryOf(() => new Map<string, number>());

/** Handles one delivery. Never throws, because that would send status 500 and leave a failed execution. */
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
		const isRemembered = rule.about !== 'test' && settings.ignoreDuplicates;
		if (isRemembered && (await isDuplicate(context, verified, settings))) {
			return { webhookResponse: { status: 'duplicate' } };
		}
	}
	return { webhookResponse: { status: 'accepted' }, workflowData: [[{ json: event as IDataObject }]] };
}

/** Success without an execution: the service must not count the delivery as failed. */
function ignore(reason: string, isSigned: boolean): IWebhookResponseData {
	const message = `${isSigned ? 'The signature is valid.' : 'The delivery is not signed.'} ${reason}`;
	return { webhookResponse: { status: 'ignored', message } };
}

/** The log and the Test URL execution say why. The sender learns it only after a valid signature or for status 422. */
function reject(context: IWebhookFunctions, cause: unknown): IWebhookResponseData {
	const rejection = cause instanceof Rejection ? cause : new Rejection('trigger_unreadable');
	const { code, isSigned } = rejection;
	const text = TRIGGER_ERRORS[code].join('. ');
	const reason = rejection === cause ? '' : ` Cause: ${(cause as Error).message}`;
	warn(context, code, `rejected a delivery (${code}): ${text}${reason}`);
	const status = STATUSES[code] ?? 401;
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

/** Maximum for all triggers of a process: more than arrive while a delivery can be replayed. Takes about 20 MB. */
const MAX_REMEMBERED_DELIVERIES = 100_000;
const DAY_MS = 24 * 60 * 60 * 1000;

/** When acknowledged deliveries are forgotten, by the digest of trigger and content, the latest copy last. */
const accepted = new Map<string, number>();
/** Digests of deliveries whose response has not left yet. */
const inFlight = new Map<string, Promise<void>>();

/**
 * Whether this process acknowledged an event with the same content; a simultaneous copy waits for the first. If not, the
 * event is remembered once its response has left as a success, for as long as its latest copy would pass verification.
 */
export async function isDuplicate(
	context: IWebhookFunctions,
	{ event, isSigned }: Verified,
	{ maximumAgeMs }: WebhookSettings,
): Promise<boolean> {
	const hasAge = isSigned && maximumAgeMs > 0;
	const lifetimeMs = hasAge ? maximumAgeMs + MAX_AHEAD_MINUTES * 60_000 : DAY_MS;
	const content = [context.getWorkflow().id, context.getNode().id, deliveryContent(event)].join('\n');
	const key = createHash('sha256').update(content).digest('base64');
	for (let other = inFlight.get(key); other; other = inFlight.get(key)) await other;
	if (Date.now() <= (accepted.get(key) ?? 0)) {
		remember(key, lifetimeMs);
		logLine(context, 'info', `ignored a duplicate of the event about ${quoted(ruleAndId(event).id)}`);
		return true;
	}
	const leaves = hasLeft(context.getResponseObject()).then((isSuccess) => {
		if (isSuccess) remember(key, lifetimeMs);
		inFlight.delete(key);
	});
	inFlight.set(key, leaves);
	return false;
}

/** Forgets the oldest when their time is over or they are too many. */
function remember(key: string, lifetimeMs: number): void {
	const at = Date.now();
	accepted.delete(key);
	accepted.set(key, at + lifetimeMs);
	for (const [oldest, forgottenAt] of accepted) {
		if (at <= forgottenAt && accepted.size <= MAX_REMEMBERED_DELIVERIES) break;
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
 * `webhook_event_id`, `sent_at` (D1 § Envelope) and the query of a presigned link.
 */
export function deliveryContent(envelope: ReceivedEnvelope): string {
	const event = { ...envelope, webhook_event_id: undefined, sent_at: undefined };
	return JSON.stringify(event, (name, value: unknown) => {
		if (typeof value !== 'string' || !/^https?:\/\/\S+$/i.test(value)) return value;
		// The documentation calls only this link presigned; others show it by their query.
		return name === 'transcript_url' || isPresigned(value) ? value.split(/[?#]/)[0] : value;
	});
}

/** Reads what a delivery must prove from the credential. */
export function readSecrets(data: ICredentialDataDecryptedObject): ReceiverSecrets {
	const [name = ''] = formsOf(data.receiverHeaderName);
	return {
		signing: [data.signingSecret, data.previousSigningSecret].flatMap(formsOf),
		receiverHeader: { name, values: formsOf(data.receiverHeaderSecret) },
	};
}

/** A text as it was saved, and without the spaces around it, which are often pasted along. */
function formsOf(value: unknown): string[] {
	return typeof value === 'string' && value.trim() !== '' ? [...new Set([value.trim(), value])] : [];
}

const LIFETIME_MS = 1000;

/** The latest read of the chosen credential, and when it began by `performance.now()`. */
const latestRead = memoryOf(
	() => ({}) as { chosen?: string; began: number; secrets: Promise<ReceiverSecrets> },
);

/** Reads the secrets at most once a second, because n8n builds an expression sandbox for each read. */
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

/** While n8n starts, nobody sees an error, and a webhook that fails to register is never registered again. */
const UNATTENDED = ['init', 'leadershipChange'];

/**
 * Listening and publishing fail without a signing secret. Any other problem is only logged in
 * production, because n8n takes down the version that was live if publishing fails.
 * @throws NodeOperationError without a signing secret, unless it is not needed; in the editor, for whatever is wrong
 */
export async function requireSecret(context: IHookFunctions): Promise<void> {
	let hasNone = false;
	try {
		const { allowUnsigned } = readSettings(context);
		readSelection(context, fieldsParameter);
		const credential = await context.getCredentials('conversationExportApi');
		const { signing, receiverHeader } = readSecrets(credential);
		hasNone = signing.length === 0 && !allowUnsigned;
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
