import type { Operation } from '../../../shared/operation';
import { outputField, outputFieldOf } from '../../binary/outputField';
import { DOWNLOADS_AT_ONCE } from '../../downloads/download';
import { storeMedia } from '../../downloads/storeMedia';
import { conversationLocator, readConversationId } from '../../lookup';

/** The audio of a conversation, streamed into n8n's binary storage (D1 § ConversationsExport, audioUrl). */
export const downloadAudio: Operation = {
	option: {
		name: 'Download Audio',
		value: 'downloadAudio',
		action: 'Download audio',
		description: 'Download the recording as a file',
		// An agent's model cannot listen to a file.
		displayOptions: { hide: { '@tool': [true] } },
	},
	properties: [conversationLocator, { ...outputField, required: true }],
	start: (context) => ({
		concurrency: DOWNLOADS_AT_ONCE,
		prepare(itemIndex) {
			const conversationId = readConversationId(context, itemIndex);
			const field = outputFieldOf(context.getNodeParameter('binaryPropertyName', itemIndex));
			const wanted = { conversationId, field: 'audioUrl', what: 'audio' } as const;
			return { execute: async () => [await storeMedia(context, itemIndex, wanted, field)] };
		},
	}),
};
