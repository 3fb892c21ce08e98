import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { ratio, seconds, table } from './figures';
import { compareJobs, withTestbed, type Job } from './measure';
import { httpRequest, inPages, ownNode, post, withRows } from './workflows';

const LATENCIES = [50, 300];
/** One page a day, two a week. */
const CONVERSATIONS = 10_000;
const GETS = 200;
const RANGES = 12;

/** Compares this package's node with the HTTP Request node, which sends all items at once, for many input items. */
export async function compareItems(quick: boolean): Promise<string[]> {
	const rounds = quick ? 3 : 7;
	const results = await withTestbed({ conversations: CONVERSATIONS }, async (testbed) => {
		const ids = testbed.sandbox.control.conversationIds(CONVERSATIONS / 2, GETS);
		return await compareJobs(testbed, jobsOf(testbed.sandbox.exportUrl, ids), LATENCIES, rounds);
	});
	const lines = results.map(({ name, latency, of, share }) => {
		const [own, http] = [of('own', 'seconds'), of('http', 'seconds')];
		return [name, `${latency} ms`, seconds(own), seconds(http), ratio(share)];
	});
	return [table('Job | Latency | This node | HTTP Request node | This node / HTTP Request node', lines)];
}

/** A job with an input item for each request or list. */
function jobOf(
	name: string,
	input: IDataObject[],
	{ own, http }: Record<'own' | 'http', INodeParameters>,
	id: string,
	array?: string,
): Job {
	const credential = 'conversationExportApi';
	const authentication = { authentication: 'predefinedCredentialType', nodeCredentialType: credential };
	return {
		name,
		workflows: [
			withRows(name, input, ownNode('conversationIntelligence', credential, own)),
			withRows(name, input, httpRequest({ ...authentication, ...http }, credential)),
		],
		check(ours, items) {
			const idsOf = (rows: IDataObject[]) => rows.map((row) => String(row[id])).join();
			const theirs = items.flatMap(({ json }) => (array ? (json[array] as IDataObject[]) : [json]));
			if (theirs.length > 0 && idsOf(ours.map(({ json }) => json)) === idsOf(theirs)) return;
			throw new Error(
				`${name}: ${ours.length} rows, but ${theirs.length} of HTTP Request, or in another order.`,
			);
		},
	};
}

function jobsOf(exportUrl: string, conversationIds: string[]): Job[] {
	const range = { fromDate: '={{ $json.fromDate }}', toDate: '={{ $json.toDate }}' };
	const list = { operation: 'getAll', output: 'raw', returnAll: true, dateRange: 'custom', ...range };
	const conversations = { own: { resource: 'conversation', ...list }, http: inPages(exportUrl, range) };
	const users = { own: { resource: 'user', ...list }, http: post(`${exportUrl}/export/users`, range) };
	const conversationId = { __rl: true, mode: 'id', value: '={{ $json.id }}' };
	const byId = {
		own: { resource: 'conversation', operation: 'get', output: 'raw', conversationId },
		http: { method: 'GET', url: `=${exportUrl}/export/conversations/{{ $json.id }}` },
	};
	const ids = conversationIds.map((id) => ({ id }));
	return [
		jobOf(`${GETS} conversations by ID`, ids, byId, 'conversationId'),
		jobOf(`Users of ${RANGES} ranges`, rangesOf(30), users, 'userId', 'users'),
		jobOf(`Conversations of ${RANGES} days`, rangesOf(1), conversations, 'conversationId', 'conversations'),
		jobOf(`Conversations of ${RANGES} weeks`, rangesOf(7), conversations, 'conversationId', 'conversations'),
	];
}

function rangesOf(days: number): IDataObject[] {
	const length = days * 24 * 3_600_000;
	return Array.from({ length: RANGES }, (_, index) => {
		const from = Date.parse('2025-01-01T00:00:00Z') + index * length;
		return { fromDate: new Date(from).toISOString(), toDate: new Date(from + length - 1).toISOString() };
	});
}
