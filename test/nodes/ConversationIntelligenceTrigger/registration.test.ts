import { Container } from '@n8n/di';
import { Logger } from '@n8n/backend-common';
import type { WorkflowActivateMode } from 'n8n-workflow';
import { ConversationIntelligenceTrigger } from '../../../nodes/ConversationIntelligenceTrigger/ConversationIntelligenceTrigger.node';
import { TRIGGER_ERRORS } from '../../../nodes/ConversationIntelligenceTrigger/errors';
import { createEngine } from '../../support/engine';

const EVENTS = { events: ['conversation_processed'] };
const UNSIGNED = { ...EVENTS, options: { allowUnsigned: true } };
const SECRET = 'the current secret';
const BY_HAND = ['manual', 'activate', 'update'] as const;
const BY_ITSELF = ['init', 'leadershipChange'] as const;

/** Registers a trigger's webhook; without a credential, n8n cannot read one. */
async function register(
	credential: object | undefined,
	activation: WorkflowActivateMode,
	parameters = EVENTS,
) {
	const values = { baseUrl: 'http://127.0.0.1:1/data', apiKey: 'key', signingSecret: '', ...credential };
	const engine = await createEngine(
		[ConversationIntelligenceTrigger],
		credential && { conversationExportApi: values },
	);
	return await engine.register('conversationIntelligenceTrigger', parameters, activation);
}

test.each(BY_HAND)('listens with a secret, or with Allow Unsigned Deliveries (%s)', async (activation) => {
	expect(await register({ signingSecret: SECRET }, activation)).toBe(true);
	expect(await register({ previousSigningSecret: SECRET }, activation)).toBe(true);
	expect(await register({}, activation, UNSIGNED)).toBe(true);
});

describe.each(BY_HAND)('says why every delivery would be rejected (%s)', (activation) => {
	test.each([
		[{ signingSecret: '' }, EVENTS, 'signing_secret_missing'],
		[{ signingSecret: '  ' }, EVENTS, 'signing_secret_missing'],
		[{ signingSecret: 'x' }, UNSIGNED, 'signing_secret_short'],
		[{ signingSecret: SECRET, previousSigningSecret: 'short' }, UNSIGNED, 'signing_secret_short'],
		[{ signingSecret: SECRET, receiverHeaderName: 'X-Receiver' }, EVENTS, 'receiver_header_incomplete'],
		[{ signingSecret: SECRET, receiverHeaderSecret: 'token' }, EVENTS, 'receiver_header_incomplete'],
	])('refuses the credential %j with %j', async (credential, parameters, code) => {
		const { message, advice } = TRIGGER_ERRORS[code as 'signing_secret_missing'];
		await expect(register(credential, activation, parameters)).rejects.toMatchObject({
			name: 'NodeOperationError',
			message,
			description: advice,
			context: { details: { code } },
		});
	});
});

test.each([
	['the credential has no secret', {}, EVENTS, TRIGGER_ERRORS.signing_secret_missing.message],
	['its vault is away', undefined, EVENTS, 'Node does not have any credentials set'],
	['a setting is not readable', {}, { events: 7 as never }, 'Trigger On must be a list of'],
])(
	'stays registered when n8n starts by itself while %s: the log says so, and a person who publishes sees it',
	async (_why, credential, parameters, reason) => {
		const warn = jest.spyOn(Container.get(Logger), 'warn').mockImplementation(() => {});
		for (const activation of BY_ITSELF) {
			expect(await register(credential, activation, parameters)).toBe(true);
			expect(warn).toHaveBeenCalledWith(
				expect.stringMatching(`: Node: rejects every delivery: .*${reason}`),
				expect.objectContaining({ workflowId: 'workflow', nodeName: 'Node' }),
			);
			warn.mockClear();
		}
		await expect(register(credential, 'activate', parameters)).rejects.toThrow(reason);
	},
);
