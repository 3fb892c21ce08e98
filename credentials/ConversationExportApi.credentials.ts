import type {
	ICredentialDataDecryptedObject,
	ICredentialType,
	IHttpRequestOptions,
	INodeProperties,
} from 'n8n-workflow';
import { cleanApiKey } from '../nodes/shared/transport/credentialFields';

/** The export API's key, sent as the raw value of `Authorization`, and what the webhook is verified with (D1 § Authentication). */
export class ConversationExportApi implements ICredentialType {
	name = 'conversationExportApi';

	displayName = 'Conversation Export API';

	icon = { light: 'file:conversationExportApi.svg', dark: 'file:conversationExportApi.dark.svg' } as const;

	documentationUrl =
		'https://github.com/conversation-intelligence/n8n-nodes-conversation-intelligence/blob/main/docs/credentials.md#conversation-export-api';

	properties: INodeProperties[] = [
		{
			displayName: 'Base URL',
			name: 'baseUrl',
			type: 'string',
			required: true,
			default: '',
			placeholder: 'e.g. https://api.example.com',
			description: 'Base address of the Data Export API, as the service gave it to you',
		},
		{
			displayName: 'API Key',
			name: 'apiKey',
			type: 'string',
			typeOptions: { password: true },
			required: true,
			default: '',
			description:
				'The raw key, without "Bearer". Created in the web app under developer settings and shown once.',
		},
		{
			displayName: 'Signing Secret',
			name: 'signingSecret',
			type: 'string',
			typeOptions: { password: true },
			default: '',
			description:
				'Secret of the webhook subscription. The Conversation Intelligence Trigger verifies each delivery with it.',
		},
		{
			displayName: 'Previous Signing Secret',
			name: 'previousSigningSecret',
			type: 'string',
			typeOptions: { password: true },
			default: '',
			description: 'Still accepted while you change the secret of a subscription. Empty it afterwards.',
		},
		{
			displayName: 'Receiver Header Name',
			name: 'receiverHeaderName',
			type: 'string',
			default: '',
			placeholder: 'e.g. X-Receiver-Token',
			description: 'Custom header of the subscription that each delivery must carry as well',
		},
		{
			displayName: 'Receiver Header Value',
			name: 'receiverHeaderSecret',
			type: 'string',
			typeOptions: { password: true },
			default: '',
			description: 'Value that the receiver header must have',
		},
	];

	/** Adds the trimmed raw key; a pasted `Bearer ` prefix is refused, because the service answers it with a bare 401. */
	async authenticate(
		credentials: ICredentialDataDecryptedObject,
		requestOptions: IHttpRequestOptions,
	): Promise<IHttpRequestOptions> {
		const headers = { ...requestOptions.headers, Authorization: cleanApiKey(credentials.apiKey) };
		return { ...requestOptions, headers };
	}
}
