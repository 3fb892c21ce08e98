import type { IDataObject, INodeParameters, INodeProperties } from 'n8n-workflow';
import { ConversationIntelligence } from '../../../nodes/ConversationIntelligence/ConversationIntelligence.node';
import { propertyOf, RULES, type Name } from '../../../nodes/shared/selection/filterRules';
import { scriptedEngine } from '../../support/engine/fixtures';
import { GET_ALL, LISTS } from './listing';

const { server, engine } = scriptedEngine([ConversationIntelligence]);
beforeEach(() => server.respond([{ status: 500 }]));

/** The context of the error of Get Many, or what the parameters say instead. */
const refusalOf = async (parameters: object, type = 'conversationIntelligence') => {
	const input = [{ json: { toolCallId: 'call-1', query: {} } }];
	const { error } = await engine.runNode(type, { ...GET_ALL, ...parameters } as INodeParameters, { input });
	return error?.context;
};

const ID = '3f2b8c1e-5d7a-4c66-9b1f-0a2d4e6f8a10';
/** A value of the wrong type, as an expression can return it. */
const WRONG = '={{ ({ a: 1 }) }}';
const READ = ['boolean', 'number', 'string', 'multiOptions', 'dateTime', 'resourceLocator'];

/** Each parameter by its label, with a wrong value and what must be chosen for it to be shown; none of a tool's own. */
function entered(properties: INodeProperties[]): Array<[string, INodeParameters]> {
	return properties.flatMap((property): Array<[string, INodeParameters]> => {
		const { name, type, displayName, options, displayOptions: { show = {} } = {} } = property;
		const choices = Object.entries(show).map(([other, values]) => [other.replace('/', ''), values![0]]);
		const shown = Object.fromEntries(choices) as INodeParameters;
		if ('@tool' in show) return [];
		if (READ.includes(type)) return [[displayName, { ...shown, [name]: WRONG }]];
		if (type !== 'collection') return [];
		const inside = entered(options as INodeProperties[]);
		return inside.map(([label, own]) => [label, { ...shown, ...own, [name]: own }]);
	});
}

test.each(entered(new ConversationIntelligence().description.properties))(
	'refuses a wrong value of %s by its label, before any request: %j',
	async (field, parameters) => {
		const code = expect.stringMatching(/^(\w+_invalid|fields_missing|expression_empty)$/);
		const refusal = await refusalOf({ conversationId: ID, returnAll: false, ...parameters });
		expect(refusal).toMatchObject({ itemIndex: 0, details: { code, field } });
		expect(server.seen).toEqual([]);
	},
);

const FIELDS = 'selectedFields';
test.each([
	['expression_empty', 'User Names or IDs', { filters: { users: '={{ undefined }}' } }],
	['filter_empty', 'User Names or IDs', { filters: { users: '={{ [] }}' } }],
	['filter_empty', 'Team Names or IDs', { filters: { teams: '={{ [] }}' } }],
	['expression_empty', 'To Date', { toDate: '={{ $json.until }}' }],
	['expression_empty', 'To Date', { toDate: '={{ null }}' }],
	['expression_empty', 'To Date', { toDate: "={{ $json.until ?? '' }}" }],
	['value_invalid', 'Limit', { returnAll: false, limit: 0 }],
	...[[], 'title', '={{ null }}', '={{ ["title", 7] }}', '={{ undefined }}'].map(
		(fields): [string, string, object] => ['fields_missing', 'Fields', { output: FIELDS, fields }],
	),
])('refuses with %s of %s the parameters %j', async (code, field, parameters) => {
	expect(await refusalOf(parameters)).toMatchObject({ details: { code, field } });
	expect(server.seen).toEqual([]);
});

describe('A filter whose expression returns nothing', () => {
	const TOOL = 'conversationIntelligenceTool';
	const EMPTY = ['[]', 'null', 'undefined', "''", "' '", "','", "['']", '[null]'];
	const ABSENT = ['$json.rep', "$json.rep ?? ''"];
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
	const PROPERTIES = (Object.keys(RULES) as Name[]).map(propertyOf);
	const CODE = expect.stringMatching(/^(filter_empty|expression_empty|value_invalid)$/) as string;
	const codeOf = async (type: string, name: string, entered: unknown) => {
		const list = ['role', 'activeOnly'].includes(name) ? LISTS.users : { rowsFor: 'trackers' };
		const refusal = await refusalOf({ ...list, filters: { [name]: entered } }, type);
		return [name, entered, (refusal?.details as IDataObject | undefined)?.code];
	};

	test.each([
		['conversationIntelligence', MODEL],
		[TOOL, MIXED],
	])('is refused before any request: %s', async (type, ofUsers) => {
		for (const { name, type: kind } of PROPERTIES) {
			const texts = [...EMPTY, ...ABSENT, ...(name === 'users' ? ofUsers : [])].map(
				(text) => `={{ ${text} }}`,
			);
			const locators = texts.map((value) => ({ __rl: true, mode: 'name', value }));
			const others = kind === 'resourceLocator' ? locators : texts.map((text) => [text]);
			for (const entered of [...texts, ...others]) {
				expect(await codeOf(type, name, entered)).toEqual([name, entered, CODE]);
			}
		}
		expect(server.seen).toEqual([]);
	});

	test('is no filter if a model alone decides and leaves it out', async () => {
		const none = {
			users: [{ userId: 'u', email: 'a@x.com', teams: null }],
			totalUsers: 1,
			totalConversations: 0,
		};
		const body = JSON.stringify({ ...none, conversations: [] });
		for (const { name } of PROPERTIES) {
			for (const entered of MODEL.map((text) => `={{ ${text} }}`)) {
				server.respond([{ status: 200, body }]);
				expect(await codeOf(TOOL, name, entered)).toEqual([name, entered, undefined]);
				expect(server.seen.map((request) => request.body?.users)).toEqual([undefined]);
			}
		}
	});
});
