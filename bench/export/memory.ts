import type { IBinaryData } from 'n8n-workflow';
import { progress } from '../../harness/n8n/fresh';
import type { WorkflowFile } from '../../harness/n8n/workflowFile';
import type { Sandbox } from '../../sandbox';
import { median } from '../../sandbox/statistics';
import { count, megabytes, ratio, table } from '../markdown';
import { measure, withTestbed } from '../testbed';
import { AS_FILE, AS_ITEMS, TO_NDJSON, withHttpRequest, withThisNode } from '../workflows';
import { checkFile, checkItems, untilIdle } from './check';

const REPEATS = 3;

type Contestant = [name: string, workflow: (sandbox: Sandbox) => WorkflowFile];

/** The second of each is the base of the ratios. */
const WITH_ITEMS: Contestant[] = [
	['Conversation Intelligence', () => withThisNode()],
	['HTTP Request', (sandbox) => withHttpRequest(sandbox)],
	['HTTP Request, Split Out', (sandbox) => withHttpRequest(sandbox, AS_ITEMS)],
	['Conversation Intelligence, Simplified', () => withThisNode({ output: 'simplified' })],
];
const WITH_FILE: Contestant[] = [
	['Conversation Intelligence', () => withThisNode(TO_NDJSON)],
	['HTTP Request, Split Out, Convert to File', (sandbox) => withHttpRequest(sandbox, AS_FILE)],
];

/** Compares the peak memory of this node and n8n's own nodes, each in a fresh n8n, for items and for files. */
export async function comparePeaks(quick: boolean): Promise<string> {
	const [items, file] = quick ? [2000, 2000] : [10_000, 20_000];
	const lines = [
		...(await race(`${count(items)} as items`, WITH_ITEMS, items)),
		...(await race(`${count(file)} as a file`, WITH_FILE, file)),
	];
	return `## Conversation Intelligence: peak memory

\`npm run bench -- export-memory\`

Peak resident memory of the n8n process in the first execution after its start, each in a fresh n8n: the median of ${REPEATS}, with the range in brackets. HTTP Request returns an item for each page, and Split Out an item for each conversation, as this node does. n8n itself keeps and saves what the nodes return.

${table('Conversations | Nodes | Idle | Peak | Peak / peak of HTTP Request', lines)}`;
}

/** Measures contestants one after another. */
async function race(task: string, contestants: Contestant[], size: number) {
	const runs = contestants.map(() => [] as Array<{ beforeMB: number; peakMB: number }>);
	for (let round = 0; round < REPEATS; round++) {
		for (const [index, [name, workflow]] of contestants.entries()) {
			progress(`${task}: ${name}, round ${round + 1} of ${REPEATS}`);
			runs[index].push(await measureOne(workflow, size));
		}
	}
	const peaks = runs.map((results) => results.map(({ peakMB }) => peakMB));
	return contestants.map(([name], index) => {
		const range = `${Math.min(...peaks[index]).toFixed(0)}–${Math.max(...peaks[index]).toFixed(0)}`;
		return [
			task,
			name,
			megabytes(median(runs[index].map(({ beforeMB }) => beforeMB))),
			`${megabytes(median(peaks[index]))} (${range})`,
			ratio(median(peaks[index]) / median(peaks[1])),
		];
	});
}

async function measureOne(workflow: Contestant[1], size: number) {
	return await withTestbed({ conversations: size }, async (testbed) => {
		await untilIdle(testbed.n8n.service.pid);
		const { items, ...memory } = await measure(testbed, workflow(testbed.sandbox));
		const file: IBinaryData | undefined = items[0].binary?.data;
		if (file === undefined) checkItems(items, size);
		else if (file.fileExtension === 'ndjson') await checkFile(testbed.n8n, file, size);
		return memory;
	});
}
