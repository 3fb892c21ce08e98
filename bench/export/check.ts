import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import type { IBinaryData, IDataObject, INodeExecutionData } from 'n8n-workflow';
import type { RunningN8n } from '../../harness/n8n/start';

/** Checks that items contain every conversation once. The HTTP Request node alone returns an item per page. */
export function checkItems(items: INodeExecutionData[], conversations: number): void {
	const rows = items.flatMap(({ json }) => (json.conversations as IDataObject[] | undefined) ?? [json]);
	const ids = new Set(rows.map(({ conversationId }) => conversationId));
	if (ids.size !== conversations || rows.length !== conversations) {
		throw new Error(`${rows.length} rows with ${ids.size} IDs instead of ${conversations} conversations.`);
	}
}

/** Streams a file from n8n and checks that it has a line for every conversation. */
export async function checkFile(n8n: RunningN8n, { id }: IBinaryData, conversations: number): Promise<void> {
	const url = `${n8n.url}/rest/binary-data?id=${encodeURIComponent(id!)}&action=download`;
	const response = await fetch(url, { headers: { cookie: n8n.cookie } });
	if (!response.ok || !response.body) throw new Error(`The file cannot be read: ${response.status}`);
	const ids = new Set<string>();
	let lines = 0;
	for await (const line of createInterface({ input: Readable.fromWeb(response.body) })) {
		lines++;
		ids.add((JSON.parse(line) as { conversationId: string }).conversationId);
	}
	if (lines !== conversations || ids.size !== conversations) {
		throw new Error(`The file has ${lines} lines and ${ids.size} IDs instead of ${conversations}.`);
	}
}
