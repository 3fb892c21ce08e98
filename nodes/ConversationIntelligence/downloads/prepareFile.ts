import { codedError } from '../../shared/errors/codedError';
import type { Item } from '../../shared/node/item';
import type { PreparedItem } from '../../shared/node/operation';
import { EXPORT_ERRORS } from '../errors';
import { toReadable } from './byteStream';
import { outputField, outputFieldOf } from './outputField';
import { readConversationId } from '../../shared/exportApi/conversationId';
import { download, type MediaFile } from './download';
import { mediaFileName } from './fileName';
import type { Media } from './presignedLink';

/**
 * Prepares an item whose output has a file of its conversation in a field, streamed into n8n's binary storage, next to
 * the files of the input.
 *
 * @throws CodedError that names the unusable parameter; while executing, what {@link download} throws, and CodedError
 *   when n8n cannot store the file
 */
export function prepareFile(item: Item, what: Media): PreparedItem {
	const conversationId = readConversationId(item);
	const field = outputFieldOf(item.parameter(outputField.name));
	const store = async ({ body, title, extension, mimeType }: MediaFile) => {
		const name = mediaFileName(title, conversationId, extension);
		try {
			return await item.context.helpers.prepareBinaryData(toReadable(body), name, mimeType);
		} catch (error) {
			const reason = (error as Error).message;
			throw item.nodeError(codedError(EXPORT_ERRORS, 'file_not_stored', { file: what, reason }));
		}
	};
	return {
		async execute() {
			const binary = await download(item, what, conversationId, store);
			const { fileName, mimeType, bytes } = binary;
			const files = { ...item.context.getInputData()[item.index].binary, [field]: binary };
			return [{ json: { conversationId, fileName, mimeType, bytes }, binary: files }];
		},
	};
}
