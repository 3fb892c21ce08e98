import type { IDataObject, IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';
import { decidable, failedFilter } from '../shared/exportApi/conversationFilter';
import { logLine } from '../shared/errors/nodeError';
import { quoted } from '../shared/node/parameters';
import type { ErrorText } from '../shared/errors/codedError';
import { readSelection, memoryOf } from '../shared/triggers/conversations';
import { TRIGGER_ERRORS } from './errors';
import { rowOf } from './events';
import { isRepeat } from './repeats';
import { recentSecrets } from './secrets';
import { fieldsParameter, readSettings } from './panel';
import { Rejection, verify } from './verify';

/** At most one warning a minute of each trigger and code, because a forged delivery costs its sender nothing. */
const WARNING_INTERVAL_MS = 60_000;

/** When a code was warned of last, in milliseconds of `performance.now()`. */
const warnings = memoryOf(() => new Map<string, number>());

/**
 * Handles one delivery from its raw bytes to the response; only an event that is selected and new starts an execution.
 * Never throws: that would send status 500 and leave a failed execution.
 */
export async function receiveDelivery(context: IWebhookFunctions): Promise<IWebhookResponseData> {
	return await receive(context).catch((error: unknown) => reject(context, error));
}

async function receive(context: IWebhookFunctions): Promise<IWebhookResponseData> {
	const settings = readSettings(context);
	const delivery = { rawBody: await readBody(context), headers: { ...context.getHeaderData() } };
	const secrets = await recentSecrets(context);
	const verified = verify(delivery, { ...settings, secrets }, Date.now());
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
		const failed = failedFilter(decidable(filter, row), row);
		if (failed !== undefined) return ignore(`The conversation does not pass ${failed}.`, isSigned);
		// Only now, because an event that is ignored must not be remembered: the filter may be mended.
		if (rule.isRemembered && settings.ignoreRepeats && (await isRepeat(context, verified, settings))) {
			return { webhookResponse: { status: 'repeat' } };
		}
	}
	return { webhookResponse: { status: 'accepted' }, workflowData: [[{ json: event as IDataObject }]] };
}

async function readBody(context: IWebhookFunctions): Promise<Buffer> {
	const request = context.getRequestObject();
	// By now, n8n has read only bodies of the usual content types.
	await request.readRawBody().catch(() => {
		throw new Rejection('body_unreadable');
	});
	// Undefined if it is empty.
	return Buffer.isBuffer(request.rawBody) ? request.rawBody : Buffer.alloc(0);
}

/** Success without an execution: the service must not count the delivery as failed. */
function ignore(reason: string, isSigned: boolean): IWebhookResponseData {
	const arrival = isSigned ? 'The signature fits.' : 'The delivery is not signed.';
	return { webhookResponse: { status: 'ignored', message: `${arrival} ${reason}` } };
}

/**
 * n8n's log says why, and on the Test URL the execution that ends the listening; the sender learns it only once its
 * signature fits, or if it needs none.
 */
function reject(context: IWebhookFunctions, cause: unknown): IWebhookResponseData {
	const rejection = cause instanceof Rejection ? cause : new Rejection('trigger_unreadable');
	const { code, isSigned } = rejection;
	const row: ErrorText & { status?: number } = TRIGGER_ERRORS[code];
	const status = row.status ?? 401;
	const text = [row.message, row.advice].filter(Boolean).join('. ');
	const reason = cause === rejection ? '' : `: ${(cause as Error).message}`;
	warn(context, code, `rejected a delivery (${code}): ${text}${reason}`);
	const isShown = isSigned || status === 422;
	const body = { status: 'rejected', ...(isShown && { code, message: text }) };
	// n8n lets a node choose the status only if it sends the response itself.
	context.getResponseObject().status(status).json(body);
	const isWatched = context.getMode() === 'manual';
	return { noWebhookResponse: true, ...(isWatched && { workflowData: [[{ json: { rejected: code } }]] }) };
}

function warn(context: IWebhookFunctions, code: string, text: string): void {
	const warnedAt = warnings(context);
	const now = performance.now();
	if (now - (warnedAt.get(code) ?? -Infinity) < WARNING_INTERVAL_MS) return;
	warnedAt.set(code, now);
	logLine(context, 'warn', text);
}
