import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import type { IDataObject, INodeExecutionData } from 'n8n-workflow';
import { progress } from '../harness/n8n/fresh';
import type { WorkflowFile } from '../harness/n8n/workflowFile';
import type { Testbed } from '../harness/testbed';
import { MAX_REQUESTS } from '../nodes/ConversationIntelligence/getMany/listRequest';
import type { Sandbox } from '../sandbox';
import { median } from '../sandbox/statistics';
import { count, megabytes, ratio, seconds, table } from './figures';
import { compareJobs, measure, untilIdle, withTestbed } from './measure';
import { AS_FILE, AS_ITEMS, TO_NDJSON, withHttpRequest, withThisNode } from './workflows';

const ROUNDS = 3;

/** Compares this node with the HTTP Request node: time, requests, and ratio to the ideal. */
export async function compareExports(quick: boolean): Promise<string[]> {
	const conversations = quick ? 2000 : 10_000;
	const pages = Math.ceil(conversations / 50);
	const results = await withTestbed({ conversations }, async (testbed) => {
		const check = (...outputs: INodeExecutionData[][]) =>
			outputs.forEach((items) => checkItems(items, conversations));
		const workflows = [withThisNode(), withHttpRequest(testbed.sandbox)] as const;
		const job = { name: 'Export', workflows, check };
		return await compareJobs(testbed, [job], quick ? [50] : [0, 50, 200], quick ? 1 : ROUNDS);
	});
	const lines = results.map(({ latency, of }) => {
		const [own, http] = [of('own', 'seconds'), of('http', 'seconds')];
		// Page 1 alone, then rounds of as many pages as requests are allowed at once.
		const ideal = (latency / 1000) * (1 + Math.ceil((pages - 1) / MAX_REQUESTS));
		return [
			...[`${latency} ms`, seconds(own), seconds(http), ratio(http / own), seconds(ideal)],
			ideal === 0 ? '–' : ratio(own / ideal),
			`${of('own', 'requests')} / ${of('http', 'requests')}`,
		];
	});
	const times = 'This node | HTTP Request node | Times faster | Ideal | This node / ideal';
	return [table(`Latency | ${times} | Requests (this / HTTP)`, lines)];
}

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
export async function comparePeaks(quick: boolean): Promise<string[]> {
	const [items, file] = quick ? [2000, 2000] : [10_000, 20_000];
	const lines = [
		...(await race(`${count(items)} as items`, WITH_ITEMS, items)),
		...(await race(`${count(file)} as a file`, WITH_FILE, file)),
	];
	return [table('Conversations | Nodes | Idle | Peak | Peak / peak of HTTP Request', lines)];
}

async function race(task: string, contestants: Contestant[], size: number) {
	const runs = contestants.map(() => ({ idle: [] as number[], peaks: [] as number[] }));
	for (let round = 0; round < ROUNDS; round++) {
		for (const [index, [name, workflow]] of contestants.entries()) {
			progress(`${task}: ${name}, round ${round + 1} of ${ROUNDS}`);
			await withTestbed({ conversations: size }, async (testbed) => {
				await untilIdle(testbed);
				const { items, beforeMB, peakMB } = await measure(testbed, workflow(testbed.sandbox));
				const extension = items[0].binary?.data?.fileExtension;
				if (extension === undefined) checkItems(items, size);
				else if (extension === 'ndjson') await checkFile(testbed, items, size);
				runs[index].idle.push(beforeMB);
				runs[index].peaks.push(peakMB);
			});
		}
	}
	return contestants.map(([name], index) => {
		const { idle, peaks } = runs[index];
		const range = [Math.min(...peaks), Math.max(...peaks)].map((value) => value.toFixed(0)).join('–');
		const [peak, base] = [peaks, runs[1].peaks].map(median);
		return [task, name, megabytes(median(idle)), `${megabytes(peak)} (${range})`, ratio(peak / base)];
	});
}

