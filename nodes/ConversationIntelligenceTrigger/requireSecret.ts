import { NodeOperationError, type IHookFunctions } from 'n8n-workflow';
import { plainText } from '../shared/errors/text';
import { labelOf } from './labelOf';
import { MIN_SECRET_LENGTH, readFilter, readSecrets, readSettings } from './settings';

/** While n8n starts, nobody sees an error, and a webhook that fails to register is never registered again. */
const UNATTENDED = ['init', 'leadershipChange'];

const SAME_IN_SUBSCRIPTION = 'Enter the same secret in the webhook subscription.';

/**
 * Refuses to listen or to be published when every delivery would be rejected, so that the user sees why.
 *
 * @throws NodeOperationError without a signing secret (unless unsigned deliveries are allowed), with a short one, and
 *   with half of a receiver header; and what n8n throws for an unreadable credential. While n8n starts it is logged instead
 */
export async function requireSecret(context: IHookFunctions): Promise<void> {
	const verified = verifyCredential(context);
	if (!UNATTENDED.includes(context.getActivationMode())) return await verified;
	await verified.catch((error: unknown) => {
		const reason = plainText(error instanceof Error ? error.message : String(error));
		context.logger.warn(
			`Conversation Intelligence Trigger rejects every delivery: ${reason}`,
			labelOf(context),
		);
	});
}

async function verifyCredential(context: IHookFunctions): Promise<void> {
	const { allowUnsigned } = readSettings(context);
	readFilter(context);
	const { signing, hasShort, receiverHeader } = readSecrets(
		await context.getCredentials('conversationExportApi'),
	);
	const refusal = (lacks: string, description: string) =>
		new NodeOperationError(context.getNode(), `The Conversation Export API credential has ${lacks}`, {
			description,
		});
	if (hasShort) {
		const lacks = `a signing secret of fewer than ${MIN_SECRET_LENGTH} characters: enter a longer one`;
		throw refusal(lacks, SAME_IN_SUBSCRIPTION);
	}
	if (signing.length === 0 && !allowUnsigned) {
		throw refusal('no Signing Secret: enter one in the credential', SAME_IN_SUBSCRIPTION);
	}
	if ((receiverHeader.name === '') !== (receiverHeader.value === '')) {
		const lacks = 'only one of Receiver Header Name and Receiver Header Value: fill in both or neither';
		throw refusal(lacks, 'Each delivery must carry this header, if there is one.');
	}
}
