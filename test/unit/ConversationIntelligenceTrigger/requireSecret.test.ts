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
	'logs which workflow and node reject every delivery when n8n starts them by itself (%s)',
	async (activation) => {
		const { context, warn } = hooks(activation, {});
		await requireSecret(context);
		expect(warn.mock.calls).toEqual([
			[
				'Conversation Intelligence Trigger rejects every delivery: The Conversation Export API credential has no Signing Secret: enter one in the credential',
				{ workflowId: 'workflow', nodeName: 'Trigger' },
			],
		]);
	},
);

test.each(['getCredentials', 'getNodeParameter'] as const)(
	'stays registered when n8n starts and %s fails, e.g. while its vault is away; a person sees why',
	async (read) => {
		const failing = (activation: string) => {
			const { context, warn } = hooks(activation, { signingSecret: 'the current secret' });
			context[read] = () => {
				throw new Error('Could not load secrets');
			};
			return { context, warn };
		};
		const { context, warn } = failing('init');
		await expect(requireSecret(context)).resolves.toBeUndefined();
		expect(warn.mock.calls).toEqual([
			[
				'Conversation Intelligence Trigger rejects every delivery: Could not load secrets',
				{ workflowId: 'workflow', nodeName: 'Trigger' },
			],
		]);
		await expect(requireSecret(failing('activate').context)).rejects.toThrow('Could not load secrets');
	},
);

test.each([
	{ signingSecret: 'the current secret', receiverHeaderName: 'X-Receiver' },
	{ signingSecret: 'the current secret', receiverHeaderSecret: 'token' },
])('refuses %j and says to fill in both or neither', async (credential) => {
	await expect(requireSecret(hooks('activate', credential).context)).rejects.toMatchObject({
		message:
			'The Conversation Export API credential has only one of Receiver Header Name and Receiver Header Value: fill in both or neither',
		description: 'Each delivery must carry this header, if there is one.',
	});
});

test.each([
	{ signingSecret: 'short' },
	{ signingSecret: 'the current secret', previousSigningSecret: 'short' },
])('refuses the short secret in %j, even where unsigned deliveries are allowed', async (credential) => {
	const { context } = hooks('activate', credential);
	const allowed = {
		...context,
		getNodeParameter: (name: string, fallback: unknown) =>
			name === 'options' ? { allowUnsigned: true } : fallback,
	};
	await expect(requireSecret(allowed as unknown as IHookFunctions)).rejects.toMatchObject({
		message:
			'The Conversation Export API credential has a signing secret of fewer than 16 characters: enter a longer one',
		description: 'Enter the same secret in the webhook subscription.',
	});
});
