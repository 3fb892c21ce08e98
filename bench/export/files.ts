import { progress } from '../../harness/n8n/fresh';
import type { Testbed } from '../../harness/testbed';
import { count, megabytes, ratio, seconds, table } from '../markdown';
import { measure, withTestbed } from '../testbed';
import { TO_NDJSON, withThisNode } from '../workflows';
import { checkFile, untilIdle } from './check';

/** Conversations in the export that precedes the measured ones. */
const WARM_UP = 2000;

interface Task {
	name: string;
	size: number;
	/** Number of consecutive exports. The JavaScript engine's memory grows with the total work done. */
	times?: number;
	env?: Record<string, string>;
}

/** Node.js 24 lets the memory for new objects grow to 128 MB in any long job; this is Node.js 20's limit. */
const SMALL_YOUNG_GENERATION = '--max-semi-space-size=16';

/** Measures how much n8n grows over its idle size during NDJSON exports of two sizes, each in a fresh n8n. */
export async function compareFiles(quick: boolean): Promise<string> {
	const [small, large] = quick ? [2000, 20_000] : [20_000, 200_000];
	const times = large / small;
	const tasks: Task[] = [
		{ name: count(small), size: small },
		{ name: `${count(small)}, ${times} times in a row`, size: small, times },
		{ name: count(large), size: large },
		{
			name: `${count(large)}, \`NODE_OPTIONS=${SMALL_YOUNG_GENERATION}\``,
			size: large,
			env: { NODE_OPTIONS: SMALL_YOUNG_GENERATION },
		},
	];
	const results: Array<Awaited<ReturnType<typeof measureTask>>> = [];
	for (const task of tasks) results.push(await measureTask(task));
	const lines = results.map(({ name, growthMB, seconds: time, requests, bytes }) => [
		name,
		megabytes(bytes / 2 ** 20),
		count(requests),
		seconds(time),
		megabytes(growthMB),
		ratio(growthMB / results[1].growthMB),
	]);
	return `## Conversation Intelligence: memory of files

\`npm run bench -- export-files\`

Exports to an NDJSON file, each row in a fresh n8n that is idle after an export of ${count(WARM_UP)} conversations; growth is from there to the peak of the n8n process. The JavaScript engine's memory grows with the total work done, so the large export is compared with small exports of as many conversations in total. Most of it is for new objects: Node.js 24, which n8n runs on, lets this part grow to 128 MB in any long job; the last row limits it to 32 MB (two halves of 16), as Node.js 20 does. Each file was read back: as many lines as conversations, each ID once.

${table(
	'Conversations | File | Requests | Time | Growth of n8n over idle | Growth / growth with small exports',
	lines,
)}`;
}

async function measureTask({ name, size, times = 1, env }: Task) {
	progress(`${name} conversations into a file`);
	const work = async (testbed: Testbed) => {
		await untilIdle(testbed.n8n.service.pid);
		// The idle size includes what a first export leaves in memory, such as compiled code.
		await measure(testbed, withThisNode({ ...TO_NDJSON, returnAll: false, limit: WARM_UP }));
		await untilIdle(testbed.n8n.service.pid);
		const runs: Array<Awaited<ReturnType<typeof measure>>> = [];
		for (let time = 0; time < times; time++) runs.push(await measure(testbed, withThisNode(TO_NDJSON)));
		for (const { items } of runs) await checkFile(testbed.n8n, items[0].binary!.data, size);
		return {
			name,
			growthMB: Math.max(...runs.map(({ peakMB }) => peakMB)) - runs[0].beforeMB,
			seconds: sum(runs.map((run) => run.seconds)),
			requests: sum(runs.map(({ requests }) => requests)),
			bytes: Number(runs[0].items[0].json.bytes),
		};
	};
	return await withTestbed({ conversations: size }, work, env);
}

const sum = (values: number[]) => values.reduce((total, value) => total + value, 0);
