import {
	UserError,
	type ICredentialDataDecryptedObject,
	type ICredentialsDecrypted,
	type ICredentialTestFunctions,
	type IDataObject,
	type INodeCredentialTestResult,
} from 'n8n-workflow';
import { isPrivateHost } from './address';
import { cleanApiKey, cleanBaseUrl, endpointIn } from './credentialFields';
import { bodyText, CREDENTIALS, type CredentialType, type ServiceResponse } from './errors';
import { isCertificateFailure, isPlainHttp, networkCode } from './failure';

type TestResponse = Pick<ServiceResponse, 'status' | 'body'>;

/** A harmless request, and what its responses say about key and address. */
export interface CredentialProbe {
	type: CredentialType;
	/** Below the Base URL, with a leading slash. */
	path: string;
	/** The header that carries the key. */
	keyHeader: string;
	body: IDataObject;
	accepts: (response: TestResponse) => boolean;
	/** The status for an unknown key. */
	unknownKey: number;
	/** The whole sentence for a response with a special meaning. */
	explain?: (response: TestResponse) => string | undefined;
}

/**
 * Makes the test behind a credential's Test button.
 *
 * @returns OK, or Error with a sentence for the credential's window; never throws
 */
export function credentialTest(probe: CredentialProbe) {
	return async function (
		this: ICredentialTestFunctions,
		{ data = {} }: ICredentialsDecrypted,
	): Promise<INodeCredentialTestResult> {
		try {
			const response = await send(this, probe, data);
			if (probe.accepts(response)) return { status: 'OK', message: 'Connection successful' };
			return { status: 'Error', message: refusal(response, probe, data) };
		} catch (error) {
			return { status: 'Error', message: unsent(error, data) };
		}
	};
}

async function send(
	context: ICredentialTestFunctions,
	{ path, keyHeader, body }: CredentialProbe,
	{ baseUrl, apiKey }: ICredentialDataDecryptedObject,
): Promise<TestResponse> {
	// The only request helper that n8n gives to a credential test.
	const { request } = context.helpers;
	const response = (await request({
		method: 'POST',
		uri: `${cleanBaseUrl(baseUrl)}${path}`,
		headers: { accept: '*/*', 'content-type': 'application/json', [keyHeader]: cleanApiKey(apiKey) },
		body: JSON.stringify(body),
		simple: false,
		resolveWithFullResponse: true,
		// A redirect would carry the key elsewhere.
		followRedirect: false,
		followAllRedirects: false,
		timeout: 15_000,
	})) as { statusCode: number; body: unknown };
	return { status: response.statusCode, body: bodyText(response.body) };
}

function refusal(
	response: TestResponse,
	{ type, unknownKey, explain }: CredentialProbe,
	{ baseUrl }: ICredentialDataDecryptedObject,
): string {
	const { status } = response;
	const explained = explain?.(response);
	if (explained !== undefined) return explained;
	if (status === 429 || status >= 500) {
		return `The service cannot answer right now (status ${status}). Try the test again later.`;
	}
	const endpoint = endpointIn(cleanBaseUrl(baseUrl));
	// A gateway answers 403 at an address like /custom/appointment/custom/appointment, whatever the key.
	if (status === unknownKey && (endpoint === undefined || status !== 403)) {
		return `The service does not recognize the API Key (status ${status}). Paste the raw key again, without "Bearer" and without spaces.`;
	}
	const remedy = endpoint === undefined ? 'Check the address.' : `Leave out ${endpoint}.`;
	return `No ${CREDENTIALS[type]} answers at the Base URL (status ${status}). ${remedy}`;
}

/** Refused fields say what to do themselves; a network failure shows its code. */
function unsent(error: unknown, { baseUrl }: ICredentialDataDecryptedObject): string {
	if (error instanceof UserError) return `${error.message}. ${error.description}`;
	const code = networkCode(error);
	if (isCertificateFailure(code)) {
		return `The certificate of the Base URL is not accepted (${code}). Renew it, or let this n8n trust its issuer.`;
	}
	// In a private network only: elsewhere, someone on the way could have caused this answer to get the key unencrypted.
	const isPrivate = isPrivateHost(new URL(cleanBaseUrl(baseUrl)).hostname);
	const remedy = !isPlainHttp(error)
		? 'Check the address.'
		: isPrivate
			? 'Try http:// instead of https://.'
			: 'It does not answer with HTTPS: check the address.';
	return `The Base URL cannot be reached (${code ?? 'no response'}). ${remedy}`;
}
