import type { IDataObject } from 'n8n-workflow';
import { allCases, allPairs } from '../../support/allPairs';
import { documentedRow } from '../../support/engine/documentedRow';
import { ListService } from './listService';
import { MINUTE, PollingN8n, START } from './pollingN8n';

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
	// Long after its last version, which only First Version Only still remembers.
	{ at: 10.5, id: 'a', email: ANA, outcome: 'Sold', duration: 91 },
].map((version, index) => ({ ...version, title: `version ${index}` }));
type Version = (typeof VERSIONS)[number];

const FILTERS: Array<[filters: IDataObject, passes: (version: Version) => boolean]> = [
	[{}, () => true],
	[{ users: [ANA] }, ({ email }) => email === ANA],
	[{ outcome: 'sold' }, ({ outcome }) => outcome?.trim().toLowerCase() === 'sold'],
	[{ minDuration: 60 }, ({ duration }) => duration >= 60],
	[{ users: [BEN], outcome: 'sold' }, ({ email, outcome }) => email === BEN && outcome === ' sold'],
];

const ORIGIN = { source: 'poll', isTest: false, deliveryAttempt: 1 };

const CHOICES = allPairs({
	filter: FILTERS,
	output: ['simplified', 'raw'],
	remembered: allCases({ deliver: ['all', 'new'], lookBackMinutes: [1, 10] }),
	startExecutionFor: ['poll', 'conversation'],
	aheadMinutes: [0, 3, -3],
	isNewestFirst: [false, true],
	isFiltering: [false, true],
});

/** Polls every two minutes; the clock of the service is ahead of n8n's, or behind. */
async function delivered({ filter: [filters], output, aheadMinutes, ...choice }: (typeof CHOICES)[number]) {
	const { isNewestFirst, isFiltering, remembered, startExecutionFor } = choice;
	const service = new ListService(isNewestFirst);
	const n8n = new PollingN8n(service);
	const aheadMs = aheadMinutes * MINUTE;
	service.isFiltering = isFiltering;
	service.clock = () => n8n.now + aheadMs;
	n8n.publishAgain({});
	Object.assign(n8n, { filters, output, options: { ...remembered, startExecutionFor } });
	const executions: IDataObject[][] = [];
	const waiting = [...VERSIONS];
	for (; n8n.now <= START + 12 * MINUTE; n8n.now += 2 * MINUTE) {
		while (waiting.length > 0 && START + waiting[0].at * MINUTE <= n8n.now) {
			const { at, id, email, ...fields } = waiting.shift()!;
			const processed = START + at * MINUTE + aheadMs;
			const processedDate = new Date(processed).toISOString();
			const of = { conversationId: id, processedDate, user: { id: 'u', name: 'Rep', email } };
			service.put(id, processed, documentedRow('ConversationsExport', { ...fields, ...of }));
		}
		await n8n.poll();
		executions.push(...n8n.running.map(({ items }) => items));
		await n8n.endAll();
	}
	expect(n8n.shown).toEqual([]);
	return executions;
}

// D1-EXP-05
test.each(CHOICES.map((choice) => [JSON.stringify(choice), choice] as const))(
	'each version that passes is delivered once, the first one alone with First Version Only, by any clock: %s',
	async (_text, choice) => {
		const executions = await delivered(choice);
		const passing = VERSIONS.filter(choice.filter[1]);
		const isFirst = ({ id }: Version, index: number) => passing.findIndex((one) => one.id === id) === index;
		const expected = passing.filter(
			(version, index) => choice.remembered.deliver === 'all' || isFirst(version, index),
		);
		expect(executions.flat()).toMatchObject(
			expected.map(({ id, title }) => ({ ...ORIGIN, dedupeKey: id, title })),
		);
		const polls = new Set(expected.map(({ at }) => Math.ceil(at / 2))).size;
		expect(executions).toHaveLength(choice.startExecutionFor === 'poll' ? polls : expected.length);
	},
);
