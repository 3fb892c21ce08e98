import type {
	ICredentialDataDecryptedObject,
	ICredentialsDecrypted,
	ICredentialTestFunctions,
	IDataObject,
	INodeCredentialTestResult,
} from 'n8n-workflow';
import { codedError, type CodedError, type ErrorTable } from '../base/codedErrors';
import { keyHider, readAccess } from './credential';
import { innermost, networkCode } from './policy';
import { networkError, statusError, type CredentialType } from './requestErrors';
import { MAX_TEXT_BYTES, readableResponse, receive, type Received, TooSlow } from './response';

/** @public read by `scripts/errorTables.ts` */
export const CREDENTIAL_TEST_ERRORS = {
	test_unavailable: [
		'This version of n8n cannot test the credential',
		'Save it and run a node that uses it: the node says what is wrong.',
	],
} as const satisfies ErrorTable;

/** A harmless request, and how the service itself responds to it with a good key. */
export interface Probe {
	path: string;
	keyHeader: string;
	body: IDataObject;
	expected: { status: number; contains: string };
}

/** A person waits for the result. */
const TIME_LIMIT_MS = 15_000;

/** Makes the test behind a credential's Test button: it returns OK, or Error with what a failed request says. */
export function credentialTest(type: CredentialType, request: Probe) {
	return async function (
		this: ICredentialTestFunctions,
		{ data = {} }: ICredentialsDecrypted,
	): Promise<INodeCredentialTestResult> {
		const failure = await probe(this, type, request, data).catch((error: CodedError) => error);
		if (!failure) return { status: 'OK', message: 'Connection successful' };
		const { message, description } = failure;
		return { status: 'Error', message: [message, description].filter(Boolean).join('. ') };
	};
}

/** @throws CodedError for an unusable field, for no response, and for another than expected; n8n's own refusal as it is */
async function probe(
	{ helpers }: Partial<ICredentialTestFunctions>,
	credentialType: CredentialType,
	{ path, keyHeader, body, expected }: Probe,
	data: ICredentialDataDecryptedObject,
): Promise<void> {
	const { key, baseUrl } = readAccess(data);
	const label = { credentialType };
	// n8n calls `request` removed, but gives a credential test no other helper: the Test button is tried in a real n8n (actions.test.ts).
	if (!helpers?.request) throw codedError(CREDENTIAL_TEST_ERRORS, 'test_unavailable', {});
	const send = async (signal: AbortSignal) =>
		(await helpers.request({
			method: 'POST',
			uri: `${baseUrl}${path}`,
			headers: { accept: '*/*', 'content-type': 'application/json', [keyHeader]: key },
			body: JSON.stringify(body),
			simple: false,
			resolveWithFullResponse: true,
			// A redirect would carry the key elsewhere.
			followRedirect: false,
			followAllRedirects: false,
			timeout: TIME_LIMIT_MS,
			// Of a 2xx; of other statuses, n8n reads the whole body itself.
			useStream: true,
			// The only way to close its connection.
			agentOptions: { signal },
		})) as Received;
	const limits = { stalledMs: TIME_LIMIT_MS, totalMs: TIME_LIMIT_MS };
	const received = await receive(send, limits, () => MAX_TEXT_BYTES).catch((failure: unknown) => {
		if (networkCode(failure) === undefined) throw innermost(failure);
		throw networkError(label, { failure, limitMs: failure instanceof TooSlow ? failure.limitMs : undefined });
	});
	const response = await readableResponse(label, received, keyHider(key));
	if (response.status === expected.status && response.body.includes(expected.contains)) return;
	const error = statusError(label, response);
	throw error.details.code === 'request_refused' ? response.unreadable('is not that of this API') : error;
}
