import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import { toReadable } from '../binary/byteStream';
import { mediaFileName } from '../binary/fileNames';
import { download, type Download } from './download';

/**
 * Streams a download into n8n's binary storage, and returns the item that has it in a field.
 *
 * @throws what {@link download} throws
 */
export async function storeMedia(
	context: IExecuteFunctions,
	itemIndex: number,
	wanted: Download,
	field: string,
): Promise<INodeExecutionData> {
	const { conversationId } = wanted;
	const binary = await download(context, itemIndex, wanted, async ({ body, title, extension, mimeType }) => {
		const name = mediaFileName(title, conversationId, extension);
		return await context.helpers.prepareBinaryData(toReadable(body), name, mimeType);
	});
	const { fileName, mimeType, bytes } = binary;
	return { json: { conversationId, fileName, mimeType, bytes }, binary: { [field]: binary } };
}
