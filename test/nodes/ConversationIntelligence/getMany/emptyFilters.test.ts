import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { ConversationIntelligence } from '../../../../nodes/ConversationIntelligence/ConversationIntelligence.node';
import { ConversationIntelligencePollTrigger } from '../../../../nodes/ConversationIntelligencePollTrigger/ConversationIntelligencePollTrigger.node';
import { RULES } from '../../../../nodes/shared/selection/filters';
import { filtersParameter } from '../../../../nodes/shared/triggers/conversations';
import { scriptedEngine } from '../../../support/engine/fixtures';
import { GET_ALL, LISTS } from '../listing';

const TOOL = 'conversationIntelligenceTool';
const EMPTY = [
	'[]',
	'null',
	'undefined',
	"''",
	"' '",
	"','",
	"['']",
	'[null]',
	'$json.rep',
	"$json.rep ?? ''",
];
/** What only looks like a model's choice: something else decides, or narrows, what is wanted. */
const MIXED = [
	"$json.rep /* $fromAI('rep') */",
	"$fromAI('rep') || $json.rep",
	"$fromAI('rep', 'Email', 'string', $json.rep)",
	"['a@x.com', 'b@x.com'].filter((user) => user === $fromAI('rep'))",
	"$fromAI('rep', `${$json.rep}`) ?? $json.rep",
	"$fromAI('rep').match(/^a/) ?? ''",
];
const MODEL = [
	"$fromAI('rep', 'Exact emails (comma-separated), it\\'s \"optional\"', 'string', '')",
	"/*n8n-auto-generated-fromAI-override*/ $fromAI('rep', `In $, e.g. (a)`, 'string', '')",
	"$fromAI('rep') ?? ''",
];
const NAMES = Object.values(RULES).map(({ property }) => property.name);
const forRows = (name: string): INodeParameters =>
	['role', 'activeOnly'].includes(name) ? LISTS.users : { ...GET_ALL, rowsFor: 'trackers' };

describe('A filter whose expression returns nothing', () => {
	const { server, engine } = scriptedEngine([ConversationIntelligence, ConversationIntelligencePollTrigger]);
	const users = [{ userId: 'u', name: 'Ana', email: 'a@x.com', teams: null }];
	const respond = () => {
		const empty = { users, conversations: [], totalConversations: 0, totalUsers: 1 };
		server.respond(() => ({ status: 200, body: JSON.stringify(empty) }));
	};
	const run = async (type: string, name: string, entered: unknown, parameters = forRows(name)) => {
		respond();
		const input = [{ json: { toolCallId: 'call-1', query: {} } }];
		const all = { ...parameters, filters: { [name]: entered } } as INodeParameters;
		return (await engine.runNode(type, all, { input })).error?.context?.details as IDataObject | undefined;
	};
	const REFUSED = /^(filter_empty|expression_empty|value_invalid)$/;

	test.each(['conversationIntelligence', TOOL])('is refused before any request: %s', async (type) => {
		for (const name of NAMES.filter((one) => type !== TOOL || !/Names|hitOr/.test(one))) {
			const mixed = type === TOOL ? MIXED : MODEL;
			const expressions = [...EMPTY, ...(name === 'users' ? mixed : [])];
			for (const entered of expressions.flatMap((text) => [`={{ ${text} }}`, [`={{ ${text} }}`]])) {
				const details = await run(type, name, entered);
				expect([name, entered, details?.code]).toEqual([name, entered, expect.stringMatching(REFUSED)]);
			}
		}
		expect(server.seen).toEqual([]);
	});

	test('is no filter if a model alone decides and leaves it out', async () => {
		for (const name of NAMES.filter((one) => !/Names|hitOr/.test(one))) {
			for (const text of MODEL) {
				expect([name, text, await run(TOOL, name, `={{ ${text} }}`)]).toEqual([name, text, undefined]);
				expect(server.seen.map(({ body }) => body?.users)).toEqual([undefined]);
			}
		}
	});

	test.each(filtersParameter.options!.map(({ name }) => name))(
		'is refused by a trigger: %s',
		async (name) => {
			respond();
			for (const text of EMPTY.filter((one) => !one.startsWith('$json'))) {
				const filters = { [name]: `={{ ${text} }}` };
				const poll = engine.poller('conversationIntelligencePollTrigger', { filters }).poll();
				const code = expect.stringMatching(REFUSED) as string;
				await expect(poll).rejects.toMatchObject({ context: { details: { code } } });
			}
			expect(server.seen).toEqual([]);
		},
	);
});
