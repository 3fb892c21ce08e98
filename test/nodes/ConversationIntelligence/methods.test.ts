import { ConversationIntelligence } from '../../../nodes/ConversationIntelligence/ConversationIntelligence.node';
import { sandboxEngine } from '../../support/engine/fixtures';

const DAY_MS = 86_400_000;
const TYPE = 'conversationIntelligence';
const { listSearch } = new ConversationIntelligence().methods;

describe('Conversation Intelligence: the lists that the panel loads', () => {
	const from = new Date(Date.now() - 20 * DAY_MS).toISOString();
	const { sandbox, engine } = sandboxEngine([ConversationIntelligence], {
		conversations: 230,
		from,
		to: 'now',
	});

	test('the conversation picker lists each conversation of the last 30 days once, newest first', async () => {
		const { items } = await engine.runNode(TYPE, { dateRange: 'last30Days', returnAll: true, output: 'raw' });
		// The sandbox lists the oldest first.
		const all = items.map(({ json }) => json).reverse();
		sandbox.requests.reset();
		const listed: Array<{ value: unknown; name: string; url?: string }> = [];
		let token: string | undefined;
		do {
			const context = engine.loadOptions(TYPE);
			const part = await listSearch.searchConversations.call(context, undefined, token);
			listed.push(...part.results);
			token = part.paginationToken as string | undefined;
		} while (token !== undefined);

		expect(listed.map(({ value }) => value)).toEqual(all.map(({ conversationId }) => conversationId));
		expect(sandbox.requests.count()).toBeLessThanOrEqual(15);
		expect(listed[0]).toEqual({
			value: all[0].conversationId,
			name: expect.stringMatching(/^\d{4}-\d{2}-\d{2} \d{2}:\d{2} – ./),
			url: all[0].serviceUrl,
		});
	});
});
