import type { IDataObject, INodeExecutionData, INodeParameters } from 'n8n-workflow';
import { progress } from '../harness/n8n/fresh';
import type { Testbed } from '../harness/testbed';
import type { Sandbox } from '../sandbox';
import { Random } from '../sandbox/data/random';
import { median } from '../sandbox/statistics';
import { count, megabytes, ratio, seconds, table } from './figures';
import { measure, pairsOf, setLatency, untilIdle, withTestbed } from './measure';
import { httpRequest, withRows, withThisNode } from './workflows';

const LATENCY_MS = 50;
const SERVICE = { conversations: 10, awaitingUpload: 0, errored: 0 };
/** Parts of the transcripts; in one transcript in ten of each part, the words were said. */
const PARTS = 10;
const FIRST = Date.UTC(2026, 5, 1);
const TURNS = 40;
const WORDS_OF_TURN = 26;
const SIZE_KB = { min: 57, max: 63 };

/** How HTTP Request begins its requests: all at once, its default, or so many every so many milliseconds. */
const BATCHINGS: Array<[name: string, options: INodeParameters]> = [
	['all at once', {}],
	['200 every 50 ms', { batching: { batch: { batchSize: 200, batchInterval: 50 } } }],
	['50 every 10 ms', { batching: { batch: { batchSize: 50, batchInterval: 10 } } }],
];

/** A transcript of 60 KB: what is said in each turn. */
function spoken(random: Random, phrase: string): string[] {
	const words = 'the roof of your house is old and we can do it in two days with new gutters'.split(' ');
	const turn = () => Array.from({ length: WORDS_OF_TURN }, () => random.pick(words)).join(' ');
	const turns = Array.from({ length: TURNS }, turn);
	turns[TURNS / 2] += ` ${phrase}`;
	return turns;
}

/** Adds conversations, one a millisecond, and returns links to their transcripts. */
function tell({ control }: Sandbox, size: number): string[] {
	const random = new Random(1);
	const ids: string[] = [];
	const insert = (many: number, phrase: string) =>
		ids.push(
			...control.insertConversations({
				...{ count: many, said: spoken(random, phrase), userEmail: 'ava.adams@example.com' },
				date: new Date(FIRST + ids.length).toISOString(),
			}),
		);
	for (let part = 0; part < PARTS; part++) {
		insert((size / PARTS) * 0.9, 'much cheaper');
		insert((size / PARTS) * 0.1, 'too expensive');
	}
	return ids.map((id) => control.transcriptUrl(id));
}

/** Searches the transcripts of the first conversations. */
const search = (size: number) =>
	withThisNode({
		...{ rowsFor: 'passages', filters: { said: '"too expensive"' } },
		...{ fromDate: new Date(FIRST).toISOString(), toDate: new Date(FIRST + size - 1).toISOString() },
	});

/** Downloads transcripts with the HTTP Request node, as text. */
const download = (links: string[], options: INodeParameters) => {
	const response = { response: { response: { responseFormat: 'text' } } };
	const parameters = { url: '={{ $json.link }}', options: { ...response, ...options } };
	const rows = links.map((link) => ({ link }));
	return withRows('Download with HTTP Request', rows, httpRequest(parameters));
};

function checkPassages(items: INodeExecutionData[], size: number): void {
	const found = items.filter(({ json }) => String(json.text).endsWith('too expensive'));
	if (found.length === size / 10 && items.length === found.length) return;
	throw new Error(`${items.length} passages, ${found.length} of them right, instead of ${size / 10}.`);
}

function checkTexts(items: INodeExecutionData[], size: number): void {
	const sizes = items.map(({ json }) => String((json as IDataObject).data).length / 1024);
	const isRight = (kilobytes: number) => kilobytes > SIZE_KB.min && kilobytes < SIZE_KB.max;
	if (items.length === size && sizes.every(isRight)) return;
	throw new Error(`${items.length} transcripts of ${Math.min(...sizes)} to ${Math.max(...sizes)} KB.`);
}

