import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';
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
export async function addTranscript(
	context: IExecuteFunctions,
	itemIndex: number,
	row: IDataObject,
	json: IDataObject,
): Promise<boolean> {
	const conversationId = String(row.conversationId);
	try {
		const link = linkOf(row, 'transcriptUrl');
		const { entries } = await readTranscript(context, itemIndex, conversationId, link);
		json.transcript = transcriptText(entries);
		return true;
	} catch (error) {
		cancelSignal(context)?.throwIfAborted();
		json.transcript = null;
		json.transcriptError = plainText(toNodeError(context, error, itemIndex));
		return false;
	}
}
