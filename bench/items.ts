import type { IDataObject, INodeExecutionData, INodeParameters } from 'n8n-workflow';
import { progress } from '../harness/n8n/fresh';
import type { WorkflowFile } from '../harness/n8n/workflowFile';
import { median } from '../sandbox/statistics';
import { count, ratio, seconds, table } from './markdown';
import { compare, setLatency, withTestbed } from './testbed';
import { httpRequest, inPages, ownNode, post, withRows } from './workflows';

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
		const run = async (job: Job, times: number) =>
			await compare(testbed, job.workflows, times, (own, http) => checkSame(job, own, http));
		// The first run of each node warms up n8n and does not count.
		for (const job of jobs) await run(job, 1);
		const all: string[][] = [];
		for (const latency of LATENCIES) {
			setLatency(testbed.sandbox, latency);
			for (const job of jobs) {
				const pairs = await run(job, rounds);
				const [own, http] = [0, 1].map((node) => median(pairs.map((pair) => pair[node].seconds)));
				const share = median(pairs.map((pair) => pair[0].seconds / pair[1].seconds));
				progress(`${job.name}, ${latency} ms a response: ${ratio(share)}`);
				all.push([job.name, `${latency} ms`, seconds(own), seconds(http), ratio(share)]);
			}
		}
		return all;
	});
	return `## Conversation Intelligence: many input items

\`npm run bench -- items\`

Each input item is a request or a list of its own. HTTP Request sends all items at once, its default, with the same credential. Medians of ${rounds} pairs of runs in one n8n, of the node's execution time and of the pairs' ratios; both return the same rows. The service has ${count(CONVERSATIONS)} conversations: one page a day, two a week.

${table('Job | Latency | This node | HTTP Request node | This node / HTTP Request node', lines)}`;
}

/** The same work for this package's node and for n8n's HTTP Request node. */
interface Job {
	name: string;
	workflows: [own: WorkflowFile, http: WorkflowFile];
	/** The field that tells rows apart. */
	id: string;
	/** The array that the HTTP Request node leaves in each of its items; undefined if each item is a row. */
	array?: string;
}

/** The workflows of a job with an item for each request or list. */
function workflowsOf(
	name: string,
	input: IDataObject[],
	own: INodeParameters,
	http: INodeParameters,
): Job['workflows'] {
	const credential = 'conversationExportApi';
	const authentication = { authentication: 'predefinedCredentialType', nodeCredentialType: credential };
	return [
		withRows(name, input, ownNode('conversationIntelligence', credential, own)),
		withRows(name, input, httpRequest({ ...authentication, ...http }, credential)),
	];
}

function jobsOf(exportUrl: string, conversationIds: string[]): Job[] {
	const range = { fromDate: '={{ $json.fromDate }}', toDate: '={{ $json.toDate }}' };
	const list = { operation: 'getAll', output: 'raw', returnAll: true, dateRange: 'custom', ...range };
	const conversations = (name: string, days: number): Job => {
		const parameters = { resource: 'conversation', ...list };
		const workflows = workflowsOf(name, rangesOf(days), parameters, inPages(exportUrl, range));
		return { name, workflows, id: 'conversationId', array: 'conversations' };
	};
	const conversationId = { __rl: true, mode: 'id', value: '={{ $json.id }}' };
	const byId = workflowsOf(
		'Conversations by ID',
		conversationIds.map((id) => ({ id })),
		{ resource: 'conversation', operation: 'get', output: 'raw', conversationId },
		{ method: 'GET', url: `=${exportUrl}/export/conversations/{{ $json.id }}` },
	);
	const ofUsers = post(`${exportUrl}/export/users`, range);
	const users = workflowsOf('Users', rangesOf(30), { resource: 'user', ...list }, ofUsers);
	return [
		{ name: `${GETS} conversations by ID`, workflows: byId, id: 'conversationId' },
		{ name: `Users of ${RANGES} ranges`, workflows: users, id: 'userId', array: 'users' },
		conversations(`Conversations of ${RANGES} days`, 1),
		conversations(`Conversations of ${RANGES} weeks`, 7),
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

/** Both nodes must return the same rows in the same order. */
function checkSame({ name, array, id }: Job, own: INodeExecutionData[], http: INodeExecutionData[]): void {
	const idsOf = (rows: IDataObject[]) => rows.map((row) => String(row[id])).join();
	const theirs = http.flatMap(({ json }) => (array === undefined ? [json] : (json[array] as IDataObject[])));
	if (theirs.length > 0 && idsOf(own.map(({ json }) => json)) === idsOf(theirs)) return;
	throw new Error(`${name}: ${own.length} rows, but ${theirs.length} of HTTP Request, or in another order.`);
}
