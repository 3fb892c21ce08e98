import type { IDataObject, IExecuteFunctions, IHttpRequestOptions, NodeExecutionHint } from 'n8n-workflow';
import { runEvents } from '../../../nodes/ConversationIntelligenceTrigger/events';
import { processedEvent } from '../../../harness/webhook/deliveries';
import { allPairs } from '../../support/allPairs';
import { documentedRow } from '../../support/engine/documentedRow';

interface Options {
	event: object;
	parameters?: IDataObject;
	/** The status and body of the next response. */
	respond?: () => [status: number, row?: object];
	/** n8n's own record of what the trigger has processed: which of the IDs it knows. */
	record?: (ids: string[]) => Promise<string[]>;
	mode?: 'webhook' | 'manual';
	node?: string;
	workflow?: string;
}

/** An execution of one event, without n8n. */
function execution({ event, parameters = {}, mode = 'webhook', ...options }: Options) {
	const { respond, record, node = 'node', workflow = 'workflow' } = options;
	const cancel = new AbortController();
	const hints: string[] = [];
	const logged: unknown[] = [];
	/** Each request, and when it was sent, in milliseconds. */
	const sent: Array<{ url: string; at: number }> = [];
	const log = (...line: unknown[]) => void logged.push(line);
	const context = {
		getInputData: () => [{ json: event }],
		getMode: () => mode,
		getNode: () => ({ id: node, name: 'Trigger', type: 'trigger', parameters }),
		getNodeParameter: (name: string, _index: number, fallback: unknown) => parameters[name] ?? fallback,
		getWorkflow: () => ({ id: workflow, name: 'Workflow' }),
		getCredentials: async () => ({ baseUrl: 'https://service.example', apiKey: 'key' }),
		getExecutionCancelSignal: () => cancel.signal,
		continueOnFail: () => false,
		addExecutionHints: ({ message }: NodeExecutionHint) => void hints.push(message),
		logger: { info: log, warn: log },
		helpers: {
			httpRequestWithAuthentication: async (_type: string, { url }: IHttpRequestOptions) => {
				sent.push({ url, at: Date.now() });
				const [statusCode, row = {}] = respond!();
				return { statusCode, headers: {}, body: Buffer.from(JSON.stringify(row)) };
			},
			checkProcessedAndRecord: async (ids: string[], scope: string, limits: object) => {
				expect([scope, limits]).toEqual(['node', { mode: 'entries', maxEntries: 10_000 }]);
				return { new: [], processed: await record!(ids) };
			},
		},
	} as unknown as IExecuteFunctions;
	const run = async () => (await runEvents(context))[0].map(({ json }) => json);
	return { run, cancel, hints, logged, sent };
}

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

const CHOICES = allPairs({
	filter: FILTERS,
	output: ['simplified', 'raw', 'event'],
	deliver: ['all', 'new'],
	mode: ['webhook', 'manual'] as Array<'webhook' | 'manual'>,
});

/** What an execution returns, says and requests for each version, with n8n's record of what the trigger has delivered. */
async function deliver({ filter: [filters], output, deliver, mode }: (typeof CHOICES)[number]) {
	const recorded = new Set<string>();
	const results = [];
	for (const version of VERSIONS) {
		const { id, email, hasTranscript, title, outcome, duration, unclear } = version;
		const transcriptUrl = hasTranscript ? `https://media.example/${id}` : null;
		const customer = { name: id === 'a' ? 'Jane Doe' : `Sam ${id}`, email: null, phone: null };
		const user = { id: 'u', name: 'Rep', email };
		const fields = { title, outcome, duration, conversationId: id, user, transcriptUrl, customer };
		const isClear = !('unclear' in version);
		const said = isClear ? [email, transcriptUrl] : [unclear, unclear];
		const data = { summary: title, customer, user_email: said[0], transcript_url: said[1] };
		const { run, hints, sent } = execution({
			event: processedEvent(id, data),
			parameters: { filters, output, options: { deliver } },
			mode,
			respond: () => [200, documentedRow('ConversationsExport', fields)],
			record: async ([known]) => {
				const processed = recorded.has(known) ? [known] : [];
				recorded.add(known);
				return await Promise.resolve(processed);
			},
		});
		results.push({ items: await run(), hints, urls: sent.map(({ url }) => url) });
	}
	return results;
}

/** What shows an item's version, its rep or the event, and so the fields that it has. */
const SHOWN: Record<string, (item: IDataObject) => unknown[]> = {
	simplified: ({ title, userEmail }) => [title, userEmail],
	raw: ({ title, user }) => [title, (user as IDataObject).email],
	event: ({ summary, event_type }) => [summary, event_type],
};

// A version that the filter leaves out is no delivery: First Version Only returns the first one that passes.
// D1-DATA-01..04
test.each(CHOICES.map((choice) => [JSON.stringify(choice), choice] as const))(
	'what is filtered is not recorded as delivered, and what the event decides is not fetched: %s',
	async (_text, choice) => {
		const { filter, output, deliver: which, mode } = choice;
		const [, passes, decided] = filter;
		const isManual = mode === 'manual';
		const passing = VERSIONS.filter(passes);
		const wanted = passing.filter(
			(one) => which === 'all' || isManual || passing.find(({ id }) => id === one.id) === one,
		);
		const says = isManual ? 'In production, this would return nothing: ' : 'Nothing is returned: ';
		const refusal = expect.stringMatching(`^${says}(Deliver|User|Has|Customer|Outcome|Minimum)`);
		for (const [index, { items, hints, urls }] of (await deliver(choice)).entries()) {
			const version = VERSIONS[index];
			const { id, title, email } = version;
			const isWanted = wanted.includes(version);
			const item = [id, title, output === 'event' ? 'conversation_processed' : email];
			const mustFetch =
				output === 'event' ? decided(version) === undefined : isManual || decided(version) !== false;
			expect({
				items: items.map((found) => [found.dedupeKey, ...SHOWN[output](found)]),
				hints: hints.filter((hint) => !hint.includes('do not match the API documentation')),
				urls,
			}).toEqual({
				items: isWanted || isManual ? [item] : [],
				hints: isWanted ? [] : [refusal],
				urls: mustFetch ? [`https://service.example/export/conversations/${id}`] : [],
			});
		}
	},
);

