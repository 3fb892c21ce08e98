import type { Operation } from '../../../shared/node/operation';
import { outputField } from '../../downloads/outputField';
import { prepareFile } from '../../downloads/prepareFile';
import { conversationLocator } from '../../conversationLocator';

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
	start: () => ({ prepare: (item) => prepareFile(item, 'audio') }),
};