/** The batching with which HTTP Request is fastest, and how long each takes. */
async function fastest(testbed: Testbed, links: string[], rounds: number) {
	const times = BATCHINGS.map(() => [] as number[]);
	for (let round = 0; round < rounds; round++) {
		for (const [index, [, options]] of BATCHINGS.entries())
			times[index].push((await measure(testbed, download(links, options))).seconds);
	}
	const medians = times.map(median);
	const best = medians.indexOf(Math.min(...medians));
	return { batching: BATCHINGS[best], medians };
}

/** Compares a search in transcripts with the HTTP Request node, which only downloads them, and its memory with a tenth. */
export async function comparePassages(quick: boolean): Promise<string[]> {
	const [size, rounds] = quick ? [200, 1] : [1000, 7];
	const { batching, medians, pairs } = await withTestbed(SERVICE, async (testbed) => {
		const links = tell(testbed.sandbox, size);
		setLatency(testbed.sandbox, LATENCY_MS);
		// The first run of each workflow warms up n8n and does not count.
		for (const workflow of [search(size), download(links, {})]) await measure(testbed, workflow);
		const found = await fastest(testbed, links, Math.ceil(rounds / 3));
		const workflows = [search(size), download(links, found.batching[1])] as const;
		const check = (own: INodeExecutionData[], http: INodeExecutionData[]) => {
			checkPassages(own, size);
			checkTexts(http, size);
		};
		return { ...found, pairs: await pairsOf(testbed, { name: 'Passages', workflows, check }, rounds) };
	});
	const shares = pairs.map(({ own, http }) => own.seconds / http.seconds);
	const [low, high] = [Math.min(...shares), Math.max(...shares)].map(ratio);
	const own = pairs.map((pair) => pair.own);
	const timed = [
		...[count(size), `${LATENCY_MS} ms`, count(median(own.map(({ requests }) => requests)))],
		...[seconds(median(own.map((run) => run.seconds))), batching[0]],
		...[seconds(median(pairs.map(({ http }) => http.seconds))), `${ratio(median(shares))} (${low}–${high})`],
	];
	const batchings = BATCHINGS.map(([name], index) => [name, seconds(medians[index])]);
	return [
		table(
			'Transcripts | Latency | Requests | This node | Batching of HTTP Request | HTTP Request | This node / HTTP Request',
			[timed],
		),
		table('Batching of HTTP Request | Time', batchings),
		await compareGrowth(size),
	];
}

/** How much n8n grows over its idle size while it searches a tenth, a tenth ten times, and all transcripts. */
async function compareGrowth(size: number): Promise<string> {
	const results: Array<{ name: string; time: number; growthMB: number }> = [];
	for (const [part, times] of [
		[size / PARTS, 1],
		[size / PARTS, PARTS],
		[size, 1],
	]) {
		const name = times === 1 ? count(part) : `${count(part)}, ${times} times in a row`;
		progress(`Memory: ${name} transcripts`);
		const result = await withTestbed(SERVICE, async (testbed) => {
			tell(testbed.sandbox, size);
			setLatency(testbed.sandbox, LATENCY_MS);
			await untilIdle(testbed);
			// The idle size includes what a first search leaves in memory, such as compiled code.
			await measure(testbed, search(size / PARTS));
			await untilIdle(testbed);
			const runs: Array<Awaited<ReturnType<typeof measure>>> = [];
			for (let time = 0; time < times; time++) runs.push(await measure(testbed, search(part)));
			for (const { items } of runs) checkPassages(items, part);
			return {
				time: runs.reduce((sum, run) => sum + run.seconds, 0),
				growthMB: Math.max(...runs.map(({ peakMB }) => peakMB)) - runs[0].beforeMB,
			};
		});
		results.push({ name, ...result });
	}
	const lines = results.map(({ name, time, growthMB }) => [
		...[name, seconds(time), megabytes(growthMB), ratio(growthMB / results[1].growthMB)],
	]);
	return table('Transcripts | Time | Growth of n8n over idle | Growth / growth with small searches', lines);
}
