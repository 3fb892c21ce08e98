import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import { toReadable } from '../binary/byteStream';
import { mediaFileName } from '../binary/fileNames';
import { download, type Download } from './download';

/**
 * Streams a download into n8n's binary storage.
 *
 * @param field the item's field for the file
 * @returns the item: the file, and beside it what it is
 * @throws what {@link download} throws
 */
export async function storeMedia(
	context: IExecuteFunctions,
	itemIndex: number,
	wanted: Download,
	field: string,
): Promise<INodeExecutionData> {
	const { conversationId } = wanted;
	const binary = await download(
		context,
		itemIndex,
		wanted,
		async ({ body, title, extension, mimeType }) =>
			await context.helpers.prepareBinaryData(
				toReadable(body),
				mediaFileName(title, conversationId, extension),
				mimeType,
			),
	);
	const { fileName, mimeType, bytes } = binary;
	return { json: { conversationId, fileName, mimeType, bytes }, binary: { [field]: binary } };
}
