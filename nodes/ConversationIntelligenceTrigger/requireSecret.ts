import { NodeOperationError, type IHookFunctions } from 'n8n-workflow';
import { readSecrets } from './receiverSecrets';
import { readSettings } from './settings';

/** Nobody watches while n8n starts; a webhook that was not registered then would stay away, mended or not. */
const UNATTENDED = ['init', 'leadershipChange'];

/**
 * Refuses to listen or to be published where every delivery would be refused, so that the user sees why.
 *
 * @throws NodeOperationError without a signing secret (unless unsigned deliveries are allowed), and with half of a
 *   receiver header; while n8n starts it is logged instead
 */
export async function requireSecret(context: IHookFunctions): Promise<void> {
	const refused = await findGap(context);
	if (refused === undefined) return;
	if (!UNATTENDED.includes(context.getActivationMode())) throw refused;
	context.logger.warn(`Conversation Intelligence Trigger refuses every delivery: ${refused.message}`, {
		workflowId: context.getWorkflow().id,
		nodeName: context.getNode().name,
	});
}

async function findGap(context: IHookFunctions): Promise<NodeOperationError | undefined> {
	const { allowUnsigned } = readSettings(context);
	const { signing, receiverHeader } = readSecrets(await context.getCredentials('conversationExportApi'));
	if (signing.length === 0 && !allowUnsigned) {
		return new NodeOperationError(
			context.getNode(),
			'The Conversation Export API credential has no Signing Secret',
			{ description: 'Enter one there, and the same secret in the webhook subscription.' },
		);
	}
	if ((receiverHeader.name === '') === (receiverHeader.value === '')) return undefined;
	return new NodeOperationError(
		context.getNode(),
		'The Conversation Export API credential has only one of Receiver Header Name and Receiver Header Value',
		{ description: 'Fill in both or neither.' },
	);
}
