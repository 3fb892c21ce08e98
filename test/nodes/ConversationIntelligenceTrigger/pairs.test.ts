import type { IDataObject } from 'n8n-workflow';
import { processedEvent } from '../../../harness/webhook/deliveries';
import { tables } from '../../../scripts/apiReference';
import { allPairs } from '../../support/allPairs';
import { documentedRow } from '../../support/engine/documentedRow';
import { execution } from './execution';

const ANA = 'ana@example.com';
const BEN = 'ben@example.com';

/** Versions of three conversations in the order of their processing; the last event is sent again. */
const VERSIONS = [
	{ id: 'a', email: ANA, outcome: null, duration: 30, hasTranscript: true, unclear: undefined },
	{ id: 'b', email: BEN, outcome: ' sold', duration: 60, hasTranscript: false },
	{ id: 'c', email: ANA, outcome: 'Sold', duration: 59.5, hasTranscript: false, unclear: '' },
	{ id: 'a', email: ANA, outcome: 'Sold', duration: 90, hasTranscript: true },
	{ id: 'b', email: BEN, outcome: 'Lost', duration: 61, hasTranscript: true, unclear: 7 },
	{ id: 'c', email: ANA, outcome: 'Sold', duration: 60, hasTranscript: true },
	{ id: 'b', email: BEN, outcome: 'Sold', duration: 62, hasTranscript: false, unclear: {} },
	{ id: 'c', email: ANA, outcome: 'Sold', duration: 60, hasTranscript: true },
].map((version, index) => ({ ...version, title: `version ${index}` }));
type Version = (typeof VERSIONS)[number];
type Test = (version: Version) => boolean;

const isAna: Test = ({ email }) => email === ANA;
const isJane: Test = ({ id }) => id === 'a';
const isLong: Test = ({ duration }) => duration >= 60;
const isSold: Test = ({ outcome }) => outcome?.trim().toLowerCase() === 'sold';
const hasLink: Test = ({ hasTranscript }) => hasTranscript;
const byEvent = (test: Test) => (version: Version) => ('unclear' in version ? undefined : test(version));

/** Each filter: what passes, and what the event alone decides; of an unclear one, neither the rep nor the link. */
const FILTERS: Array<
	[filters: IDataObject, passes: Test, decided: (version: Version) => boolean | undefined]
> = [
	[{}, () => true, () => true],
	[{ users: [ANA] }, isAna, byEvent(isAna)],
	[{ hasTranscript: true }, hasLink, byEvent(hasLink)],
	[{ customer: 'JANE doe' }, isJane, isJane],
	[{ outcome: 'sold' }, isSold, () => undefined],
	[{ minDuration: 60 }, isLong, () => undefined],
	[
		{ users: [BEN], outcome: 'sold' },
		(one) => !isAna(one) && isSold(one),
		(one) => (isAna(one) ? byEvent(() => false)(one) : undefined),
	],
];

/** An execution for each version, with n8n's record of what the trigger has delivered. */
async function deliver(
	filters: IDataObject,
	output: string,
	deliverOnly: string,
	mode: 'webhook' | 'manual',
) {
	const parameters: IDataObject = { filters, output, options: { deliver: deliverOnly } };
	const recorded = new Set<string>();
	const found: IDataObject[] = [];
	const hints: string[] = [];
	const fetched: string[] = [];
	for (const version of VERSIONS) {
		const { id, email, hasTranscript, title, outcome, duration } = version;
		const transcriptUrl = hasTranscript ? `https://media.example/${id}` : null;
		const customer = { name: id === 'a' ? 'Jane Doe' : `Sam ${id}`, email: null, phone: null };
		const user = { id: 'u', name: 'Rep', email };
		const fields = { title, outcome, duration, conversationId: id, user, transcriptUrl, customer };
		const { unclear } = version as { unclear?: unknown };
		const data = { summary: title, customer, user_email: unclear, transcript_url: unclear };
		const clear = { user_email: email, transcript_url: transcriptUrl };
		const event = processedEvent(id, 'unclear' in version ? data : { ...data, ...clear });
		const { run, sent, ...one } = execution({
			...{ event, parameters, mode },
			respond: () => [200, documentedRow('ConversationsExport', fields)],
			record: async ([known]) => {
				const processed = recorded.has(known) ? [known] : [];
				recorded.add(known);
				return await Promise.resolve(processed);
			},
		});
		found.push(...(await run()));
		hints.push(...one.hints.map((hint) => `${title}: ${hint}`));
		fetched.push(...sent.map(({ url }) => `${title}: ${url}`));
	}
	return { found, hints, fetched };
}

const KEYS: Record<string, string[]> = {
	simplified:
		'conversationId date processedDate title duration crmEventID userName userEmail totalSold outcome jobSummary serviceUrl customerName'.split(
			' ',
		),
	raw: [...tables.ConversationsExport.map(({ name }) => name), 'urlsExpireAt'],
	event: [
		...tables.EventData.map(({ name }) => name),
		...['webhook_event_id', 'event_type', 'sent_at', 'transcriptUrlExpiresAt'],
	],
};

const CHOICES = allPairs({
	filter: FILTERS,
	output: ['simplified', 'raw', 'event'],
	deliver: ['all', 'new'],
	mode: ['webhook', 'manual'] as Array<'webhook' | 'manual'>,
});

// A version that the filter leaves out is no delivery: First Version Only returns the first one that passes.
// D1-DATA-01..04
test.each(CHOICES.map((choice) => [JSON.stringify(choice), choice] as const))(
	'what is filtered is not recorded as delivered, and what the event decides is not fetched: %s',
	async (_text, { filter: [filters, passes, decided], output, deliver: which, mode }) => {
		const { found, hints, fetched } = await deliver(filters, output, which, mode);
		const isManual = mode === 'manual';
		const passing = VERSIONS.filter(passes);
		const isFirst = ({ id }: Version, index: number) => passing.findIndex((one) => one.id === id) === index;
		const wanted = passing.filter((version, index) => which === 'all' || isManual || isFirst(version, index));
		const expected = isManual ? VERSIONS : wanted;
		const titleOf = ({ title, summary }: IDataObject) => (output === 'event' ? summary : title);
		expect(found.map((item) => [item.dedupeKey, titleOf(item)])).toEqual(
			expected.map(({ id, title }) => [id, title]),
		);
		for (const item of found) {
			const keys = [...KEYS[output], 'dedupeKey', 'source', 'isTest', 'deliveryAttempt'];
			expect(Object.keys(item).sort()).toEqual(keys.sort());
		}
		const says = isManual ? 'In production, this would return nothing: ' : 'Nothing is returned: ';
		expect(hints.filter((hint) => !hint.includes('Unexpected event data'))).toEqual(
			VERSIONS.filter((version) => !wanted.includes(version)).map(({ title }) =>
				expect.stringMatching(`^${title}: ${says}(Deliver|User|Has|Customer|Outcome|Minimum)`),
			),
		);
		const mustFetch = (version: Version) =>
			output === 'event' ? decided(version) === undefined : isManual || decided(version) !== false;
		const urlOf = ({ id, title }: Version) => `${title}: https://service.example/export/conversations/${id}`;
		expect(fetched).toEqual(VERSIONS.filter(mustFetch).map(urlOf));
	},
);
