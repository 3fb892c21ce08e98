import type { IBinaryData } from 'n8n-workflow';
import { codedError } from '../../shared/errors/codedError';
import type { Item } from '../../shared/node/item';
import { EXPORT_ERRORS } from '../errors';
import { toReadable } from './byteStream';

/**
 * Streams bytes into n8n's binary storage.
 * @param what the file, for the message
 * @throws what the source throws, whatever the storage makes of it, and CodedError when n8n cannot store the file
 */
export async function storeFile(
	{ context }: Item,
	what: string,
	source: AsyncIterable<Uint8Array>,
	fileName: string,
	mimeType: string | undefined,
): Promise<IBinaryData> {
	const broken: unknown[] = [];
	async function* watched() {
		try {
			yield* source;
		} catch (error) {
			broken.push(error);
			throw broken[0];
		}
	}
	try {
		return await context.helpers.prepareBinaryData(toReadable(watched()), fileName, mimeType);
	} catch (error) {
		if (broken.length > 0) throw broken[0];
		const reason = (error as Error).message;
		throw codedError(EXPORT_ERRORS, 'file_not_stored', { file: what, reason });
	}
}
