import type { IDataObject, IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';
import type { ReceivedEnvelope } from '../shared/contract';
import { DeliveryMemory, type Turn } from './deliveryMemory';
import { eventItem } from './eventItem';
import { judgeDelivery, type Delivery, type Expectation, type Judgement } from './judgeDelivery';
import { refusal, type Refusal, type RefusalCode } from './refusals';
import { SecretsCache } from './receiverSecrets';
import { readSettings, type Settings } from './settings';

/** Secrets may be this old for an acceptance. */
const SECRETS_LIFETIME_MS = 10_000;

/** A day and a good many deliveries: a retry arrives within minutes or hours, if at all. */
const MEMORY_LIMITS = { entries: 50_000, milliseconds: 24 * 60 * 60 * 1000 };

/** Refusals that secrets saved meanwhile could change. */
const DEPEND_ON_SECRETS: RefusalCode[] = [
	'signing_secret_missing',
	'signature_mismatch',
	'receiver_header_incomplete',
	'receiver_header_mismatch',
];

/** These as well where unsigned deliveries are allowed: the secret may have been removed. */
const DEPEND_ON_REMOVAL: RefusalCode[] = ['signature_missing', 'signature_malformed'];

/** Both live as long as the process and are shared by all workflows in it; their keys keep nodes apart. */
const secretsCache = new SecretsCache();
const memory = new DeliveryMemory(MEMORY_LIMITS);

/**
 * One delivery from its raw bytes to the answer. Never throws: a throw would answer 500 and leave a failed execution.
 *
 * @returns the item for an event that is wanted and new; else only the answer, and no execution starts
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
			label(context),
		);
		return refuse(context, refusal('trigger_unreadable'));
	}
	if ('refused' in judged) return refuse(context, judged.refused);
	const { envelope } = judged;

	const listening = context.getMode() === 'manual';
	if (!listening && !settings.events.includes(envelope.event_type)) {
		return { webhookResponse: { status: 'ignored', reason: `${envelope.event_type}_not_selected` } };
	}
	if (!listening && settings.dropRepeats && envelope.event_type === 'conversation_processed') {
		const turn = await memory.begin(memoryKey(context, envelope));
		if (turn === undefined) return { webhookResponse: { status: 'repeat' } };
		endWithResponse(context, turn);
	}
	return { webhookResponse: { status: 'accepted' }, workflowData: [[{ json: eventItem(envelope) }]] };
}

/** Remembered secrets can only speed up an acceptance; what they refuse is judged again by those saved now. */
async function judge(context: IWebhookFunctions, settings: Settings, arrived: number): Promise<Judgement> {
	const delivery = await readDelivery(context).catch(() => undefined);
	if (delivery === undefined) return { refused: refusal('body_unreadable') };
	const judgeBy = async (notBefore: number) => {
		const expectation: Expectation = { ...settings, secrets: await readCredential(context, notBefore) };
		return judgeDelivery(delivery, expectation, Date.now());
	};
	const judged = await judgeBy(arrived - SECRETS_LIFETIME_MS);
	if (!('refused' in judged)) return judged;
	const { code } = judged.refused;
	const mayChange =
		DEPEND_ON_SECRETS.includes(code) || (settings.allowUnsigned && DEPEND_ON_REMOVAL.includes(code));
	return mayChange ? await judgeBy(arrived) : judged;
}

async function readCredential(context: IWebhookFunctions, notBefore: number) {
	const { id, credentials } = context.getNode();
	const key = [context.getWorkflow().id, id, credentials?.conversationExportApi?.id].join('/');
	return await secretsCache.get(
		key,
		notBefore,
		async () => await context.getCredentials('conversationExportApi'),
	);
}

async function readDelivery(context: IWebhookFunctions): Promise<Delivery> {
	const request = context.getRequestObject();
	// n8n has read the body of the usual content types only.
	await request.readRawBody();
	const { rawBody } = request;
	return {
		// Undefined for an empty body.
		rawBody: Buffer.isBuffer(rawBody) ? rawBody : Buffer.alloc(0),
		headers: { ...context.getHeaderData() },
	};
}

function memoryKey(context: IWebhookFunctions, { data }: ReceivedEnvelope): string {
	return [context.getWorkflow().id, context.getNode().id, data.conversation_id].join('/');
}

/** Only a 2xx that left in full counts as acknowledged; a sender that hung up tries again. */
function endWithResponse(context: IWebhookFunctions, turn: Turn): void {
	const response = context.getResponseObject();
	if (response.closed) return turn.end(false);
	response.once('close', () => {
		const { writableFinished, statusCode } = response;
		turn.end(writableFinished && statusCode >= 200 && statusCode < 300);
	});
}

/** The log of n8n says why; the sender learns it only where it has proven itself. */
function refuse(context: IWebhookFunctions, refused: Refusal): IWebhookResponseData {
	const { status, code, message, tellsSender } = refused;
	context.logger.warn(`Conversation Intelligence Trigger refused a delivery: ${message}`, {
		...label(context),
		status,
		reason: code,
	});
	return answer(context, status, { status: 'refused', ...(tellsSender ? { reason: code, message } : {}) });
}

/** n8n lets a node choose the status only by answering itself. */
function answer(context: IWebhookFunctions, status: number, body: IDataObject): IWebhookResponseData {
	context.getResponseObject().status(status).json(body);
	return { noWebhookResponse: true };
}

function label(context: IWebhookFunctions): IDataObject {
	return { workflowId: context.getWorkflow().id, nodeName: context.getNode().name };
}
