import { toReadable } from '../../listing/file/byteStream';
import type { Operation } from '../../../shared/operation';
import { binaryProperty, binaryPropertyName } from '../../downloads/binaryProperty';
import { download } from '../../downloads/download';
import { mediaFileName } from '../../downloads/fileName';
import { conversationLocator, readConversationId } from '../../lookup/conversationLocator';

/** The audio of a conversation, streamed into n8n's binary storage (D1 § ConversationsExport, audioUrl). */
export const downloadAudio: Operation = {
	option: {
		name: 'Download Audio',
		value: 'downloadAudio',
		action: 'Download the audio of a conversation',
		description: 'Download the recording as a file',
	},
	properties: [conversationLocator, binaryProperty],
	start: (context) => ({
		concurrency: 4,
		prepare(itemIndex) {
			const conversationId = readConversationId(context, itemIndex);
			return {
				async execute() {
					const binary = await download(
						context,
						itemIndex,
						{ conversationId, field: 'audioUrl', what: 'audio' },
						async ({ body, title, extension, mimeType }) =>
							await context.helpers.prepareBinaryData(
								toReadable(body),
								mediaFileName(title, conversationId, extension),
								mimeType,
							),
					);
					const json = {
						conversationId,
						fileName: binary.fileName,
						mimeType: binary.mimeType,
						bytes: binary.bytes,
					};
					return [{ json, binary: { [binaryPropertyName(context, itemIndex)]: binary } }];
				},
			};
		},
	}),
};
