import type { Report } from '../../harness/problem';
import { count, megabytes, ratio, seconds, table } from '../markdown';
import { checkFile } from './check';
import { measure, untilIdle, withTestbed, type Measurement, type Testbed } from './measure';
import { withThisNode } from './workflows';

/** Conversations in the export that precedes the measured ones. */
const WARM_UP = 2000;

interface Task {
	size: number;
	/** Number of consecutive exports. The JavaScript engine's memory grows with the total work done. */
	times: number;
	nodeOptions?: string;
}

/** Node.js 24 lets the memory for new objects grow to 128 MB in any long job; this is Node.js 20's limit. */
const SMALL_YOUNG_GENERATION = '--max-semi-space-size=16';

/** Measures how much n8n grows over its idle size during NDJSON exports of two sizes, each in a fresh n8n. */
export async function measureFiles(report: Report, quick: boolean): Promise<string> {
	const [small, large] = quick ? [2000, 20_000] : [20_000, 200_000];
	const results: Array<Awaited<ReturnType<typeof measureTask>>> = [];
	const tasks: Task[] = [
		{ size: small, times: 1 },
		{ size: small, times: large / small },
		{ size: large, times: 1 },
		{ size: large, times: 1, nodeOptions: SMALL_YOUNG_GENERATION },
	];
	for (const task of tasks) {
		results.push(await measureTask(task, report));
	}
	const lines = results.map(({ size, times, nodeOptions, growthMB, seconds: time, requests, bytes }) => [
		`${count(size)}${times === 1 ? '' : `, ${times} times in a row`}${nodeOptions ? `, \`NODE_OPTIONS=${nodeOptions}\`` : ''}`,
		megabytes(bytes / 2 ** 20),
		count(requests),
		seconds(time),
		megabytes(growthMB),
		ratio(growthMB / results[1].growthMB),
	]);
	return `Exports to an NDJSON file, each row in a fresh n8n that is idle after an export of ${count(WARM_UP)} conversations; growth is from there to the peak of the n8n process. The JavaScript engine's memory grows with the total work done, so the large export is compared with small exports of as many conversations in total. Most of it is for new objects: Node.js 24, which n8n runs on, lets this part grow to 128 MB in any long job; the last row limits it to 32 MB (two halves of 16), as Node.js 20 does. Each file was read back: as many lines as conversations, each ID once.

${table(
	[
		'Conversations',
		'File',
		'Requests',
		'Time',
		'Growth of n8n over idle',
		'Growth / growth with small exports',
	],
	lines,
)}`;
}

async function measureTask({ size, times, nodeOptions }: Task, report: Report) {
	report(`${size} conversations into a file${times === 1 ? '' : `, ${times} times`}`);
	const work = async (testbed: Testbed) => {
		await untilIdle(testbed);
		// The idle size includes what a first export leaves in memory, such as compiled code.
		await measure(testbed, withThisNode({ file: true, limit: WARM_UP }));
		await untilIdle(testbed);
		const runs: Measurement[] = [];
		for (let time = 0; time < times; time++) runs.push(await measure(testbed, withThisNode({ file: true })));
		const files = await Promise.all(runs.map(async ({ result }) => (await result()).items[0]));
		for (const { binary } of files) await checkFile(testbed.n8n, binary!.data, size);
		const total = (of: (run: Measurement) => number) => runs.reduce((sum, run) => sum + of(run), 0);
		return {
			size,
			times,
			nodeOptions,
			growthMB: Math.max(...runs.map(({ peakMB }) => peakMB)) - runs[0].beforeMB,
			seconds: total((run) => run.seconds),
			requests: total((run) => run.requests),
			bytes: Number(files[0].json.bytes),
		};
	};
	return await withTestbed(size, report, work, nodeOptions ? { NODE_OPTIONS: nodeOptions } : {});
}
