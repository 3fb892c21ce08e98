import { Container } from '@n8n/di';
import { Logger } from '@n8n/backend-common';
import { createEngine } from '../../support/engine';

const PARAMETERS = { events: ['conversation_processed'] };
const UNSIGNED = { ...PARAMETERS, options: { allowUnsigned: true } };
const BY_HAND = ['manual', 'activate', 'update'] as const;

const engineWith = async (credential: object = {}) =>
	await createEngine({
		conversationExportApi: {
			baseUrl: 'http://127.0.0.1:1/data',
			apiKey: 'key',
			signingSecret: '',
			...credential,
		},
	});

describe('Conversation Intelligence Trigger, before it listens', () => {
	test.each(BY_HAND)('refuses without a signing secret and says what to do (%s)', async (activation) => {
		for (const signingSecret of ['', '  ']) {
			const engine = await engineWith({ signingSecret });
			await expect(
				engine.register('conversationIntelligenceTrigger', PARAMETERS, activation),
			).rejects.toMatchObject({
				name: 'NodeOperationError',
				message: 'The Conversation Export API credential has no Signing Secret: enter one in the credential',
				description: 'Enter the same secret in the webhook subscription.',
			});
		}
	});

	test.each(BY_HAND)('listens with a secret, or with Allow Unsigned Deliveries (%s)', async (activation) => {
		const signed = await engineWith({ signingSecret: 'the current secret' });
		expect(await signed.register('conversationIntelligenceTrigger', PARAMETERS, activation)).toBe(true);
		const rotating = await engineWith({ previousSigningSecret: 'the previous secret' });
		expect(await rotating.register('conversationIntelligenceTrigger', PARAMETERS, activation)).toBe(true);
		const unsigned = await engineWith();
		expect(await unsigned.register('conversationIntelligenceTrigger', UNSIGNED, activation)).toBe(true);
	});

	test('refuses a secret of one character, which anyone could guess', async () => {
		const engine = await engineWith({ signingSecret: 'x' });
		await expect(engine.register('conversationIntelligenceTrigger', UNSIGNED, 'activate')).rejects.toThrow(
			/signing secret of fewer than 16 characters: enter a longer one/,
		);
	});

	test('refuses half of a receiver header, because no delivery could match it', async () => {
		const engine = await engineWith({
			signingSecret: 'the current secret',
			receiverHeaderName: 'X-Receiver',
		});
		await expect(engine.register('conversationIntelligenceTrigger', PARAMETERS, 'activate')).rejects.toThrow(
			/only one of Receiver Header Name and Receiver Header Value/,
		);
	});

	test('stays registered while n8n starts, and says in the log that it rejects every delivery', async () => {
		const warn = jest.spyOn(Container.get(Logger), 'warn').mockImplementation(() => {});
		const engine = await engineWith();
		expect(await engine.register('conversationIntelligenceTrigger', PARAMETERS, 'init')).toBe(true);
		expect(warn).toHaveBeenCalledWith(
			expect.stringMatching(/rejects every delivery: .* has no Signing Secret/),
			expect.objectContaining({ nodeName: 'Node' }),
		);
	});
});
