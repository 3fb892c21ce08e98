import type { IDataObject, IExecuteFunctions, IHttpRequestOptions, NodeExecutionHint } from 'n8n-workflow';
import { runEvents } from '../../../nodes/ConversationIntelligenceTrigger/events';

interface Options {
	event: object;
	parameters?: IDataObject;
	/** The status and body of the next response. */
	respond?: () => [status: number, row?: object];
	/** n8n's own record of what the trigger has processed: which of the IDs it knows. */
	record?: (ids: string[]) => Promise<string[]>;
	mode?: 'webhook' | 'manual';
	node?: string;
	workflow?: string;
}

/** An execution of one event, without n8n. */
export function execution({ event, parameters = {}, respond, record, ...options }: Options) {
	const { mode = 'webhook', node = 'node', workflow = 'workflow' } = options;
	const cancel = new AbortController();
	const hints: string[] = [];
	const logged: unknown[] = [];
	/** Each request, and when it was sent, in milliseconds. */
	const sent: Array<{ url: string; at: number }> = [];
	const log = (...line: unknown[]) => void logged.push(line);
	const context = {
		getInputData: () => [{ json: event }],
		getMode: () => mode,
		getNode: () => ({ id: node, name: 'Trigger', type: 'trigger', parameters }),
		getNodeParameter: (name: string, _index: number, fallback: unknown) => parameters[name] ?? fallback,
		getWorkflow: () => ({ id: workflow, name: 'Workflow' }),
		getCredentials: async () => ({ baseUrl: 'https://service.example', apiKey: 'key' }),
		getExecutionCancelSignal: () => cancel.signal,
		continueOnFail: () => false,
		addExecutionHints: ({ message }: NodeExecutionHint) => void hints.push(message),
		logger: { info: log, warn: log },
		helpers: {
			httpRequestWithAuthentication: async (_type: string, { url }: IHttpRequestOptions) => {
				sent.push({ url, at: Date.now() });
				const [statusCode, row = {}] = respond!();
				return { statusCode, headers: {}, body: Buffer.from(JSON.stringify(row)) };
			},
			checkProcessedAndRecord: async (ids: string[], scope: string, limits: object) => {
				expect([scope, limits]).toEqual(['node', { mode: 'entries', maxEntries: 10_000 }]);
				return { new: [], processed: await record!(ids) };
			},
		},
	} as unknown as IExecuteFunctions;
	const run = async () => (await runEvents(context))[0].map(({ json }) => json);
	return { run, cancel, hints, logged, sent };
}
