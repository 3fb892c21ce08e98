import { createEngine, type Engine } from '../../../support/engine';
import { ScriptedServer, type ScriptedResponse } from '../../../support/scriptedServer';

export const ID = '3f2b8c1e-5d7a-4c66-9b1f-0a2d4e6f8a10';
export const LINK = '/9f3e8a10?signature=abc';

/** The audio and its headers. */
export const WHOLE = Buffer.concat([Buffer.from('fLaC'), Buffer.alloc(200_000, 7)]);
export const HEADERS = { 'content-type': 'audio/flac', 'content-length': String(WHOLE.length) };
export const whole: ScriptedResponse = (_request, response) => {
	response.writeHead(200, HEADERS).end(WHOLE);
};

export type MediaHost = Awaited<ReturnType<typeof startMediaHost>>;

/** A service with one conversation, and the media host of its audio link. */
export async function startMediaHost() {
	const media = await ScriptedServer.start();
	const row = { conversationId: ID, title: 'Roof', audioUrl: `${media.url}${LINK}` };
	const service = await ScriptedServer.start({ status: 200, body: JSON.stringify(row) });
	const engine = await createEngine({
		conversationExportApi: { baseUrl: service.url, apiKey: 'key-of-the-test' },
	});
	const parameters = {
		resource: 'conversation',
		operation: 'downloadAudio',
		conversationId: { __rl: true, mode: 'id', value: ID },
	};
	return {
		media,
		service,
		/** Runs Download Audio. */
		download: async (options?: Parameters<Engine['runNode']>[2]) =>
			await engine.runNode('conversationIntelligence', parameters, options),
		binary: engine.binary,
		async close() {
			await media.close();
			await service.close();
		},
	};
}
