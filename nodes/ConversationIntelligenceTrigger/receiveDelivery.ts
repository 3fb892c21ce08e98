import type { IDataObject, IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';
import { decidable, failedFilter } from '../shared/exportApi/conversationFilter';
import { logLine } from '../shared/errors/log';
import { quoted } from '../shared/node/parameters';
import { textOf } from '../shared/errors/codedError';
import { TRIGGER_ERRORS, type TriggerError } from './errors';
import { rowOf } from './events';
import { isRepeat } from './repeats';
import { recentSecrets } from './secrets';
import { keyOf, readSelection, readSettings, type Settings } from './panel';
import { Rejection, verify, type Delivery, type Verified } from './verify';

/** Secrets may be this old for an acceptance. */
const SECRETS_LIFETIME_MS = 10_000;

/** Secrets may be this old for a rejection: forged deliveries cost at most one read in this time. */
const REJECTING_SECRETS_LIFETIME_MS = 1000;

/** Rejections that newer secrets can change only if unsigned deliveries are allowed and the secret was removed. */
const UNSIGNED: TriggerError[] = ['signature_missing', 'signature_malformed'];

/** At most one warning a minute of each trigger, because a forged delivery costs its sender nothing. */
const WARNING_INTERVAL_MS = 60_000;

/** Of each trigger: when it warned last, in milliseconds of `performance.now()`, and what was not logged since, by code. */
const warnings = new Map<string, { at: number; others: Record<string, number> }>();

/**
 * Handles one delivery from its raw bytes to the response; only an event that is selected and new starts an execution.
 * Never throws: that would send status 500 and leave a failed execution.
 */
export async function receiveDelivery(context: IWebhookFunctions): Promise<IWebhookResponseData> {
	try {
		return await receive(context, performance.now());
	} catch (error) {
		return reject(context, error);
	}
}

async function receive(context: IWebhookFunctions, arrived: number): Promise<IWebhookResponseData> {
	const settings = readSettings(context);
	const verified = await verifyWithSecrets(context, settings, arrived);
	const { event, rule, isSigned } = verified;
	if (!rule) {
		warn(context, 'unknown_type', `ignored an event of the unknown type ${quoted(event.event_type)}`);
		return ignore('This trigger does not know the event type.', isSigned);
	}
	if (context.getMode() !== 'manual') {
		if (!settings.events.includes(event.event_type)) {
			return ignore(`Select ${rule.option.name} under Trigger On to start the workflow.`, isSigned);
		}
		const read = (name: string, fallback: unknown) => context.getNodeParameter(name, fallback as object);
		const { filter } = readSelection(read, context.getNode());
		const row = rowOf(event);
		const failed = failedFilter(decidable(filter, row), row);
		if (failed !== undefined) return ignore(`The conversation does not pass ${failed}.`, isSigned);
		// Only now, because an event that is ignored must not be remembered: the filter may be mended.
		if (rule.isRemembered && settings.ignoreRepeats && (await isRepeat(context, verified, settings))) {
			return { webhookResponse: { status: 'repeat' } };
		}
	}
	return { webhookResponse: { status: 'accepted' }, workflowData: [[{ json: event as IDataObject }]] };
}

/** Remembered secrets only speed up an acceptance; what they reject is verified again with recent ones. */
async function verifyWithSecrets(
	context: IWebhookFunctions,
	settings: Settings,
	arrived: number,
): Promise<Verified> {
	const delivery = await readDelivery(context);
	const verifyWith = async (lifetimeMs: number) => {
		const secrets = await recentSecrets(context, arrived - lifetimeMs);
		return verify(delivery, { ...settings, secrets }, Date.now());
	};
	return await verifyWith(SECRETS_LIFETIME_MS).catch(async (error: unknown) => {
		const code = error instanceof Rejection ? error.code : 'trigger_unreadable';
		const mayChange = statusOf(code) === 401 && (settings.allowUnsigned || !UNSIGNED.includes(code));
		if (!mayChange) throw error;
		return await verifyWith(REJECTING_SECRETS_LIFETIME_MS);
	});
}

async function readDelivery(context: IWebhookFunctions): Promise<Delivery> {
	const request = context.getRequestObject();
	// By now, n8n has read only bodies of the usual content types.
	await request.readRawBody().catch(() => {
		throw new Rejection('body_unreadable');
	});
	const { rawBody } = request;
	return {
		// Undefined for an empty body.
		rawBody: Buffer.isBuffer(rawBody) ? rawBody : Buffer.alloc(0),
		headers: { ...context.getHeaderData() },
	};
}

/** Success without an execution: the service must not count the delivery as failed. */
function ignore(reason: string, isSigned: boolean): IWebhookResponseData {
	const arrival = isSigned ? 'The signature fits.' : 'The delivery is not signed.';
	return { webhookResponse: { status: 'ignored', message: `${arrival} ${reason}` } };
}

/** n8n's log says why; the sender learns it only once its signature fits, or if it needs none. */
function reject(context: IWebhookFunctions, cause: unknown): IWebhookResponseData {
	const rejection = cause instanceof Rejection ? cause : new Rejection('trigger_unreadable');
	const { code, isSigned } = rejection;
	const status = statusOf(code);
	const { message, advice } = textOf(TRIGGER_ERRORS, code, {});
	const text = [message, advice].filter(Boolean).join('. ');
	const reason = cause === rejection ? '' : `: ${(cause as Error).message}`;
	warn(context, code, `rejected a delivery (${code}): ${text}${reason}`);
	const isShown = isSigned || status === 422;
	const body = { status: 'rejected', ...(isShown && { code, message: text }) };
	// n8n lets a node choose the status only if it sends the response itself.
	context.getResponseObject().status(status).json(body);
	return { noWebhookResponse: true };
}

function statusOf(code: TriggerError): number {
	const row = TRIGGER_ERRORS[code];
	return 'status' in row ? row.status : 401;
}

/** Warns, or counts the warning for the next one. */
function warn(context: IWebhookFunctions, code: string, text: string): void {
	const key = keyOf(context);
	const now = performance.now();
	const last = warnings.get(key);
	if (last && now - last.at < WARNING_INTERVAL_MS) {
		last.others[code] = (last.others[code] ?? 0) + 1;
		return;
	}
	warnings.set(key, { at: now, others: {} });
	const counts = Object.entries(last?.others ?? {}).map(([other, count]) => `${count} ${other}`);
	const more = counts.length === 0 ? '' : ` (since the last warning, not logged: ${counts.join(', ')})`;
	logLine(context, 'warn', `${text}${more}`);
}
