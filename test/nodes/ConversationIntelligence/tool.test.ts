import { ConversationIntelligence } from '../../../nodes/ConversationIntelligence/ConversationIntelligence.node';
import { sandboxEngine } from '../../support/engine/fixtures';
import { RANGE } from './listing';

describe('Conversation Intelligence as the tool of an AI agent', () => {
	const { sandbox, engine } = sandboxEngine([ConversationIntelligence], { conversations: 70 });
	beforeEach(() => sandbox.requests.reset());

	const run = async (parameters: object, query: string | object = 'the latest calls') => {
		const chosen = { resource: 'conversation', operation: 'getAll', ...parameters };
		const input = [{ json: { toolCallId: 'call-1', query } }];
		return await engine.runNode('conversationIntelligenceTool', chosen, { input, timezone: 'UTC' });
	};

	test('returns ten simplified rows by default, without signed links, and says that there are more', async () => {
		const { items } = await run(RANGE);
		const note = 'The newest 10 of 70 conversations: ask for another date range to get the rest.';
		expect(items).toHaveLength(11);
		expect(items[10].json).toEqual({ rows: 10, note });
		expect(JSON.stringify(items)).not.toMatch(/transcriptUrl|audioUrl|signature|toolCallId/);
	});

	test.each([
		[{ from_date: '2025-06-01', to_date: '2025-06-30' }, '2025-06-30T23:59:59.999Z'],
		[{ from_date: '2025-06-01' }, expect.stringMatching(/^20.*Z$/)],
	])('lets the model choose the dates without any setting: %j', async (query, toDate) => {
		expect((await run({}, query)).error).toBeUndefined();
		const [{ body }] = sandbox.requests.list();
		expect(body).toMatchObject({ fromDate: '2025-06-01T00:00:00.000Z', toDate });
	});

	test('returns at most fifty rows, never all or a file, and says so to a model that asks for more', async () => {
		const { items } = await run({ ...RANGE, returnAll: true, outputAs: 'file', limit: 50 });
		expect(items.filter(({ json }) => 'conversationId' in json)).toHaveLength(50);
		expect(items[0]).not.toHaveProperty('binary');
		// One text, without an item number.
		const { error } = await run({ ...RANGE, limit: 51 });
		expect(error?.message).toBe('Limit must be a whole number from 1 to 50 (it is 51)');
		expect((await run({ ...RANGE, fromDate: 'last week' })).error?.message).toBe(
			'From Date must be a date (it is "last week"). Use an ISO date such as 2026-03-01 or 2026-03-01T08:30:00Z.',
		);
	});

	test('cuts each transcript to the length that the user chose, and lets the model read on', async () => {
		const maxTranscriptLength = 100;
		const options = { includeTranscript: true, maxTranscriptLength };
		const { items } = await run({ ...RANGE, limit: 2, options });
		const cut = (next: string) =>
			new RegExp(
				`^\\[00:00\\] [^]{60,90}\\n\\[Cut: \\d+ of \\d,\\d+ characters. ${next} From Position (\\d+)\\]$`,
			);
		const texts = items.slice(0, 2).map(({ json }) => String(json.transcript));
		for (const text of texts) expect(text).toMatch(cut('Continue in Download Transcript with'));
		const conversationId = { __rl: true, mode: 'id', value: items[0].json.conversationId };
		const download = async (query?: object) => {
			const one = await run({ operation: 'downloadTranscript', conversationId, maxTranscriptLength }, query);
			return String(one.items[0].json.transcript);
		};
		const whole = await download();
		expect(texts[0].startsWith(`${whole.split('\n[')[0]}\n[Cut`)).toBe(true);
		const from_position = Number(cut('Continue with').exec(whole)![1]);
		expect(await download({ from_position })).toMatch(/^\[00:\d\d\] /);
		expect(await download({ from_position: 1e6 })).toMatch(/^\[No words from position 1000000 on/);
	});

	test('is told in an item what a person sees as hints', async () => {
		const noteOf = async (parameters: object) =>
			(await run({ ...RANGE, ...parameters })).items.at(-1)?.json.note;
		const midnight = { fromDate: '2025-06-29', toDate: '2025-06-30T00:00:00', limit: 50 };
		expect(await noteOf(midnight)).toMatch(/so that day is not included: pick the day after\.$/);
		// Other dates would have the same teams and users.
		expect(await noteOf({ resource: 'team', limit: 2 })).toBe(
			'The first 2 of 8 teams: Limit leaves out the rest, whatever the dates.',
		);
		expect((await run({ ...RANGE, resource: 'team' })).items).toHaveLength(8);
		const users = [sandbox.control.users()[0].email, 'nobody@example.com'];
		const one = { resource: 'user', filters: { users }, limit: 1 };
		expect(await noteOf(one)).toMatch(/^No users for "nobody@example\.com"/);
	});
});
