import type { IHookFunctions } from 'n8n-workflow';
import { codedError } from '../shared/errors/codedError';
import { logLine } from '../shared/errors/log';
import { nodeErrorOf } from '../shared/errors/nodeError';
import { TRIGGER_ERRORS } from './errors';
import { readFilter, readSecrets, readSettings } from './settings';

/** While n8n starts, nobody sees an error, and a webhook that fails to register is never registered again. */
const UNATTENDED = ['init', 'leadershipChange'];

/**
 * Refuses to listen or to be published when every delivery would be rejected, so that the user sees why.
 *
 * @throws NodeOperationError without a signing secret (unless unsigned deliveries are allowed), with a short one, and
 *   with half of a receiver header; and what n8n throws for an unreadable credential. While n8n starts it is logged instead
 */
export async function requireSecret(context: IHookFunctions): Promise<void> {
	try {
		await verifyCredential(context);
	} catch (reason) {
		const error = nodeErrorOf(context.getNode(), reason);
		if (!UNATTENDED.includes(context.getActivationMode())) throw error;
		logLine(context, 'warn', `rejects every delivery: ${error.message}`);
	}
}

async function verifyCredential(context: IHookFunctions): Promise<void> {
	const { allowUnsigned } = readSettings(context);
	readFilter(context);
	const { signing, hasShort, receiverHeader } = readSecrets(
		await context.getCredentials('conversationExportApi'),
	);
	if (hasShort) throw codedError(TRIGGER_ERRORS, 'signing_secret_short', {});
	if (signing.length === 0 && !allowUnsigned) throw codedError(TRIGGER_ERRORS, 'signing_secret_missing', {});
	if ((receiverHeader.name === '') !== (receiverHeader.value === '')) {
		throw codedError(TRIGGER_ERRORS, 'receiver_header_incomplete', {});
	}
}
