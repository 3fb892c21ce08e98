import { Container } from '@n8n/di';
import { Logger } from '@n8n/backend-common';
import type { WorkflowActivateMode } from 'n8n-workflow';
import { ConversationIntelligenceTrigger } from '../../../nodes/ConversationIntelligenceTrigger/ConversationIntelligenceTrigger.node';
import { readSecrets } from '../../../nodes/ConversationIntelligenceTrigger/receive';
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

const NONE = [[{ signingSecret: '  ' }, EVENTS, 'signing_secret_missing']] as const;
const OTHER = [
	[{ signingSecret: SECRET, receiverHeaderName: 'X-Receiver' }, EVENTS, 'receiver_header_incomplete'],
	[{ signingSecret: SECRET, receiverHeaderSecret: 'token' }, EVENTS, 'receiver_header_incomplete'],
	// Its vault is away.
	[undefined, EVENTS, 'n8n_error'],
	[{ signingSecret: SECRET }, { events: 7 as never }, 'value_invalid'],
	[{ signingSecret: SECRET }, { ...EVENTS, filters: { users: 7 } }, 'value_invalid'],
] as const;

/** The code of an error, or whether it is only logged. */
async function outcomeOf(
	[credential, parameters]: readonly [object | undefined, object, string],
	mode: WorkflowActivateMode,
	logged = /: Node: cannot accept deliveries: ./,
) {
	const warn = jest.spyOn(Container.get(Logger), 'warn').mockImplementation(() => {});
	const registered = await register(credential, mode, parameters as typeof EVENTS).catch(
		(error: { context: { details: { code: string } } }) => error.context.details.code,
	);
	const lines = warn.mock.calls.splice(0).map(([line]) => line);
	if (registered === true) expect(lines).toEqual([expect.stringMatching(logged)]);
	return registered === true ? 'logged' : registered;
}

test.each([...NONE, ...OTHER])(
	'says while the editor listens what is wrong with %j and %j',
	async (...row) => {
		expect(await outcomeOf(row, 'manual')).toBe(row[2]);
	},
);

test.each([...NONE, ...OTHER])(
	'with %j and %j, only a missing secret fails a publication, and nothing a start of n8n: either would end the live version',
	async (...row) => {
		const published = (NONE as readonly unknown[]).some((none) => (none as typeof row)[0] === row[0])
			? row[2]
			: 'logged';
		for (const mode of ['activate', 'update'] as const) expect(await outcomeOf(row, mode)).toBe(published);
		for (const mode of BY_ITSELF) expect(await outcomeOf(row, mode)).toBe('logged');
	},
);

test.each([...BY_HAND, ...BY_ITSELF])(
	'warns in the log of a short secret, which is accepted (%s)',
	async (mode) => {
		const credential = { signingSecret: 'fifteen letters', previousSigningSecret: SECRET };
		expect(
			await outcomeOf(
				[credential, EVENTS, ''],
				mode,
				/: Node: the signing secret has fewer than 16 characters/,
			),
		).toBe('logged');
		expect(await register({ signingSecret: 'sixteen letters!' }, mode)).toBe(true);
	},
);

test('secrets are read without the blanks around them, and as they were saved', () => {
	const none = { signing: [], receiverHeader: { name: '', values: [] } };
	expect(readSecrets({ previousSigningSecret: ' ', receiverHeaderSecret: '\n' })).toEqual(none);
	expect(
		readSecrets({
			signingSecret: ' the current secret \n',
			previousSigningSecret: 'the previous secret',
			receiverHeaderName: ' X-Receiver ',
			receiverHeaderSecret: 'token\n',
		}),
	).toEqual({
		signing: ['the current secret', ' the current secret \n', 'the previous secret'],
		receiverHeader: { name: 'X-Receiver', values: ['token', 'token\n'] },
	});
});