describe('fetches the conversation of an event', () => {
	beforeEach(() => void jest.useFakeTimers({ now: 0 }));
	afterEach(() => void jest.useRealTimers());

	/** A service that responds with the given statuses and then repeats the last one. */
	function fetching(...statuses: number[]) {
		const respond = (): [number, object] => [
			statuses.length > 1 ? statuses.shift()! : statuses[0],
			{ conversationId: 'a b' },
		];
		const event = processedEvent('a b');
		const { run, sent, cancel } = execution({ event, parameters: { output: 'raw' }, respond });
		return { fetched: run().catch((error: unknown) => error), sent, cancel };
	}

	// D1-EVENT-04
	test.each<[number, string, number[] | undefined, RegExp]>([
		[
			404,
			'conversation_not_found',
			[0, 1, 3, 7, 15, 31, 60],
			/^The node requested the conversation again for a .* Webhooks cover/,
		],
		[
			503,
			'service_failed',
			undefined,
			/^The node requested the conversation again for a minute\. .* Run the workflow again later\./,
		],
		[401, 'api_key_unknown', [0], /^(?!Requested again)/],
	])('again for at least a minute after %i, %s, unless a person must mend it', async (status, ...row) => {
		const [code, seconds, says] = row;
		const { fetched, sent } = fetching(status);
		await jest.advanceTimersByTimeAsync(180_000);
		const details = { code, status, item: 0, conversationId: 'a b' };
		expect(await fetched).toMatchObject({ description: expect.stringMatching(says), context: { details } });
		const url = 'https://service.example/export/conversations/a%20b';
		expect([...new Set(sent.map((request) => request.url))]).toEqual([url]);
		const lastAt = sent.at(-1)!.at;
		if (seconds) expect(sent.map(({ at }) => at / 1000)).toEqual(seconds);
		else expect([lastAt >= 60_000, lastAt < 120_000]).toEqual([true, true]);
	});

	test('until it exists, and dates its links by the last request', async () => {
		const { fetched, sent } = fetching(404, 404, 200);
		await jest.advanceTimersByTimeAsync(3000);
		const urlsExpireAt = new Date(3000 + 6 * 3_600_000).toISOString();
		expect(await fetched).toEqual([expect.objectContaining({ conversationId: 'a b', urlsExpireAt })]);
		expect(sent).toHaveLength(3);
	});

	test.each([0, 1500])('until the execution is stopped, after %i ms', async (ms) => {
		const { fetched, sent, cancel } = fetching(404);
		if (ms > 0) await jest.advanceTimersByTimeAsync(ms);
		const requests = sent.length;
		cancel.abort(new Error('stopped'));
		// At once: no time passes.
		expect(await fetched).toMatchObject({ message: 'stopped' });
		await jest.advanceTimersByTimeAsync(60_000);
		expect(sent).toHaveLength(requests);
	});
});

describe('First Version Only', () => {
	type Options = Partial<Parameters<typeof execution>[0]>;
	const newOnly = (record: (ids: string[]) => Promise<string[]>, options: Options = {}) => {
		const parameters = { output: 'event', options: { deliver: 'new' } };
		const { run, logged } = execution({ event: processedEvent('c1'), parameters, record, ...options });
		return { count: async () => (await run()).length, logged };
	};

	test('asks n8n once at a time for each trigger, because its record is not locked', async () => {
		const recorded = new Set<string>();
		let open = 0;
		let most = 0;
		const record = async ([id]: string[]) => {
			most = Math.max(most, ++open);
			const processed = recorded.has(id) ? [id] : [];
			await new Promise(setImmediate);
			recorded.add(id);
			open--;
			return processed;
		};
		const count = async (options?: Options) => await newOnly(record, options).count();
		expect(await Promise.all([count(), count(), count()])).toEqual([1, 0, 0]);
		expect(most).toBe(1);
		await Promise.all([count(), count({ node: 'another' }), count({ workflow: 'another' })]);
		expect(most).toBe(3);
	});

	test('delivers when n8n cannot say it, and logs that and what it leaves out', async () => {
		const fails = newOnly(async () => await Promise.reject(new Error('database is locked')));
		expect(await fails.count()).toBe(1);
		const known = newOnly(async () => await Promise.resolve(['c1']));
		expect(await known.count()).toBe(0);
		const by = { workflowId: 'workflow', nodeId: 'node', nodeName: 'Trigger' };
		const why = 'Deliver is First Version Only, and this conversation was delivered before';
		expect([...fails.logged, ...known.logged]).toEqual([
			['Workflow: Trigger: cannot tell whether c1 was delivered before: database is locked', by],
			[`Workflow: Trigger: returned nothing for c1: ${why}`, by],
		]);
	});
});
