import type { IHookFunctions } from 'n8n-workflow';
import { requireSecret } from '../../../nodes/ConversationIntelligenceTrigger/requireSecret';

function hooks(activation: string, credential: object) {
	const warn = jest.fn();
	const context = {
		getActivationMode: () => activation,
		getCredentials: async () => credential,
		getNode: () => ({ name: 'Trigger' }),
		getNodeParameter: (_name: string, fallback: unknown) => fallback,
		getWorkflow: () => ({ id: 'workflow' }),
		logger: { warn },
	} as unknown as IHookFunctions;
	return { context, warn };
}

test.each(['init', 'leadershipChange'])(
	'logs which workflow and node refuse every delivery when n8n starts them by itself (%s)',
	async (activation) => {
		const { context, warn } = hooks(activation, {});
		await requireSecret(context);
		expect(warn.mock.calls).toEqual([
			[
				'Conversation Intelligence Trigger refuses every delivery: The Conversation Export API credential has no Signing Secret',
				{ workflowId: 'workflow', nodeName: 'Trigger' },
			],
		]);
	},
);

test.each([
	{ signingSecret: 'secret', receiverHeaderName: 'X-Receiver' },
	{ signingSecret: 'secret', receiverHeaderSecret: 'token' },
])('refuses %j and says to fill in both or neither', async (credential) => {
	await expect(requireSecret(hooks('activate', credential).context)).rejects.toMatchObject({
		message:
			'The Conversation Export API credential has only one of Receiver Header Name and Receiver Header Value',
		description: 'Fill in both or neither.',
	});
});
