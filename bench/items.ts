import type { IDataObject, INodeExecutionData, INodeParameters } from 'n8n-workflow';
import { progress } from '../harness/n8n/fresh';
import { median } from '../sandbox/statistics';
import { count, ratio, seconds, table } from './markdown';
import { measure, setLatency, withTestbed, type Testbed } from './testbed';
import { inPages, post, withRows } from './workflows';

const LATENCIES = [50, 300];
/** One page a day, two a week. */
const CONVERSATIONS = 10_000;
const GETS = 200;
const RANGES = 12;

/** Compares this package's node with the HTTP Request node, which sends all items at once, for many input items. */
export async function compareItems(quick: boolean): Promise<string> {
	const rounds = quick ? 3 : 7;
	const lines = await withTestbed({ conversations: CONVERSATIONS }, async (testbed) => {
		const ids = testbed.sandbox.control.conversationIds(CONVERSATIONS / 2, GETS);
		const jobs = jobsOf(testbed.sandbox.exportUrl, ids);
		// The first run of each node warms up n8n and does not count.
		for (const job of jobs) await compare(testbed, job, 1);
		const all: string[][] = [];
		for (const latency of LATENCIES) {
			setLatency(testbed.sandbox, latency);
			for (const job of jobs) {
				const { own, http, share } = await compare(testbed, job, rounds);
				progress(`${job.name}, ${latency} ms a response: ${ratio(share)}`);
				all.push([job.name, `${latency} ms`, seconds(own), seconds(http), ratio(share)]);
			}
		}
		return all;
	});
	return `## Conversation Intelligence: many input items

\`npm run bench -- items\`

Each input item is a request or a list of its own. HTTP Request sends all items at once, its default, with the same credential. Medians of ${rounds} pairs of runs in one n8n, of the node's execution time and of the pairs' ratios; both return the same rows. The service has ${count(CONVERSATIONS)} conversations: one page a day, two a week.

${table(['Job', 'Latency', 'This node', 'HTTP Request node', 'This node / HTTP Request node'], lines)}`;
}

/** The same work for both nodes, one item for each request or list. */
interface Job {
	name: string;
	input: IDataObject[];
	/** Parameters of this package's node, and of n8n's HTTP Request node. */
	own: INodeParameters;
	http: INodeParameters;
	/** The array that the HTTP Request node leaves in each of its items; undefined if each item is a row. */
	array?: string;
	/** The field that tells rows apart. */
	id: string;
}

function jobsOf(exportUrl: string, conversationIds: string[]): Job[] {
	const range = { fromDate: '={{ $json.fromDate }}', toDate: '={{ $json.toDate }}' };
	const list = { operation: 'getAll', output: 'raw', returnAll: true, dateRange: 'custom', ...range };
	const conversations = (days: number) => ({
		input: rangesOf(days),
		own: { resource: 'conversation', ...list },
		http: inPages(exportUrl, range),
		array: 'conversations',
		id: 'conversationId',
	});
	return [
		{
			name: `${GETS} conversations by ID`,
			input: conversationIds.map((id) => ({ id })),
			own: {
				resource: 'conversation',
				operation: 'get',
				output: 'raw',
				conversationId: { __rl: true, mode: 'id', value: '={{ $json.id }}' },
			},
			http: { method: 'GET', url: `=${exportUrl}/export/conversations/{{ $json.id }}` },
			id: 'conversationId',
		},
		{
			name: `Users of ${RANGES} ranges`,
			input: rangesOf(30),
			own: { resource: 'user', ...list },
			http: post(`${exportUrl}/export/users`, range),
			array: 'users',
			id: 'userId',
		},
		{ name: `Conversations of ${RANGES} days`, ...conversations(1) },
		{ name: `Conversations of ${RANGES} weeks`, ...conversations(7) },
	];
}

/** Ranges that follow one another. */
function rangesOf(days: number): IDataObject[] {
	const length = days * 24 * 3_600_000;
	return Array.from({ length: RANGES }, (_, index) => {
		const from = Date.parse('2025-01-01T00:00:00Z') + index * length;
		return {
			fromDate: new Date(from).toISOString(),
			toDate: new Date(from + length - 1).toISOString(),
		};
	});
}

const CREDENTIALS = { conversationExportApi: { id: '', name: '' } };
const authentication = 'predefinedCredentialType';

const workflowsOf = ({ name, input, own, http }: Job) => ({
	own: withRows(name, input, {
		type: 'n8n-nodes-conversation-intelligence.conversationIntelligence',
		typeVersion: 1,
		parameters: own,
		credentials: CREDENTIALS,
	}),
	http: withRows(name, input, {
		type: 'n8n-nodes-base.httpRequest',
		typeVersion: 4.2,
		parameters: { authentication, nodeCredentialType: 'conversationExportApi', ...http },
		credentials: CREDENTIALS,
	}),
});

/** @returns the medians of this node's times and of HTTP Request's, in seconds, and of their ratios */
async function compare(testbed: Testbed, job: Job, rounds: number) {
	const workflows = workflowsOf(job);
	const run = async (node: 'own' | 'http') => await (await measure(testbed, workflows[node])).result();
	const times: Array<{ own: number; http: number; share: number }> = [];
	for (let round = 0; round < rounds; round++) {
		// Each node is first in every second round.
		const early = round % 2 === 0 ? undefined : await run('http');
		const own = await run('own');
		const http = early ?? (await run('http'));
		checkSame(job, own.items, http.items);
		times.push({ own: own.seconds, http: http.seconds, share: own.seconds / http.seconds });
	}
	const middle = (of: 'own' | 'http' | 'share') => median(times.map((pair) => pair[of]));
	return { own: middle('own'), http: middle('http'), share: middle('share') };
}

/** Both nodes must return the same rows in the same order. */
function checkSame({ name, array, id }: Job, own: INodeExecutionData[], http: INodeExecutionData[]): void {
	const idsOf = (rows: IDataObject[]) => rows.map((row) => String(row[id])).join();
	const theirs = http.flatMap(({ json }) => (array === undefined ? [json] : (json[array] as IDataObject[])));
	if (theirs.length > 0 && idsOf(own.map(({ json }) => json)) === idsOf(theirs)) return;
	throw new Error(`${name}: ${own.length} rows, but ${theirs.length} of HTTP Request, or in another order.`);
}
