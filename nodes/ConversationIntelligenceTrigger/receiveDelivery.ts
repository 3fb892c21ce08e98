import type { IDataObject, IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';
import { DeliveryMemory, type Turn } from './deliveryMemory';
import { judgeDelivery, type Delivery, type Judgement } from './judgeDelivery';
import { refusal, type Refusal, type RefusalCode } from './refusals';
import { eventItem } from './runEvents';
import { SecretsCache } from './secretsCache';
import { readSettings, type Settings } from './settings';

/** Secrets may be this old for an acceptance. */
const SECRETS_LIFETIME_MS = 10_000;

/** A day and this many deliveries are enough: a retry arrives within minutes or hours, if at all. */
const MEMORY_LIMITS = { entries: 50_000, milliseconds: 24 * 60 * 60 * 1000 };

/** Refusals that newer secrets could change. */
const DEPEND_ON_SECRETS: RefusalCode[] = [
	'signing_secret_missing',
	'signature_mismatch',
	'receiver_header_incomplete',
	'receiver_header_mismatch',
];

/** If unsigned deliveries are allowed, these too: the secret may have been removed. */
const DEPEND_ON_REMOVAL: RefusalCode[] = ['signature_missing', 'signature_malformed'];

/** The answer to an event that is not selected. */
const NOT_SELECTED: Record<string, string> = {
	conversation_processed: 'Select Conversation Processed to run the workflow on conversations.',
	test: 'Select Test to run the workflow on tests.',
};

/** Both live as long as the process and are shared by all workflows in it; their keys keep nodes apart. */
const secretsCache = new SecretsCache();
const memory = new DeliveryMemory(MEMORY_LIMITS);

/**
 * Handles one delivery from its raw bytes to the answer; only an event that is selected and new starts an execution.
 * Never throws: that would answer 500 and leave a failed execution.
 */
export async function receiveDelivery(context: IWebhookFunctions): Promise<IWebhookResponseData> {
	const arrived = performance.now();
	let settings: Settings;
	let judged: Judgement;
	try {
		settings = readSettings(context);
		judged = await judge(context, settings, arrived);
	} catch (error) {
		const reason = error instanceof Error ? error.message : String(error);
		context.logger.error(
			`Conversation Intelligence Trigger cannot read its credential or settings: ${reason}`,
			labelOf(context),
		);
		return refuse(context, refusal('trigger_unreadable'));
	}
	if ('refused' in judged) return refuse(context, judged.refused);
	const { envelope, isSigned } = judged;
	const { event_type: type, data } = envelope;

	const isListening = context.getMode() === 'manual';
	if (!isListening && !settings.events.includes(type)) {
		const arrival = isSigned ? 'The signature fits.' : 'The delivery is not signed.';
		return { webhookResponse: { status: 'ignored', message: `${arrival} ${NOT_SELECTED[type]}` } };
	}
	if (!isListening && settings.dropRepeats && type === 'conversation_processed') {
		const turn = await memory.begin(
			[context.getWorkflow().id, context.getNode().id, data.conversation_id].join('/'),
		);
		if (turn === undefined) return { webhookResponse: { status: 'repeat' } };
		endWithResponse(context, turn);
	}
	return { webhookResponse: { status: 'accepted' }, workflowData: [[{ json: eventItem(envelope) }]] };
}

/** Remembered secrets only speed up an acceptance; what they refuse is judged again with the latest ones. */
async function judge(context: IWebhookFunctions, settings: Settings, arrived: number): Promise<Judgement> {
	const delivery = await readDelivery(context).catch(() => undefined);
	if (delivery === undefined) return { refused: refusal('body_unreadable') };
	const { id, credentials } = context.getNode();
	const key = [context.getWorkflow().id, id, credentials?.conversationExportApi?.id].join('/');
	const judgeBy = async (notBefore: number) => {
		const read = async () => await context.getCredentials('conversationExportApi');
		const secrets = await secretsCache.get(key, notBefore, read);
		return judgeDelivery(delivery, { ...settings, secrets }, Date.now());
	};
	const judged = await judgeBy(arrived - SECRETS_LIFETIME_MS);
	if (!('refused' in judged)) return judged;
	const { code } = judged.refused;
	const mayChange =
		DEPEND_ON_SECRETS.includes(code) || (settings.allowUnsigned && DEPEND_ON_REMOVAL.includes(code));
	return mayChange ? await judgeBy(arrived) : judged;
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

/** Only a success that left in full counts as acknowledged; a sender that hung up tries again. */
function endWithResponse(context: IWebhookFunctions, turn: Turn): void {
	const response = context.getResponseObject();
	if (response.closed) return turn.end(false);
	response.once('close', () => {
		const { writableFinished, statusCode } = response;
		turn.end(writableFinished && statusCode >= 200 && statusCode < 300);
	});
}

/** n8n's log says why; the sender learns it only once its signature fits. */
function refuse(context: IWebhookFunctions, refused: Refusal): IWebhookResponseData {
	const { status, code, message, isShown } = refused;
	context.logger.warn(`Conversation Intelligence Trigger refused a delivery: ${message}`, {
		...labelOf(context),
		status,
		reason: code,
	});
	const body: IDataObject = { status: 'refused', ...(isShown ? { reason: code, message } : {}) };
	// n8n lets a node choose the status only if it answers itself.
	context.getResponseObject().status(status).json(body);
	return { noWebhookResponse: true };
}

function labelOf(context: IWebhookFunctions): IDataObject {
	return { workflowId: context.getWorkflow().id, nodeName: context.getNode().name };
}
