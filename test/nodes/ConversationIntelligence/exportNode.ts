import { ConversationIntelligence } from '../../../nodes/ConversationIntelligence/ConversationIntelligence.node';
import type { Engine } from '../../support/engine';
import { sandboxEngine, scriptedEngine } from '../../support/engine/fixtures';
import { GET_ALL } from './listing';

/** Runs Get Many of all conversations, or what the parameters say instead. */
const runOn =
	(engine: Engine) =>
	async (parameters: object = {}, options: Parameters<Engine['runNode']>[2] = {}) =>
		await engine.runNode('conversationIntelligence', { ...GET_ALL, ...parameters } as never, options);

/** For a describe block: the node with the local service, which forgets requests and faults before each test. */
export function sandboxExport(options: Parameters<typeof sandboxEngine>[1]) {
	const { sandbox, engine } = sandboxEngine([ConversationIntelligence], options);
	beforeEach(() => {
		sandbox.requests.reset();
		sandbox.faults.clear();
	});
	return { sandbox, engine, run: runOn(engine) };
}

/** For a describe block: the node with a server that responds by a script. */
export function scriptedExport(apiKey?: string) {
	const { server, engine } = scriptedEngine([ConversationIntelligence], apiKey);
	return { server, engine, run: runOn(engine) };
}
