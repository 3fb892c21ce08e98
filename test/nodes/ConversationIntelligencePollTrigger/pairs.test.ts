import type { IDataObject, IHttpRequestOptions, INodeExecutionData, IRun } from 'n8n-workflow';
import { ConversationIntelligencePollTrigger } from '../../../nodes/ConversationIntelligencePollTrigger/ConversationIntelligencePollTrigger.node';
import { tables } from '../../../scripts/apiReference';
import { allPairs } from '../../support/allPairs';
import { documentedRow } from '../../support/engine/documentedRow';
import { pollContext, START } from './pollingN8n';

const MINUTE = 60_000;
const ANA = 'ana@example.com';
const BEN = 'ben@example.com';

/** Versions of conversations, and in which minute each was processed. */
const VERSIONS = [
	{ at: 1, id: 'a', email: ANA, outcome: null, duration: 30 },
	{ at: 1.5, id: 'b', email: BEN, outcome: ' sold', duration: 60 },
	{ at: 2.5, id: 'c', email: ANA, outcome: 'Sold', duration: 59.5 },
	{ at: 4, id: 'a', email: ANA, outcome: 'Sold', duration: 90 },
	{ at: 4.5, id: 'b', email: BEN, outcome: 'Lost', duration: 61 },
	{ at: 6.5, id: 'c', email: ANA, outcome: 'Sold', duration: 60 },
].map((version, index) => ({ ...version, title: `version ${index}` }));
type Version = (typeof VERSIONS)[number];

const FILTERS: Array<[filters: IDataObject, passes: (version: Version) => boolean]> = [
	[{}, () => true],
	[{ users: [ANA] }, ({ email }) => email === ANA],
	[{ outcome: 'sold' }, ({ outcome }) => outcome?.trim().toLowerCase() === 'sold'],
	[{ minDuration: 60 }, ({ duration }) => duration >= 60],
	[{ users: [BEN], outcome: 'sold' }, ({ email, outcome }) => email === BEN && outcome === ' sold'],
];

interface Choice {
	filter: (typeof FILTERS)[number];
	output: string;
	deliver: string;
	startExecutionFor: string;
	aheadMinutes: number;
	isNewestFirst: boolean;
	lookBackMinutes: number;
}

/** Polls every two minutes; the clock of the service is ahead of n8n's, or behind. */
async function delivered({ filter: [filters], output, aheadMinutes, isNewestFirst, ...options }: Choice) {
	const parameters: IDataObject = {
		...{ startFrom: 'whenPublished', filters, output },
		options: {
			deliver: options.deliver,
			startExecutionFor: options.startExecutionFor,
			lookBackMinutes: options.lookBackMinutes,
		},
	};
	const staticData = {};
	let now = START;
	jest.spyOn(Date, 'now').mockImplementation(() => now);
	const iso = (minutes: number) => new Date(START + (minutes + aheadMinutes) * MINUTE).toISOString();
	const respond = async ({ body }: IHttpRequestOptions) => {
		const query = JSON.parse(String(body)) as {
			fromDate: string;
			toDate: string;
			users?: string[];
			page: number;
		};
		const listed = VERSIONS.filter(({ at, email, id }, index) => {
			const isThere = START + at * MINUTE <= now;
			const isReplaced = VERSIONS.slice(index + 1).some(
				(one) => one.id === id && START + one.at * MINUTE <= now,
			);
			const isInRange = iso(at) >= query.fromDate && iso(at) <= query.toDate;
			return isThere && !isReplaced && isInRange && (!query.users?.length || query.users.includes(email));
		});
		if (isNewestFirst) listed.reverse();
		const conversations = listed.map(({ at, id, email, ...fields }) =>
			documentedRow('ConversationsExport', {
				...{ ...fields, conversationId: id, processedDate: iso(at), user: { id: 'u', name: 'Rep', email } },
			}),
		);
		const date = new Date(now + aheadMinutes * MINUTE).toUTCString();
		const page = { conversations: query.page === 1 ? conversations : [], totalConversations: listed.length };
		return { statusCode: 200, headers: { date }, body: Buffer.from(JSON.stringify(page)) };
	};
	const executions: IDataObject[][] = [];
	const context = pollContext({
		node: { id: 'node', name: 'Poll', parameters },
		process: JSON.stringify([filters, output, aheadMinutes, isNewestFirst, options]),
		saved: () => staticData,
		respond,
		logger: { info: () => {}, warn: () => {}, error: () => {} },
		__emitError: (error: Error) => {
			throw error;
		},
		__emit: (
			[items]: INodeExecutionData[][],
			_response: undefined,
			done: { resolve: (run: IRun) => void },
		) => {
			executions.push(items.map(({ json }) => json));
			done.resolve({
				status: 'success',
				data: { resultData: { runData: {}, lastNodeExecuted: 'Write' } },
			} as never);
		},
	});
	for (; now <= START + 12 * MINUTE; now += 2 * MINUTE) {
		await new ConversationIntelligencePollTrigger().poll.call(context);
		await new Promise(setImmediate);
	}
	return executions;
}

const KEYS: Record<string, string[]> = {
	simplified:
		'conversationId date processedDate title duration crmEventID userName userEmail totalSold outcome jobSummary serviceUrl customerName'.split(
			' ',
		),
	raw: [...tables.ConversationsExport.map(({ name }) => name), 'urlsExpireAt'],
};

const CHOICES = allPairs({
	filter: FILTERS,
	output: ['simplified', 'raw'],
	deliver: ['all', 'new'],
	startExecutionFor: ['poll', 'conversation'],
	aheadMinutes: [0, 3, -3],
	isNewestFirst: [false, true],
	lookBackMinutes: [1, 10],
});

test.each(CHOICES.map((choice) => [JSON.stringify(choice), choice] as const))(
	'each version that passes is delivered once, the first one alone with First Version Only, by any clock: %s',
	async (_text, choice) => {
		const executions = await delivered(choice);
		const passing = VERSIONS.filter(choice.filter[1]);
		const isFirst = ({ id }: Version, index: number) => passing.findIndex((one) => one.id === id) === index;
		const expected = passing.filter((version, index) => choice.deliver === 'all' || isFirst(version, index));
		const items = executions.flat();
		expect(items.map(({ dedupeKey, title }) => [dedupeKey, title])).toEqual(
			expected.map(({ id, title }) => [id, title]),
		);
		for (const item of items) {
			const keys = [...KEYS[choice.output], 'dedupeKey', 'source', 'isTest', 'deliveryAttempt'];
			expect(Object.keys(item).sort()).toEqual(keys.sort());
		}
		const polls = new Set(expected.map(({ at }) => Math.ceil(at / 2))).size;
		expect(executions).toHaveLength(choice.startExecutionFor === 'poll' ? polls : expected.length);
	},
);
