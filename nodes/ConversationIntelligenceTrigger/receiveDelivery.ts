import type { IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';
import type { ReceivedEnvelope } from '../shared/exportApi/schemas';
import { logLine } from '../shared/errors/log';
import { quoted } from '../shared/node/parameters';
import { textOf } from '../shared/errors/codedError';
import { TRIGGER_ERRORS, type TriggerError } from './errors';
import { isRepeat } from './repeats';
import { eventItem } from './runEvents';
import { SecretsCache } from './secretsCache';
import { keyOf, readFilter, readSettings, type Settings } from './settings';
import { verifyDelivery, type Delivery, type Rejection, type Verification } from './verifyDelivery';
import { WarningLog } from './warningLog';

/** Secrets may be this old for an acceptance. */
const SECRETS_LIFETIME_MS = 10_000;

/** Secrets may be this old for a rejection: forged deliveries cost at most one read in this time. */
const REJECTING_SECRETS_LIFETIME_MS = 1000;

/** Rejections that newer secrets can change only if unsigned deliveries are allowed and the secret was removed. */
const UNSIGNED: TriggerError[] = ['signature_missing', 'signature_malformed'];

/** The response to an event that is not selected. */
const NOT_SELECTED: Record<string, string> = {
	conversation_processed: 'Select Conversation Processed to run the workflow on conversations.',
	test: 'Select Test to run the workflow on tests.',
};

/** Lives as long as the process and is shared by all workflows in it; its keys keep nodes apart. */
const secretsCache = new SecretsCache();

/** Lives as long as the process. */
const warnings = new WarningLog();

/**
 * Handles one delivery from its raw bytes to the response; only an event that is selected and new starts an execution.
 * Never throws: that would send status 500 and leave a failed execution.
 */
export async function receiveDelivery(context: IWebhookFunctions): Promise<IWebhookResponseData> {
	try {
		return await receive(context, performance.now());
	} catch (error) {
		return reject(context, { code: 'trigger_unreadable' }, '', error);
	}
}

async function receive(context: IWebhookFunctions, arrived: number): Promise<IWebhookResponseData> {
	const settings = readSettings(context);
	const verified = await verify(context, settings, arrived);
	if ('rejection' in verified) return reject(context, verified.rejection, settings.signatureHeader);
	const { isSigned } = verified;
	if ('unknownType' in verified) {
		warn(context, 'unknown_type', `ignored an event of the unknown type ${quoted(verified.unknownType)}`);
		return ignore('This trigger does not know the event type.', isSigned);
	}
	const { envelope } = verified;
	if (context.getMode() !== 'manual') {
		const reason = reasonToIgnore(context, envelope, settings);
		if (reason !== undefined) return ignore(reason, isSigned);
		if (await isRepeat(context, verified, settings)) return { webhookResponse: { status: 'repeat' } };
	}
	return { webhookResponse: { status: 'accepted' }, workflowData: [[{ json: eventItem(envelope) }]] };
}

/** Remembered secrets only speed up an acceptance; what they reject is verified again with recent ones. */
async function verify(
	context: IWebhookFunctions,
	settings: Settings,
	arrived: number,
): Promise<Verification> {
	const delivery = await readDelivery(context).catch(() => undefined);
	if (delivery === undefined) return { rejection: { code: 'body_unreadable' } };
	const key = `${keyOf(context)}/${context.getNode().credentials?.conversationExportApi?.id}`;
	const verifyWith = async (notBefore: number) => {
		const read = async () => await context.getCredentials('conversationExportApi');
		const secrets = await secretsCache.get(key, notBefore, read);
		return verifyDelivery(delivery, { ...settings, secrets }, Date.now());
	};
	const verified = await verifyWith(arrived - SECRETS_LIFETIME_MS);
	if (!('rejection' in verified)) return verified;
	const { code } = verified.rejection;
	const mayChange = statusOf(code) === 401 && (settings.allowUnsigned || !UNSIGNED.includes(code));
	return mayChange ? await verifyWith(arrived - REJECTING_SECRETS_LIFETIME_MS) : verified;
}

async function readDelivery(context: IWebhookFunctions): Promise<Delivery> {
	const request = context.getRequestObject();
	// By now, n8n has read only bodies of the usual content types.
	await request.readRawBody();
	const { rawBody } = request;
	return {
		// Undefined for an empty body.
		rawBody: Buffer.isBuffer(rawBody) ? rawBody : Buffer.alloc(0),
		headers: { ...context.getHeaderData() },
	};
}

/** Why an event starts nothing although it is verified; undefined for one that is selected. */
function reasonToIgnore(
	context: IWebhookFunctions,
	{ event_type: type, data }: ReceivedEnvelope,
	settings: Settings,
): string | undefined {
	if (!settings.events.includes(type)) return NOT_SELECTED[type];
	if (type !== 'conversation_processed') return undefined;
	const users = readFilter(context);
	const isSelected = users === undefined || users.some((user) => user === data.user_email);
	return isSelected ? undefined : 'The conversation is not of a user in User Names or IDs.';
}

/** Success without an execution: the service must not count the delivery as failed. */
function ignore(reason: string, isSigned: boolean): IWebhookResponseData {
	const arrival = isSigned ? 'The signature fits.' : 'The delivery is not signed.';
	return { webhookResponse: { status: 'ignored', message: `${arrival} ${reason}` } };
}

/** n8n's log says why; the sender learns it only once its signature fits, or if it needs none. */
function reject(context: IWebhookFunctions, { code, isSigned }: Rejection, header = '', cause?: unknown) {
	const status = statusOf(code);
	const { message, advice } = textOf(TRIGGER_ERRORS, code, { header });
	const text = [message, advice].filter(Boolean).join('. ');
	const reason = cause instanceof Error ? `: ${cause.message}` : '';
	warn(context, code, `rejected a delivery (${code}): ${text}${reason}`);
	const isShown = isSigned || status === 422;
	const body = { status: 'rejected', ...(isShown && { reason: code, message: text }) };
	// n8n lets a node choose the status only if it sends the response itself.
	context.getResponseObject().status(status).json(body);
	return { noWebhookResponse: true };
}

function statusOf(code: TriggerError): number {
	const row = TRIGGER_ERRORS[code];
	return 'status' in row ? row.status : 401;
}

/** At most one line a minute, because anyone can send a forged delivery; the next one says how many were left out. */
function warn(context: IWebhookFunctions, reason: string, text: string): void {
	const others = warnings.next(keyOf(context), reason);
	if (others === undefined) return;
	const counts = Object.entries(others).map(([code, count]) => `${count} ${code}`);
	const more = counts.length === 0 ? '' : ` (since the last warning, not logged: ${counts.join(', ')})`;
	logLine(context, 'warn', `${text}${more}`);
}
