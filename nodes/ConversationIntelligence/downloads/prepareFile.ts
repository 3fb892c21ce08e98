import type { Item } from '../../shared/node/item';
import type { PreparedItem } from '../../shared/node/operation';
import { toReadable } from '../binary/byteStream';
import { mediaFileName } from '../binary/fileNames';
import { outputField, outputFieldOf } from '../binary/outputField';
import { readConversationId } from '../lookup';
import { download } from './download';
import type { Media } from './presignedLink';

/**
 * Prepares an item whose output has a file of its conversation in a field, streamed into n8n's binary storage.
 *
 * @throws UserError that names the unusable parameter; while executing, what {@link download} throws
 */
export function prepareFile(item: Item, what: Media): PreparedItem {
	const conversationId = readConversationId(item);
	const field = outputFieldOf(item.parameter(outputField.name));
	return {
		async execute() {
			const binary = await download(
				item,
				what,
				conversationId,
				async ({ body, title, extension, mimeType }) => {
					const name = mediaFileName(title, conversationId, extension);
					return await item.context.helpers.prepareBinaryData(toReadable(body), name, mimeType);
				},
			);
			const { fileName, mimeType, bytes } = binary;
			return [{ json: { conversationId, fileName, mimeType, bytes }, binary: { [field]: binary } }];
		},
	};
}
