import type { INodeParameters, INodeProperties } from 'n8n-workflow';
import { ConversationIntelligence } from '../../../nodes/ConversationIntelligence/ConversationIntelligence.node';
import { scriptedExport } from './exportNode';
import { byProcessing } from './listing';

const { server, run } = scriptedExport();
beforeEach(() => server.respond([{ status: 500 }]));

const ID = '3f2b8c1e-5d7a-4c66-9b1f-0a2d4e6f8a10';
/** A value of the wrong type, as an expression can return it. */
const WRONG = '={{ ({ a: 1 }) }}';
const READ = ['boolean', 'number', 'string', 'multiOptions', 'dateTime', 'resourceLocator'];

/** What must be chosen for a parameter to be shown; nothing for those of a tool. */
const shownWith = ({ displayOptions }: INodeProperties): INodeParameters | undefined => {
	const shown = Object.entries(displayOptions?.show ?? {}).map(([name, values]) => [
		name.replace('/', ''),
		values![0],
	]);
	return '@tool' in (displayOptions?.show ?? {}) ? undefined : Object.fromEntries(shown);
};
const entered = (properties: INodeProperties[]): Array<[string, INodeParameters]> =>
	properties.flatMap((property): Array<[string, INodeParameters]> => {
		const { name, type, displayName, options } = property;
		const shown = shownWith(property);
		if (!shown) return [];
		if (READ.includes(type)) return [[displayName, { ...shown, [name]: WRONG }]];
		if (type !== 'collection') return [];
		return entered(options as INodeProperties[]).map(([label, own]) => [
			label,
			{ ...shown, ...own, [name]: own },
		]);
	});
const CASES = entered(new ConversationIntelligence().description.properties);

test.each(CASES)(
	'refuses a wrong value of %s by its label, before any request: %j',
	async (label, parameters) => {
		const { error } = await run({ conversationId: ID, returnAll: false, ...parameters });
		const code = expect.stringMatching(/^(\w+_invalid|fields_missing|expression_empty)$/);
		expect(error?.context).toMatchObject({ itemIndex: 0, details: { code, field: label } });
		expect(server.seen).toEqual([]);
	},
);

// D1-EXP-04
test.each([
	[
		'awaiting_upload_unprocessed',
		'Include Missing Recordings',
		{ ...byProcessing, options: { alsoInclude: ['awaitingUpload'] } },
	],
	['conversation_id_invalid', 'Conversation', { operation: 'get', conversationId: 'no-uuid' }],
	['expression_empty', 'User Names or IDs', { filters: { users: '={{ undefined }}' } }],
	['filter_empty', 'User Names or IDs', { filters: { users: '={{ [] }}' } }],
	['filter_empty', 'Team Names or IDs', { filters: { teams: '={{ [] }}' } }],
	['expression_empty', 'To Date', { toDate: '={{ $json.until }}' }],
	['expression_empty', 'To Date', { toDate: '={{ null }}' }],
	['expression_empty', 'To Date', { toDate: "={{ $json.until ?? '' }}" }],
	['value_invalid', 'Max Parallel Requests', { options: { concurrency: 21 } }],
])('refuses with %s of %s the parameters %j', async (code, field, parameters) => {
	const { error } = await run(parameters);
	expect(error?.context?.details).toMatchObject({ code, field });
	expect(server.seen).toEqual([]);
});
