import { Container } from '@n8n/di';
import { Logger } from '@n8n/backend-common';
import type { WorkflowActivateMode } from 'n8n-workflow';
import { ConversationIntelligenceTrigger } from '../../../nodes/ConversationIntelligenceTrigger/ConversationIntelligenceTrigger.node';
import { readSecrets } from '../../../nodes/ConversationIntelligenceTrigger/secrets';
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

test.each([
	[{ signingSecret: '  ' }, EVENTS, 'signing_secret_missing'],
	[{ signingSecret: 'x' }, UNSIGNED, 'signing_secret_short'],
	[{ signingSecret: SECRET, previousSigningSecret: 'short' }, UNSIGNED, 'signing_secret_short'],
	[{ signingSecret: SECRET, receiverHeaderName: 'X-Receiver' }, EVENTS, 'receiver_header_incomplete'],
	[{ signingSecret: SECRET, receiverHeaderSecret: 'token' }, EVENTS, 'receiver_header_incomplete'],
])('says why every delivery would be rejected with the credential %j and %j', async (...row) => {
	const [credential, parameters, code] = row;
	for (const activation of BY_HAND) {
		await expect(register(credential, activation, parameters)).rejects.toMatchObject({
			name: 'NodeOperationError',
			context: { details: { code } },
		});
	}
});

test.each([
	['the credential has no secret', {}, EVENTS, 'signing_secret_missing'],
	['its vault is away', undefined, EVENTS, 'n8n_error'],
	['a setting is not readable', {}, { events: 7 as never }, 'value_invalid'],
])(
	'stays registered when n8n starts by itself while %s: the log says so, and a person who publishes sees it',
	async (_why, credential, parameters, code) => {
		const warn = jest.spyOn(Container.get(Logger), 'warn').mockImplementation(() => {});
		const failure = await register(credential, 'activate', parameters).catch((error: Error) => error);
		expect(failure).toMatchObject({ context: { details: { code } } });
		for (const activation of BY_ITSELF) {
			expect(await register(credential, activation, parameters)).toBe(true);
			expect(warn.mock.calls.flat()).toEqual([
				expect.stringMatching(/: Node: rejects every delivery: ./),
				expect.objectContaining({ workflowId: 'workflow', nodeName: 'Node' }),
			]);
			warn.mockClear();
		}
	},
);

describe('readSecrets', () => {
	test('trims everything and leaves out what is empty', () => {
		const secrets = readSecrets({
			signingSecret: ' with blanks inside \n',
			previousSigningSecret: ' ',
			receiverHeaderName: ' X-Receiver ',
			receiverHeaderSecret: 'token\n',
		});
		expect(secrets).toEqual({
			signing: ['with blanks inside'],
			hasShort: false,
			receiverHeader: { name: 'X-Receiver', value: 'token' },
		});
		expect(readSecrets({})).toEqual({
			signing: [],
			hasShort: false,
			receiverHeader: { name: '', value: '' },
		});
	});

	test('never accepts a signing secret of fewer than 16 characters, current or previous', () => {
		const long = '1234567890abcdef';
		const both = { signingSecret: long, previousSigningSecret: 'the previous secret' };
		expect(readSecrets(both)).toMatchObject({ signing: [long, 'the previous secret'], hasShort: false });
		expect(readSecrets({ signingSecret: ` ${long.slice(1)} ` })).toMatchObject({
			signing: [],
			hasShort: true,
		});
		expect(readSecrets({ signingSecret: long, previousSigningSecret: 'x' })).toMatchObject({
			signing: [long],
			hasShort: true,
		});
	});
});
