import { Container } from '@n8n/di';
import { Logger } from '@n8n/backend-common';
import type { WorkflowActivateMode } from 'n8n-workflow';
import { ConversationIntelligenceTrigger } from '../../../nodes/ConversationIntelligenceTrigger/ConversationIntelligenceTrigger.node';
import { createEngine } from '../../support/engine';

const SECRET = 'the current secret';
const SHORT = 'fifteen letters';
const RECEIVER = { signingSecret: SECRET, receiverHeaderName: 'X-Receiver' };

/** Whether a trigger listens, what it logs instead of failing, or the code of its error. */
async function outcome(credential: object | undefined, parameters: object, mode: WorkflowActivateMode) {
	const values = { baseUrl: 'http://127.0.0.1:1/data', apiKey: 'key', signingSecret: '', ...credential };
	const warn = jest.spyOn(Container.get(Logger), 'warn').mockImplementation(() => {});
	// Without a credential, n8n cannot read one, as when its vault is away.
	const credentials = credential && { conversationExportApi: values };
	const engine = await createEngine([ConversationIntelligenceTrigger], credentials);
	const given = { events: ['conversation_processed'], ...parameters };
	const listens = await engine
		.register('conversationIntelligenceTrigger', given, mode)
		.catch((error: { context: { details: { code: string } } }) => error.context.details.code);
	const logged = warn.mock.calls.splice(0).map(([line]) => /: Node: (.*?)(?=:|$)/.exec(line)?.[1]);
	return listens === true ? logged.join() || 'listens' : listens;
}

const FAILED = 'cannot accept deliveries';
const WARNED =
	'the signing secret has fewer than 16 characters and could be guessed from one recorded delivery';

test.each<
	[credential: object | undefined, parameters: object, inEditor: string, published: string, atStart: string]
>([
	[{ signingSecret: SECRET }, {}, 'listens', 'listens', 'listens'],
	[{ previousSigningSecret: 'sixteen letters!' }, {}, 'listens', 'listens', 'listens'],
	[{}, { options: { allowUnsigned: true } }, 'listens', 'listens', 'listens'],
	[{ signingSecret: SHORT, previousSigningSecret: SECRET }, {}, WARNED, WARNED, WARNED],
	[{ signingSecret: SECRET, previousSigningSecret: SHORT }, {}, WARNED, WARNED, WARNED],
	[{ signingSecret: '  ' }, {}, 'signing_secret_missing', 'signing_secret_missing', FAILED],
	[RECEIVER, {}, 'receiver_header_incomplete', FAILED, FAILED],
	[
		{ ...RECEIVER, receiverHeaderName: '', receiverHeaderSecret: 'token' },
		{},
		'receiver_header_incomplete',
		FAILED,
		FAILED,
	],
	[undefined, {}, 'n8n_error', FAILED, FAILED],
	[{ signingSecret: SECRET }, { events: 7 }, 'value_invalid', FAILED, FAILED],
	[{ signingSecret: SECRET }, { filters: { users: 7 } }, 'value_invalid', FAILED, FAILED],
])(
	'with %j and %j: "%s" in the editor, "%s" when published, "%s" at a start of n8n, where the live version stays',
	async (credential, parameters, inEditor, published, atStart) => {
		const modes = ['manual', 'activate', 'update', 'init', 'leadershipChange'] as const;
		const outcomes = [];
		for (const mode of modes) outcomes.push(await outcome(credential, parameters, mode));
		expect(outcomes).toEqual([inEditor, published, published, atStart, atStart]);
	},
);
