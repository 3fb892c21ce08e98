import { NodeOperationError, type IHookFunctions } from 'n8n-workflow';
import { readSecrets, readSettings } from './settings';

/** While n8n starts, nobody sees an error, and a webhook that fails to register is never registered again. */
const UNATTENDED = ['init', 'leadershipChange'];

/**
 * Refuses to listen or to be published when every delivery would be refused, so that the user sees why.
 *
 * @throws NodeOperationError without a signing secret (unless unsigned deliveries are allowed), and with half of a
 *   receiver header; while n8n starts it is logged instead
 */
export async function requireSecret(context: IHookFunctions): Promise<void> {
	const { allowUnsigned } = readSettings(context);
	const { signing, receiverHeader } = readSecrets(await context.getCredentials('conversationExportApi'));
	const isHalf = (receiverHeader.name === '') !== (receiverHeader.value === '');
	if (signing.length === 0 && !allowUnsigned) {
		refuse(context, 'no Signing Secret', 'Enter one there, and the same secret in the webhook subscription.');
	} else if (isHalf) {
		const lacks = 'only one of Receiver Header Name and Receiver Header Value';
		refuse(context, lacks, 'Fill in both or neither.');
	}
}

function refuse(context: IHookFunctions, lacks: string, description: string): void {
	const message = `The Conversation Export API credential has ${lacks}`;
	if (!UNATTENDED.includes(context.getActivationMode())) {
		throw new NodeOperationError(context.getNode(), message, { description });
	}
	context.logger.warn(`Conversation Intelligence Trigger refuses every delivery: ${message}`, {
		workflowId: context.getWorkflow().id,
		nodeName: context.getNode().name,
	});
}
