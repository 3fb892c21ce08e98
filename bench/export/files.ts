import type { IBinaryData } from 'n8n-workflow';
import type { Report } from '../../playground/problem';
import type { RunningN8n } from '../../playground/n8n/start';
import { measure, untilIdle, withBed } from './measure';
import { megabytes, ratio, seconds, table } from './table';
import { withThisNode } from './workflows';

/** Conversations of the export that comes before the measured one, the same for each size. */
const WARM_UP = 2000;

/** Exports into NDJSON of two sizes, each in an n8n of its own: what the process grows by over its idle size. */
export async function measureFiles(report: Report, quick: boolean): Promise<string> {
	const sizes = quick ? [2000, 20_000] : [20_000, 200_000];
	const results: Array<{ size: number; growthMB: number; time: number; requests: number; bytes: number }> =
		[];
	for (const size of sizes) {
		report(`${size} conversations into a file`);
		await withBed(size, report, async (bed) => {
			await untilIdle(bed);
			// What any first export leaves behind, compiled code above all, belongs to the idle size.
			await measure(bed, withThisNode({ file: true, limit: WARM_UP }));
			await untilIdle(bed);
			const { items, peakMB, beforeMB, ...run } = await measure(bed, withThisNode({ file: true }));
			await checkFile(bed.n8n, items[0].binary!.data, size);
			results.push({
				size,
				growthMB: peakMB - beforeMB,
				time: run.seconds,
				requests: run.requests,
				bytes: Number(items[0].json.bytes),
			});
		});
	}
	const lines = results.map(({ size, growthMB, time, requests, bytes }) => [
		String(size),
		megabytes(bytes / 2 ** 20),
		String(requests),
		seconds(time),
		megabytes(growthMB),
		ratio(growthMB / results[0].growthMB),
	]);
	return `Into an NDJSON file, each size in a fresh n8n that had exported ${WARM_UP} conversations before and come to rest; growth of the n8n process from there to its peak. The file was read back: as many lines as conversations, each ID once.

${table(
	[
		'Conversations',
		'File',
		'Requests',
		'Time',
		'Growth of n8n over idle',
		'Growth / growth at the smaller size',
	],
	lines,
)}`;
}

/** Reads the file back from n8n, a piece at a time. */
async function checkFile(n8n: RunningN8n, { id }: IBinaryData, size: number): Promise<void> {
	const url = `${n8n.url}/rest/binary-data?id=${encodeURIComponent(id!)}&action=download`;
	const response = await fetch(url, { headers: { cookie: n8n.cookie } });
	if (!response.ok || !response.body) throw new Error(`The file cannot be read: ${response.status}`);
	const ids = new Set<string>();
	let lines = 0;
	let rest = '';
	const decoder = new TextDecoder();
	for await (const chunk of response.body) {
		const parts = (rest + decoder.decode(chunk as Uint8Array, { stream: true })).split('\n');
		rest = parts.pop() ?? '';
		for (const line of parts) {
			lines++;
			ids.add((JSON.parse(line) as { conversationId: string }).conversationId);
		}
	}
	if (rest !== '' || lines !== size || ids.size !== size) {
		throw new Error(`The file has ${lines} lines and ${ids.size} IDs instead of ${size}.`);
	}
}
