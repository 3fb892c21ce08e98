import type {
	ICredentialDataDecryptedObject,
	ICredentialType,
	IHttpRequestOptions,
	INodeProperties,
} from 'n8n-workflow';
import { cleanApiKey } from '../nodes/shared/transport/credentialFields';

/** The appointment API's key, sent as `x-api-key` (D2 § Authentication); never as `Authorization`. */
export class CrmAppointmentApi implements ICredentialType {
	name = 'crmAppointmentApi';

	displayName = 'CRM Appointment API';

	icon = { light: 'file:crmAppointmentApi.svg', dark: 'file:crmAppointmentApi.dark.svg' } as const;

	documentationUrl =
		'https://github.com/conversation-intelligence/n8n-nodes-conversation-intelligence/blob/main/docs/credentials.md#crm-appointment-api';

	properties: INodeProperties[] = [
		{
			displayName: 'Base URL',
			name: 'baseUrl',
			type: 'string',
			required: true,
			default: '',
			placeholder: 'e.g. https://crm.example.com',
			description: 'Base address of the CRM Appointment Ingestion API, as the service gave it to you',
		},
		{
			displayName: 'API Key',
			name: 'apiKey',
			type: 'string',
			typeOptions: { password: true },
			required: true,
			default: '',
			description: 'The raw key. Created in the web app by an admin or team manager and shown once.',
		},
	];

	/** Adds the trimmed key; a pasted `Bearer ` prefix is refused, because the gateway answers it with a bare 403. */
	async authenticate(
		credentials: ICredentialDataDecryptedObject,
		requestOptions: IHttpRequestOptions,
	): Promise<IHttpRequestOptions> {
		const headers = { ...requestOptions.headers, 'x-api-key': cleanApiKey(credentials.apiKey) };
		return { ...requestOptions, headers };
	}
}
