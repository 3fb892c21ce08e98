import type {
	ICredentialDataDecryptedObject,
	ICredentialType,
	IHttpRequestOptions,
	INodeProperties,
} from 'n8n-workflow';
import { withKey } from '../nodes/shared/http/credential';

/** The key of the export, sent as the raw value of `Authorization`, and the secrets of the webhook (D1 § Authentication). */
export class ConversationExportApi implements ICredentialType {
	name = 'conversationExportApi';

	displayName = 'Conversation Export API';

	icon = { light: 'file:conversationExportApi.svg', dark: 'file:conversationExportApi.dark.svg' } as const;

	documentationUrl =
		'https://github.com/example-organization/n8n-nodes-conversation-intelligence/blob/main/docs/credentials.md#conversation-export-api';

	properties: INodeProperties[] = [
		{
			displayName: 'Base URL',
			name: 'baseUrl',
			type: 'string',
			required: true,
			default: '',
			placeholder: 'e.g. https://api.example.com',
			description: 'Address of the service, without /export/…',
		},
		{
			displayName: 'API Key',
			name: 'apiKey',
			type: 'string',
			typeOptions: { password: true },
			required: true,
			default: '',
			description: 'The raw key, without "Bearer". The web app shows it once, under developer settings.',
		},
		{
			displayName: 'The fields below are only for the Conversation Intelligence Trigger',
			name: 'triggerNotice',
			type: 'notice',
			default: '',
		},
		{
			displayName: 'Signing Secret',
			name: 'signingSecret',
			type: 'string',
			typeOptions: { password: true },
			default: '',
			description: 'Any 16 or more characters; enter the same in the subscription',
		},
		{
			displayName: 'A secret of fewer than 16 characters could be guessed from one recorded delivery',
			name: 'lengthNotice',
			type: 'notice',
			displayOptions: { show: { signingSecret: [{ _cnd: { regex: '^.{1,15}$' } }] } },
			default: '',
		},
		{
			displayName: 'Previous Signing Secret',
			name: 'previousSigningSecret',
			type: 'string',
			typeOptions: { password: true },
			default: '',
			description: 'Old secret, accepted while you change it. Clear it afterwards.',
		},
		{
			displayName: 'Custom Header Name (Optional)',
			name: 'receiverHeaderName',
			type: 'string',
			default: '',
			placeholder: 'e.g. X-Receiver-Token',
			description: 'A header of the webhook subscription that each delivery must carry',
		},
		{
			displayName: 'Custom Header Value (Optional)',
			name: 'receiverHeaderSecret',
			type: 'string',
			typeOptions: { password: true },
			default: '',
			description: 'The value that this header must have',
		},
	];

	/** A method, because for a property n8n would add Custom API Call to the operations. */
	async authenticate(credentials: ICredentialDataDecryptedObject, request: IHttpRequestOptions) {
		return withKey('Authorization', credentials, request);
	}
}
