import { ConversationIntelligence } from '../../../../nodes/ConversationIntelligence/ConversationIntelligence.node';
import { POLICY } from '../../../../nodes/shared/http';
import type { Engine } from '../../../support/engine';
import { scriptedEngine } from '../../../support/engine/fixtures';
import type { ScriptedResponse } from '../../../support/scriptedServer';

export const ID = '3f2b8c1e-5d7a-4c66-9b1f-0a2d4e6f8a10';
const PATH = '/9f3e8a10';
const LINK = `${PATH}?signature=abc`;

/** The audio and its headers. */
export const WHOLE = Buffer.concat([Buffer.from('fLaC'), Buffer.alloc(200_000, 7)]);
export const HEADERS = { 'content-type': 'audio/flac', 'content-length': String(WHOLE.length) };
export const whole: ScriptedResponse = (_request, response) => {
	response.writeHead(200, HEADERS).end(WHOLE);
};

/** For a describe block: a service with one conversation, and the media host of its audio link. */
export function mediaHost() {
	const { server: service, engine } = scriptedEngine([ConversationIntelligence]);
	// At the port of the service, because the node opens no other one of this machine.
	const media = service.part(PATH);
	beforeEach(() => {
		jest.replaceProperty(POLICY as { baseDelayMs: number }, 'baseDelayMs', 10);
		const row = { conversationId: ID, title: 'Roof', audioUrl: `${service.url}${LINK}` };
		service.respond([{ status: 200, body: JSON.stringify(row) }]);
	});
	const parameters = { resource: 'conversation', operation: 'downloadAudio', conversationId: ID };
	return {
		media,
		service,
		engine,
		/** Runs Download Audio. */
		download: async (options?: Parameters<Engine['runNode']>[2]) =>
			await engine.runNode('conversationIntelligence', parameters, options),
	};
}
