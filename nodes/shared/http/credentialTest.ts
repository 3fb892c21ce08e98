import type {
	ICredentialDataDecryptedObject,
	ICredentialsDecrypted,
	ICredentialTestFunctions,
	IDataObject,
	INodeCredentialTestResult,
} from 'n8n-workflow';
import type { CodedError } from '../errors/codedError';
import { readAccess } from './credentialFields';
import { networkError, statusError, type RequestLabel } from './errors';
import { readableResponse, type RawResponse } from './response';

/** A harmless request with the key, which the service itself never refuses. */
export interface CredentialProbe extends Pick<RequestLabel, 'credentialType' | 'path' | 'explain'> {
	/** The header that carries the key. */
	keyHeader: string;
	body: IDataObject;
	/** Whether a response is the service's own to a good key. */
	accepts: (response: RawResponse) => boolean;
}

/** Makes the test behind a credential's Test button: it returns OK, or Error with what a failed request says. */
export function credentialTest(probe: CredentialProbe) {
	return async function (
		this: ICredentialTestFunctions,
		{ data = {} }: ICredentialsDecrypted,
	): Promise<INodeCredentialTestResult> {
		try {
			await send(this, probe, data);
			return { status: 'OK', message: 'Connection successful' };
		} catch (error) {
			const { message, description } = error as CodedError;
			return { status: 'Error', message: `${message}. ${description}` };
		}
	};
}

/** @throws CodedError for an unusable field, for no response, and for one that the probe does not accept */
async function send(
	context: ICredentialTestFunctions,
	{ keyHeader, body, accepts, ...request }: CredentialProbe,
	data: ICredentialDataDecryptedObject,
): Promise<void> {
	const { key, baseUrl } = readAccess(data);
	const label = { ...request, baseUrl };
	// The only request helper that n8n gives to a credential test.
	const sending = context.helpers.request({
		method: 'POST',
		uri: `${baseUrl}${request.path}`,
		headers: { accept: '*/*', 'content-type': 'application/json', [keyHeader]: key },
		body: JSON.stringify(body),
		simple: false,
		resolveWithFullResponse: true,
		// A redirect would carry the key elsewhere.
		followRedirect: false,
		followAllRedirects: false,
		timeout: 15_000,
	}) as Promise<{ statusCode: number; body: unknown }>;
	const { statusCode, body: text } = await sending.catch((failure: unknown) => {
		throw networkError(label, { failure });
	});
	const response = readableResponse(label, { statusCode, body: text }, key);
	if (accepts(response)) return;
	const error = statusError(label, response);
	throw error.details.code === 'request_refused' ? response.unreadable('is not that of this API') : error;
}
