import type { IDataObject } from 'n8n-workflow';
import type { Item } from '../../shared/item';
import { plainText, toNodeError } from '../../shared/itemError';
import { cancelSignal } from '../../shared/transport';
import { linkOf } from './presignedLink';
import { readTranscript, transcriptText } from './transcript';

/**
 * Adds the transcript of a conversation as text; where it cannot be read, `transcript` is null and `transcriptError`
 * says why: one transcript must not fail a whole list.
 *
 * @returns whether it could be read
 * @throws what stopped the execution
 */
export async function addTranscript(item: Item, row: IDataObject, json: IDataObject): Promise<boolean> {
	try {
		const { entries } = await readTranscript(item, String(row.conversationId), linkOf(row, 'transcript'));
		json.transcript = transcriptText(entries);
		return true;
	} catch (error) {
		cancelSignal(item.context)?.throwIfAborted();
		json.transcript = null;
		json.transcriptError = plainText(toNodeError(item, error));
		return false;
	}
}
