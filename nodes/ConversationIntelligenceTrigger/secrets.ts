import type { ICredentialDataDecryptedObject, IHookFunctions, IWebhookFunctions } from 'n8n-workflow';
import { codedError } from '../shared/base/codedError';
import { logLine, nodeErrorOf } from '../shared/base/nodeError';
import { publicationError, readSelection, memoryOf } from '../shared/triggers/conversations';
import { SAFE_SECRET_LENGTH, TRIGGER_ERRORS } from './errors';
import { fieldsParameter, readSettings } from './panel';

/** What a delivery must prove, from the Conversation Export API credential. */
export function readSecrets(data: ICredentialDataDecryptedObject) {
	const signing = [data.signingSecret, data.previousSigningSecret].flatMap(formsOf);
	return {
		/** Current and previous signing secret. */
		signing,
		/** Whether one could be guessed from a recorded delivery. */
		hasShort: signing.some(({ length }) => length < SAFE_SECRET_LENGTH),
		/** The custom header that each delivery must carry, and the values that it may have; both empty for none. */
		receiverHeader: {
			name: formsOf(data.receiverHeaderName)[0] ?? '',
			values: formsOf(data.receiverHeaderSecret),
		},
	};
}

export type ReceiverSecrets = ReturnType<typeof readSecrets>;

/** A text without the blanks around it, which are often pasted along, and as it was saved: the other side may have them. */
function formsOf(value: unknown): string[] {
	if (typeof value !== 'string' || value.trim() === '') return [];
	return [...new Set([value.trim(), value])];
}

/** A new secret counts after this time, and forged deliveries cost at most one read in it. */
const LIFETIME_MS = 1000;

/** The latest read of each credential, and when it began, in milliseconds of `performance.now()`. */
const readings = memoryOf(() => new Map<string, { began: number; secrets: Promise<ReceiverSecrets> }>());

/**
 * The secrets of a trigger, read at most once a second: for each read of a credential n8n builds an expression sandbox, at
 * a higher cost than the rest of a delivery.
 * @throws what n8n throws for an unreadable credential
 */
export async function recentSecrets(context: IWebhookFunctions): Promise<ReceiverSecrets> {
	const ofTrigger = readings(context);
	const chosen = JSON.stringify(context.getNode().credentials);
	const now = performance.now();
	const known = ofTrigger.get(chosen);
	if (known && now - known.began <= LIFETIME_MS) return await known.secrets;
	const secrets = context.getCredentials('conversationExportApi').then(readSecrets);
	ofTrigger.set(chosen, { began: now, secrets });
	return await secrets;
}

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
		const { signing, hasShort, receiverHeader } = readSecrets(credential);
		hasNone = signing.length === 0 && !allowUnsigned;
		if (hasShort) logLine(context, 'warn', SHORT_SECRET);
		if (hasNone) throw codedError(TRIGGER_ERRORS, 'signing_secret_missing', {});
		if ((receiverHeader.name === '') !== (receiverHeader.values.length === 0)) {
			throw codedError(TRIGGER_ERRORS, 'receiver_header_incomplete', {});
		}
	} catch (reason) {
		const error = nodeErrorOf(context.getNode(), reason);
		const mode = context.getActivationMode();
		if (mode === 'manual') throw error;
		if (hasNone && !UNATTENDED.includes(mode)) throw publicationError(context.getNode(), error);
		logLine(context, 'warn', `cannot accept deliveries: ${error.message}`);
	}
}
