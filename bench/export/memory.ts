import type { IBinaryData } from 'n8n-workflow';
import type { WorkflowFile } from '../../harness/n8n/client';
import { progress } from '../../harness/n8n/fresh';
import { median } from '../../sandbox/statistics';
import { count, megabytes, ratio, table } from '../markdown';
import { measure, withTestbed, type Testbed } from '../testbed';
import { withHttpRequest, withThisNode } from '../workflows';
import { checkFile, checkItems } from './check';
import { untilIdle } from './idle';

const REPEATS = 3;

interface Contestant {
	name: string;
	workflow: (testbed: Testbed) => WorkflowFile;
}

const AS_ITEMS: Contestant[] = [
	{ name: 'Conversation Intelligence', workflow: () => withThisNode() },
	{ name: 'HTTP Request', workflow: ({ sandbox }) => withHttpRequest(sandbox) },
	{ name: 'HTTP Request, Split Out', workflow: ({ sandbox }) => withHttpRequest(sandbox, 'items') },
	{ name: 'Conversation Intelligence, Simplified', workflow: () => withThisNode({ simplified: true }) },
];
const AS_FILE: Contestant[] = [
	{ name: 'Conversation Intelligence', workflow: () => withThisNode({ file: true }) },
	{
		name: 'HTTP Request, Split Out, Convert to File',
		workflow: ({ sandbox }) => withHttpRequest(sandbox, 'file'),
	},
];

/** Compares the peak memory of this node and n8n's own nodes, each in a fresh n8n, for items and for files. */
export async function comparePeaks(quick: boolean): Promise<string> {
	const [items, file] = quick ? [2000, 2000] : [10_000, 20_000];
	const lines = [
		...(await race(`${count(items)} as items`, AS_ITEMS, items)),
		...(await race(`${count(file)} as a file`, AS_FILE, file)),
	];
	return `## Conversation Intelligence: peak memory

\`npm run bench -- export-memory\`

Peak resident memory of the n8n process in the first execution after its start, each in a fresh n8n: the median of ${REPEATS}, with the range in brackets. HTTP Request returns an item for each page, and Split Out an item for each conversation, as this node does. n8n itself keeps and saves what the nodes return.

${table(['Conversations', 'Nodes', 'Idle', 'Peak', 'Peak / peak of HTTP Request'], lines)}`;
}

/** Measures contestants one after another. The second one is the base of the ratios. */
async function race(task: string, contestants: Contestant[], size: number) {
	const runs = contestants.map(() => [] as Array<{ beforeMB: number; peakMB: number }>);
	for (let round = 0; round < REPEATS; round++) {
		for (const [index, contestant] of contestants.entries()) {
			progress(`${task}: ${contestant.name}, round ${round + 1} of ${REPEATS}`);
			runs[index].push(await measureOne(contestant, size));
		}
	}
	const peaks = runs.map((results) => results.map(({ peakMB }) => peakMB));
	return contestants.map(({ name }, index) => {
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

async function measureOne({ workflow }: Contestant, size: number) {
	return await withTestbed({ conversations: size }, async (testbed) => {
		await untilIdle(testbed.n8n.pid);
		const { beforeMB, peakMB, result } = await measure(testbed, workflow(testbed));
		const { items } = await result();
		const file: IBinaryData | undefined = items[0].binary?.data;
		if (file === undefined) checkItems(items, size);
		else if (file.fileExtension === 'ndjson') await checkFile(testbed.n8n, file, size);
		return { beforeMB, peakMB };
	});
}
