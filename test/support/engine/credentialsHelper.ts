import { Credentials } from 'n8n-core';
import {
	ICredentialsHelper,
	type ICredentialDataDecryptedObject,
	type ICredentialType,
	type IHttpRequestOptions,
	type INodeCredentialsDetails,
} from 'n8n-workflow';

/** Credential values by credential type, as entered by a user. */
export type CredentialValues = Record<string, ICredentialDataDecryptedObject>;

/** Returns plain values instead of reading a database, but uses the credential's `authenticate`. */
export class PlainCredentialsHelper extends ICredentialsHelper {
	constructor(
		private readonly types: Record<string, ICredentialType>,
		private readonly values: CredentialValues,
	) {
		super();
	}

	getParentTypes(): string[] {
		return [];
	}

	async preAuthentication() {
		return undefined;
	}

	async runPreAuthentication() {
		return undefined;
	}

	getCredentialsProperties() {
		return [];
	}

	async authenticate(
		credentials: ICredentialDataDecryptedObject,
		typeName: string,
		options: IHttpRequestOptions,
	): Promise<IHttpRequestOptions> {
		const authenticate = this.types[typeName]?.authenticate;
		if (typeof authenticate !== 'function') throw new Error(`"${typeName}" has no authenticate function.`);
		return await authenticate(credentials, options);
	}

	async getCredentials(details: INodeCredentialsDetails, type: string) {
		return new Credentials({ id: details.id, name: details.name }, type, '');
	}

	async getDecrypted(
		_additionalData: unknown,
		_details: INodeCredentialsDetails,
		type: string,
	): Promise<ICredentialDataDecryptedObject> {
		const values = this.values[type];
		if (!values) throw new Error(`The test has no values for the credential "${type}".`);
		return { ...values };
	}

	isCredentialUsableByNode(): boolean {
		return true;
	}

	async updateCredentials(): Promise<void> {}

	async updateCredentialsOauthTokenData(): Promise<void> {}
}
