import { ConversationIntelligence } from '../../../nodes/ConversationIntelligence/ConversationIntelligence.node';
import { sandboxEngine } from '../../support/engine/fixtures';
import { RANGE } from './listing';

const LIST = { resource: 'conversation', operation: 'getAll', ...RANGE };

describe('Conversation Intelligence as the tool of an AI agent', () => {
	const { sandbox, engine } = sandboxEngine([ConversationIntelligence], { conversations: 70 });
	beforeEach(() => sandbox.requests.reset());

	const run = async (parameters: object, query: string | object = 'the latest calls') =>
		await engine.runNode('conversationIntelligenceTool', { ...LIST, ...parameters } as never, {
			input: [{ json: { toolCallId: 'call-1', query } }],
		});

	test('returns ten simplified rows by default, without signed links, and says that there are more', async () => {
		const { items, error } = await run({});

		expect(error).toBeUndefined();
		expect(items).toHaveLength(11);
		expect(items[10].json).toEqual({
			rows: 10,
			note: 'The newest 10 of 70 conversations: ask for another date range to get the rest.',
		});
		expect(JSON.stringify(items)).not.toMatch(/transcriptUrl|audioUrl|signature|toolCallId/);
	});

	test.each([
		[
			{ from_date: '2025-06-01', to_date: '2025-06-30' },
			'2025-06-01T00:00:00.000Z',
			'2025-06-30T23:59:59.999Z',
		],
		[{ from_date: '2025-06-01' }, '2025-06-01T00:00:00.000Z', expect.stringMatching(/Z$/)],
	])('lets the model choose the dates without any setting: %j', async (query, fromDate, toDate) => {
		const { error } = await engine.runNode(
			'conversationIntelligenceTool',
			{ resource: 'conversation', operation: 'getAll' },
			{ input: [{ json: { toolCallId: 'call-1', query } }], timezone: 'UTC' },
		);

		expect(error).toBeUndefined();
		expect(sandbox.requests.list()[0].body).toMatchObject({ fromDate, toDate });
	});

	test('returns at most fifty rows, and says so to a model that asks for more', async () => {
		const { error } = await run({ limit: 51 });

		expect((await run({ limit: 50 })).items).toHaveLength(51);
		expect(error?.message).toBe('Limit must be a whole number from 1 to 50 (it is 51)');
	});

	test('never returns all rows or a file, whatever the workflow says', async () => {
		const { items } = await run({ returnAll: true, outputAs: 'file', limit: 20 });

		expect(items.filter(({ json }) => 'conversationId' in json)).toHaveLength(20);
		expect(items[0]).not.toHaveProperty('binary');
	});

	test('cuts each transcript to the length that the user chose, and lets the model read on', async () => {
		const { items } = await run({ limit: 2, options: { includeTranscript: true, maxTranscriptLength: 100 } });

		const texts = items.slice(0, 2).map(({ json }) => String(json.transcript));
		const cut = (next: string) =>
			new RegExp(
				`^\\[00:00\\] [^]{60,90}\\n\\[Cut: \\d+ of \\d,\\d+ characters. ${next} From Position (\\d+)\\]$`,
			);
		for (const text of texts) expect(text).toMatch(cut('Continue in Download Transcript with'));
		const value = items[0].json.conversationId;
		const download = async (query?: object) => {
			const conversationId = { __rl: true, mode: 'id', value };
			const one = { operation: 'downloadTranscript', conversationId, maxTranscriptLength: 100 };
			return String((await run(one, query)).items[0].json.transcript);
		};
		const [first] = (await download()).split('\n[');
		expect(texts[0].startsWith(`${first}\n[Cut`)).toBe(true);
		const from_position = Number(cut('Continue with').exec(await download())![1]);
		expect(await download({ from_position })).toMatch(/^\[00:\d\d\] /);
		expect(await download({ from_position: 1e6 })).toMatch(/^\[No words from position 1000000 on/);
	});

	test('is told in an item what a person sees as hints', async () => {
		const noteOf = async (parameters: object) => (await run(parameters)).items.at(-1)?.json.note;
		const midnight = { fromDate: '2025-06-29', toDate: '2025-06-30T00:00:00', limit: 50 };
		expect(await noteOf(midnight)).toMatch(/so that day is not included: pick the day after\.$/);
		// Other dates would have the same teams and users.
		expect(await noteOf({ resource: 'team', limit: 2 })).toBe(
			'The first 2 of 8 teams: Limit leaves out the rest, whatever the dates.',
		);
		expect((await run({ resource: 'team' })).items).toHaveLength(8);
		const [{ email }] = sandbox.control.users();
		const users = [email, 'nobody@example.com'];
		expect(await noteOf({ resource: 'user', filters: { users }, limit: 1 })).toMatch(
			/^No users for "nobody@example\.com"/,
		);
	});

	test('says what is wrong and what to do in one text without an item number', async () => {
		const { error } = await run({ fromDate: 'last week' });

		expect(error?.message).toBe(
			'From Date must be a date (it is "last week"). Use an ISO date such as 2026-03-01 or 2026-03-01T08:30:00Z.',
		);
	});
});