/** Conversations in the export that precedes the measured ones. */
const WARM_UP = 2000;

/** Node.js 24 lets the memory for new objects grow to 128 MB in any long job; this is Node.js 20's limit. */
const SMALL_YOUNG_GENERATION = '--max-semi-space-size=16';

/** Measures how much n8n grows over its idle size during NDJSON exports of two sizes, each in a fresh n8n. */
export async function compareFiles(quick: boolean): Promise<string[]> {
	const [small, large] = quick ? [2000, 20_000] : [20_000, 200_000];
	const times = large / small;
	const option = `NODE_OPTIONS=${SMALL_YOUNG_GENERATION}`;
	const results = [
		await measureFiles(count(small), small),
		// The JavaScript engine's memory grows with the total work done.
		await measureFiles(`${count(small)}, ${times} times in a row`, small, times),
		await measureFiles(count(large), large),
		await measureFiles(`${count(large)}, \`${option}\``, large, 1, { NODE_OPTIONS: SMALL_YOUNG_GENERATION }),
	];
	const lines = results.map(({ growthMB, cells }) => [...cells, ratio(growthMB / results[1].growthMB)]);
	const growth = 'Growth of n8n over idle | Growth / growth with small exports';
	return [table(`Conversations | File | Requests | Time | ${growth}`, lines)];
}

/** Measures so many consecutive exports. */
async function measureFiles(name: string, size: number, times = 1, env: Record<string, string> = {}) {
	progress(`${name} conversations into a file`);
	const work = async (testbed: Testbed) => {
		await untilIdle(testbed);
		// The idle size includes what a first export leaves in memory, such as compiled code.
		await measure(testbed, withThisNode({ ...TO_NDJSON, returnAll: false, limit: WARM_UP }));
		await untilIdle(testbed);
		const runs: Array<Awaited<ReturnType<typeof measure>>> = [];
		for (let time = 0; time < times; time++) runs.push(await measure(testbed, withThisNode(TO_NDJSON)));
		for (const { items } of runs) await checkFile(testbed, items, size);
		const sum = (figure: 'seconds' | 'requests') => runs.reduce((total, run) => total + run[figure], 0);
		const growthMB = Math.max(...runs.map(({ peakMB }) => peakMB)) - runs[0].beforeMB;
		const file = megabytes(Number(runs[0].items[0].json.bytes) / 2 ** 20);
		const total = [count(sum('requests')), seconds(sum('seconds'))];
		return { growthMB, cells: [name, file, ...total, megabytes(growthMB)] };
	};
	return await withTestbed({ conversations: size }, work, env);
}

function checkAll(ids: unknown[], conversations: number): void {
	const { size } = new Set(ids);
	if (size !== conversations || ids.length !== conversations)
		throw new Error(`${ids.length} rows with ${size} IDs instead of ${conversations} conversations.`);
}

/** Checks that items contain every conversation once. The HTTP Request node alone returns an item per page. */
function checkItems(items: INodeExecutionData[], conversations: number): void {
	const rows = items.flatMap(({ json }) => (json.conversations as IDataObject[] | undefined) ?? [json]);
	const ids = rows.map(({ conversationId }) => conversationId);
	checkAll(ids, conversations);
}

async function checkFile({ n8n }: Testbed, items: INodeExecutionData[], conversations: number) {
	const id = encodeURIComponent(items[0].binary!.data.id!);
	const url = `${n8n.url}/rest/binary-data?id=${id}&action=download`;
	const response = await fetch(url, { headers: { cookie: n8n.cookie } });
	if (!response.ok || !response.body) throw new Error(`The file cannot be read: ${response.status}`);
	const ids: string[] = [];
	for await (const line of createInterface({ input: Readable.fromWeb(response.body) }))
		ids.push((JSON.parse(line) as { conversationId: string }).conversationId);
	checkAll(ids, conversations);
}
