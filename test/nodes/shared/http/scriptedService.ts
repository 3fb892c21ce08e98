import type {
	IAdditionalCredentialOptions,
	ICredentialDataDecryptedObject,
	IDataObject,
	IExecuteFunctions,
	IHttpRequestOptions,
	INode,
} from 'n8n-workflow';

/** What n8n's HTTP helper returns, or throws instead. */
export type Scripted = { statusCode: number; headers?: IDataObject; body?: unknown } | Error;

export interface Sent {
	/** On the clock of `performance.now()`. */
	at: number;
	type: string;
	options: IHttpRequestOptions;
	additional?: IAdditionalCredentialOptions;
}

export const KEY = 'raw-key-of-the-service';
export const CREDENTIAL = { baseUrl: ' https://api.example.com/v1/ ', apiKey: ` ${KEY}\n` };
export const NODE = {
	id: 'n1',
	name: 'Export',
	type: 'conversationIntelligence',
	typeVersion: 1,
	position: [0, 0],
	parameters: {},
	credentials: { conversationExportApi: { id: 'c1', name: 'My key' } },
} as INode;

/** An error with a system code, as the HTTP helper throws it. */
export const failed = (code?: string): Error => Object.assign(new Error('failed'), { code });

interface Script {
	/** One after another, then the last one forever. */
	responses: Array<Scripted | ((options: IHttpRequestOptions) => Promise<Scripted>)>;
	node?: INode;
	credential?: ICredentialDataDecryptedObject;
	/** Undefined leaves out n8n's function as well, as in triggers. */
	signal?: AbortSignal;
	parameters?: IDataObject;
}

/** The part of an execution that a request needs; it records what is sent and responds as scripted. */
export function scriptedService({
	responses,
	node = NODE,
	credential = CREDENTIAL,
	signal,
	parameters,
}: Script) {
	const sent: Sent[] = [];
	const reads: string[] = [];
	const context = {
		getNode: () => node,
		getMode: () => 'manual',
		getTimezone: () => 'Europe/Berlin',
		getNodeParameter: (name: string, _itemIndex: number, fallback: unknown) => parameters?.[name] ?? fallback,
		getCredentials: async (type: string) => {
			reads.push(type);
			return credential;
		},
		...(signal && { getExecutionCancelSignal: () => signal }),
		helpers: {
			async httpRequestWithAuthentication(
				this: unknown,
				type: string,
				options: IHttpRequestOptions,
				additional?: IAdditionalCredentialOptions,
			) {
				expect((this as typeof context).getCredentials).toBe(context.getCredentials);
				// Otherwise n8n would replace the signal of the request.
				expect('getExecutionCancelSignal' in (this as object)).toBe(false);
				sent.push({ at: performance.now(), type, options, additional });
				const scripted = responses[Math.min(sent.length, responses.length) - 1];
				const response = typeof scripted === 'function' ? await scripted(options) : scripted;
				if (response instanceof Error) throw response;
				return response;
			},
		},
	};
	return { context: context as unknown as IExecuteFunctions, sent, reads };
}

export const bytes = (body: unknown): Buffer =>
	Buffer.from(typeof body === 'string' ? body : JSON.stringify(body));
