import type { IDataObject, IExecuteFunctions, IHttpRequestOptions } from 'n8n-workflow';
import { processedEvent } from '../../../harness/webhook/deliveries';
import { runEvents } from '../../../nodes/ConversationIntelligenceTrigger/events';
import { tables } from '../../../scripts/apiReference';
import { allPairs } from '../../support/allPairs';
import { documentedRow } from '../../support/engine/documentedRow';

const ANA = 'ana@example.com';
const BEN = 'ben@example.com';

/** Versions of three conversations in the order of their processing; the last event is sent again. */
const VERSIONS = [
	{ id: 'a', email: ANA, outcome: null, duration: 30, hasTranscript: true },
	{ id: 'b', email: BEN, outcome: ' sold', duration: 60, hasTranscript: false },
	{ id: 'c', email: ANA, outcome: 'Sold', duration: 59.5, hasTranscript: false },
	{ id: 'a', email: ANA, outcome: 'Sold', duration: 90, hasTranscript: true },
	{ id: 'b', email: BEN, outcome: 'Lost', duration: 61, hasTranscript: true },
	{ id: 'c', email: ANA, outcome: 'Sold', duration: 60, hasTranscript: true },
	{ id: 'c', email: ANA, outcome: 'Sold', duration: 60, hasTranscript: true },
].map((version, index) => ({ ...version, title: `version ${index}` }));
type Version = (typeof VERSIONS)[number];

/** Each filter, and whether the event alone decides it. */
const FILTERS: Array<[filters: IDataObject, passes: (version: Version) => boolean, byEvent: boolean]> = [
	[{}, () => true, true],
	[{ users: [ANA] }, ({ email }) => email === ANA, true],
	[{ hasTranscript: true }, ({ hasTranscript }) => hasTranscript, true],
	[{ outcome: 'sold' }, ({ outcome }) => outcome?.trim().toLowerCase() === 'sold', false],
	[{ minDuration: 60 }, ({ duration }) => duration >= 60, false],
	[{ users: [BEN], outcome: 'sold' }, ({ email, outcome }) => email === BEN && outcome === ' sold', false],
];

/** An execution for each version, with n8n's record of what the trigger has delivered. */
async function deliver(filters: IDataObject, output: string, deliverOnly: string) {
	const parameters: IDataObject = { filters, output, options: { deliver: deliverOnly } };
	const recorded = new Set<string>();
	const found: IDataObject[] = [];
	let requests = 0;
	for (const { id, email, hasTranscript, ...fields } of VERSIONS) {
		const transcriptUrl = hasTranscript ? `https://media.example/${id}` : null;
		const user = { id: 'u', name: 'Rep', email };
		const row = documentedRow('ConversationsExport', { ...fields, conversationId: id, user, transcriptUrl });
		const event = processedEvent(id, {
			user_email: email,
			transcript_url: transcriptUrl,
			summary: fields.title,
		});
		const context = {
			getInputData: () => [{ json: event }],
			getMode: () => 'webhook',
			getNode: () => ({ id: 'node', name: 'Trigger', parameters }),
			getNodeParameter: (name: string, _index: number, fallback: unknown) => parameters[name] ?? fallback,
			getWorkflow: () => ({ id: 'pairs', name: 'Workflow' }),
			getCredentials: async () => ({ baseUrl: 'https://service.example', apiKey: 'key' }),
			continueOnFail: () => false,
			addExecutionHints: () => {},
			logger: { info: () => {}, warn: () => {} },
			helpers: {
				httpRequestWithAuthentication: async (_type: string, { url }: IHttpRequestOptions) => {
					requests++;
					expect(url).toBe(`https://service.example/export/conversations/${id}`);
					return { statusCode: 200, headers: {}, body: Buffer.from(JSON.stringify(row)) };
				},
				checkProcessedAndRecord: async ([one]: string[]) => {
					const processed = recorded.has(one) ? [one] : [];
					recorded.add(one);
					return { new: [], processed };
				},
			},
		};
		const [items] = await runEvents(context as unknown as IExecuteFunctions);
		for (const { json } of items) found.push(json);
	}
	return { found, requests };
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
});

// A version that the filter leaves out is no delivery: First Version Only returns the first one that passes.
test.each(CHOICES.map((choice) => [JSON.stringify(choice), choice] as const))(
	'what is filtered is not recorded as delivered, and what the event decides is not fetched: %s',
	async (_text, { filter: [filters, passes, byEvent], output, deliver: which }) => {
		const { found, requests } = await deliver(filters, output, which);
		const passing = VERSIONS.filter(passes);
		const isFirst = ({ id }: Version, index: number) => passing.findIndex((one) => one.id === id) === index;
		const expected = passing.filter((version, index) => which === 'all' || isFirst(version, index));
		const titleOf = ({ title, summary }: IDataObject) => (output === 'event' ? summary : title);
		expect(found.map((item) => [item.dedupeKey, titleOf(item)])).toEqual(
			expected.map(({ id, title }) => [id, title]),
		);
		for (const item of found) {
			const keys = [...KEYS[output], 'dedupeKey', 'source', 'isTest', 'deliveryAttempt'];
			expect(Object.keys(item).sort()).toEqual(keys.sort());
		}
		const decided = filters.users
			? VERSIONS.filter(({ email }) => (filters.users as string[]).includes(email))
			: VERSIONS;
		const fetched = byEvent ? passing.length : decided.length;
		expect(requests).toBe(output === 'event' && byEvent ? 0 : fetched);
	},
);
