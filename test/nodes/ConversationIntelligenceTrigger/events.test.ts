import { processedEvent } from '../../../harness/webhook/deliveries';
import { execution } from './execution';

describe('fetches the conversation of an event', () => {
	beforeEach(() => void jest.useFakeTimers({ now: 0 }));
	afterEach(() => void jest.useRealTimers());

	/** A service that responds with the given statuses and then repeats the last one. */
	function fetching(...statuses: number[]) {
		const respond = (): [number, object] => [
			statuses.length > 1 ? statuses.shift()! : statuses[0],
			{ conversationId: 'a b' },
		];
		const { run, sent, cancel } = execution({
			event: processedEvent('a b'),
			parameters: { output: 'raw' },
			respond,
		});
		return { fetched: run().catch((error: unknown) => error), sent, cancel };
	}

	// D1-EVENT-04
	test.each([
		[
			404,
			'conversation_not_found',
			[0, 1, 3, 7, 15, 31, 60],
			/^Requested again for a minute\. .* Webhook subscr/,
		],
		[503, 'service_failed', undefined, /^Requested again for a minute\. .* This may be/],
		[401, 'api_key_unknown', [0], /^(?!Requested again)/],
	])(
		'again for at least a minute after %i, %s, unless a person must mend it',
		async (status, code, seconds, says) => {
			const { fetched, sent } = fetching(status);
			await jest.advanceTimersByTimeAsync(180_000);
			const details = { code, status, item: 0, conversationId: 'a b' };
			expect(await fetched).toMatchObject({ description: expect.stringMatching(says), context: { details } });
			expect(new Set(sent.map(({ url }) => url))).toEqual(
				new Set(['https://service.example/export/conversations/a%20b']),
			);
			const lastAt = sent.at(-1)!.at;
			if (seconds) expect(sent.map(({ at }) => at / 1000)).toEqual(seconds);
			else expect([lastAt >= 60_000, lastAt < 120_000]).toEqual([true, true]);
		},
	);

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
		const why = 'Deliver is First Version Only, this conversation was delivered before';
		expect([...fails.logged, ...known.logged]).toEqual([
			['Workflow: Trigger: cannot tell whether c1 was delivered before: database is locked', by],
			[`Workflow: Trigger: returned nothing for c1: ${why}`, by],
		]);
	});
});
