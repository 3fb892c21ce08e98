import { ConversationIntelligence } from '../../../../nodes/ConversationIntelligence/ConversationIntelligence.node';
import { scriptedEngine } from '../../../support/engine/fixtures';
import { GET_ALL } from '../listing';

const DATE = '2026-01-01T00:00:00.000Z';
const CAUSE = /^More than 50 rows could not be separated by date, .* They changed meanwhile, so some/;

type Query = Record<'fromDate' | 'toDate', string> & Record<'page' | 'limit', number>;

describe('More than 50 conversations of one millisecond that change with every response', () => {
	const { server, engine } = scriptedEngine([ConversationIntelligence]);
	const serve = (countOf: (index: number) => number) =>
		server.respond(({ body }, index) => {
			const { fromDate, toDate, page, limit } = body as Query;
			const count = fromDate <= DATE && DATE <= toDate ? countOf(index) : 0;
			const rows = Array.from({ length: count }, (_, n) => ({ conversationId: `c${n}`, date: DATE }));
			const conversations = rows.slice((page - 1) * limit, page * limit);
			return { status: 200, body: JSON.stringify({ conversations, totalConversations: count }) };
		});
	beforeEach(() => serve((index) => 60 + (index % 2)));

	test('are returned with a hint that says only how they were read, once they do not change', async () => {
		serve(() => 60);
		const range = { fromDate: DATE, toDate: DATE.replace('000Z', '001Z') };
		const { items, hints } = await engine.runNode('conversationIntelligence', { ...GET_ALL, ...range });
		expect(items).toHaveLength(60);
		expect(hints.map(({ message }) => message)).toContain(
			'More than 50 rows could not be separated by date, so they were read in pages.',
		);
	});

	test('make a file that is not complete, and says why', async () => {
		const { items } = await engine.runNode('conversationIntelligence', { ...GET_ALL, outputAs: 'file' });
		expect(items[0].json).toMatchObject({ complete: false, reason: expect.stringMatching(CAUSE) });
	});
});
