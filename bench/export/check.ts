import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import type { IBinaryData, IDataObject, INodeExecutionData } from 'n8n-workflow';
import type { RunningN8n } from '../../harness/n8n/start';
import { memoryOf } from '../../harness/processes/memory';

function checkAll(ids: unknown[], conversations: number, where: string): void {
	const { size } = new Set(ids);
	if (size === conversations && ids.length === conversations) return;
	throw new Error(`${where}: ${ids.length} rows with ${size} IDs instead of ${conversations} conversations.`);
}

/** Checks that items contain every conversation once. The HTTP Request node alone returns an item per page. */
export function checkItems(items: INodeExecutionData[], conversations: number): void {
	const rows = items.flatMap(({ json }) => (json.conversations as IDataObject[] | undefined) ?? [json]);
	const ids = rows.map(({ conversationId }) => conversationId);
	checkAll(ids, conversations, 'Items');
}

/** Streams a file from n8n and checks that it has a line for every conversation. */
export async function checkFile(n8n: RunningN8n, { id }: IBinaryData, conversations: number): Promise<void> {
	const url = `${n8n.url}/rest/binary-data?id=${encodeURIComponent(id!)}&action=download`;
	const response = await fetch(url, { headers: { cookie: n8n.cookie } });
	if (!response.ok || !response.body) throw new Error(`The file cannot be read: ${response.status}`);
	const ids: string[] = [];
	for await (const line of createInterface({ input: Readable.fromWeb(response.body) }))
		ids.push((JSON.parse(line) as { conversationId: string }).conversationId);
	checkAll(ids, conversations, 'File');
}

/** How long memory must not shrink to count as settled, and the longest wait, in seconds. */
const SETTLED = { for: 15, within: 120 };

/** Waits until a process has released the memory of its last work. */
export async function untilIdle(pid: number): Promise<void> {
	let min = Infinity;
	for (let second = 0, steady = 0; second < SETTLED.within && steady < SETTLED.for; second++) {
		await delay(1000);
		const now = memoryOf(pid).residentMB;
		steady = now > min - 2 ? steady + 1 : 0;
		min = Math.min(min, now);
	}
}
