import type {
	ICredentialDataDecryptedObject,
	ICredentialType,
	IHttpRequestOptions,
	INodeProperties,
} from 'n8n-workflow';
import { withKey } from '../nodes/shared/http/credential';

/** The key for appointments, sent as `x-api-key`, never as `Authorization` (D2 § Authentication). */
export class CrmAppointmentApi implements ICredentialType {
	name = 'crmAppointmentApi';

	displayName = 'CRM Appointment API';

	icon = { light: 'file:crmAppointmentApi.svg', dark: 'file:crmAppointmentApi.dark.svg' } as const;

	documentationUrl =
		'https://github.com/example-organization/n8n-nodes-conversation-intelligence/blob/main/docs/credentials.md#crm-appointment-api';

	properties: INodeProperties[] = [
		{
			displayName: 'Base URL',
			name: 'baseUrl',
			type: 'string',
			required: true,
			default: '',
			placeholder: 'e.g. https://crm.example.com',
			description: 'Address of the service, without /custom/…',
		},
		{
			displayName: 'API Key',
			name: 'apiKey',
			type: 'string',
			typeOptions: { password: true },
			required: true,
			default: '',
			description: 'The raw key, without "Bearer". The web app shows it once.',
		},
	];

	/** A method, because for a property n8n would add Custom API Call to the operations. */
	async authenticate(credentials: ICredentialDataDecryptedObject, request: IHttpRequestOptions) {
		return withKey('x-api-key', credentials, request);
	}
}
