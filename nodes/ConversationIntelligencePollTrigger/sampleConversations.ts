import {
	NodeOperationError,
	type IDataObject,
	type INodeExecutionData,
	type IPollFunctions,
} from 'n8n-workflow';
import { rowsOf } from '../shared/reading';
import { forgetCredentials } from '../shared/transport';
import { conversationItem } from '../shared/conversation';
import { exportSource } from './source';

const DAYS = 30;
const ROWS = 5;

/**
 * A few conversations for the editor; the position is not touched.
 *
 * @throws NodeOperationError when there are none
 */
export async function sampleConversations(context: IPollFunctions): Promise<INodeExecutionData[][]> {
	forgetCredentials(context);
	const to = Date.now();
	const from = to - DAYS * 24 * 60 * 60_000;
	const page = await exportSource(context).fetchPage({ from, to, page: 1, limit: ROWS });
	const rows = [...rowsOf(page)] as IDataObject[];
	if (rows.length > 0) return [rows.map((row) => ({ json: conversationItem(row, to, null) }))];
	throw new NodeOperationError(context.getNode(), `No conversation was processed in the last ${DAYS} days`, {
		description: 'Publish the workflow anyway: it starts once a conversation is processed.',
	});
}
