import type { Operation } from '../../../shared/node/operation';
import { storeMedia, outputField, readFileInput } from '../../downloads/storeMedia';
import { conversationLocator } from '../../conversationLocator';

/** The audio of a conversation, streamed into n8n's binary storage (D1 § ConversationsExport, audioUrl). */
export const downloadAudio: Operation<ReturnType<typeof readFileInput>> = {
	option: {
		name: 'Download Audio',
		value: 'downloadAudio',
		action: 'Download audio',
		description: 'Download the recording as a file',
		// An agent's model cannot listen to a file.
		displayOptions: { hide: { '@tool': [true] } },
	},
	properties: [conversationLocator, { ...outputField, required: true }],
	read: readFileInput,
	execute: async (item, input) => await storeMedia(item, 'audio', input),
};
