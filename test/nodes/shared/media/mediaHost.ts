import { Readable } from 'node:stream';
import type { IDataObject, IExecuteFunctions, IHttpRequestOptions } from 'n8n-workflow';
import { bytes, scriptedService } from '../http/scriptedService';

export const ID = '3f2b8c1e-5d7a-4c66-9b1f-0a2d4e6f8a10';
export const URL = 'https://media.example/a?signature=s';

/** What the media host sends, or the error of n8n's HTTP helper. */
export type Sends = { statusCode: number; headers?: IDataObject; body?: string } | Error;

/** A context and a conversation whose links lead to a media host with these responses: one after another, then the last one forever. */
export function mediaHost({ sends, signal }: { sends: Sends[]; signal?: AbortSignal }) {
	const row = { conversationId: ID, title: 'Roof', audioUrl: URL, transcriptUrl: URL };
	const { context, sent: lookUps } = scriptedService({
		responses: [{ statusCode: 200, body: bytes(row) }],
		signal,
	});
	const asked: IHttpRequestOptions[] = [];
	const bodies: Readable[] = [];
	const httpRequest = async (options: IHttpRequestOptions) => {
		asked.push(options);
		const response = sends[Math.min(asked.length, sends.length) - 1];
		if (response instanceof Error) throw response;
		// In parts, as a network cuts them: within a character, too.
		const sent = Buffer.from(response.body ?? '');
		const body = Readable.from([sent.subarray(0, 16), sent.subarray(16, 15e6), sent.subarray(15e6)]);
		(options.abortSignal as AbortSignal).addEventListener('abort', () => body.destroy());
		bodies.push(body);
		return { headers: {}, ...response, body };
	};
	// As n8n without its SSRF protection.
	Object.assign(context.helpers, { httpRequest, getSecureEgressFilter: () => undefined });
	return { context: context as IExecuteFunctions, asked, bodies, lookUps };
}
