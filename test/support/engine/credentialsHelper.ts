import { Credentials } from 'n8n-core';
import type {
	ICredentialDataDecryptedObject,
	ICredentialsHelper,
	ICredentialType,
	IHttpRequestOptions,
	INodeCredentialsDetails,
} from 'n8n-workflow';

/** Credential values by credential type, as entered by a user. */
export type CredentialValues = Record<string, ICredentialDataDecryptedObject>;

/** What n8n asks for credentials: returns plain values, not those of a database, and uses the credential's `authenticate`. */
export function plainCredentials(types: Record<string, ICredentialType>, values: CredentialValues) {
	const helper: Partial<ICredentialsHelper> = {
		getParentTypes: () => [],
		preAuthentication: async () => undefined,
		getCredentialsProperties: () => [],
		isCredentialUsableByNode: () => true,
		async authenticate(data, typeName, options): Promise<IHttpRequestOptions> {
			const authenticate = types[typeName]?.authenticate;
			if (typeof authenticate !== 'function') throw new Error(`"${typeName}" has no authenticate function.`);
			return await authenticate(data, options as IHttpRequestOptions);
		},
		getCredentials: async ({ id, name }: INodeCredentialsDetails, type: string) =>
			new Credentials({ id, name }, type, ''),
		async getDecrypted(_additionalData, _details, type) {
			if (!values[type]) throw new Error(`The test has no values for the credential "${type}".`);
			return { ...values[type] };
		},
	};
	return helper as ICredentialsHelper;
}
