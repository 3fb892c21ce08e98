import { ConversationIntelligence } from '../../../nodes/ConversationIntelligence/ConversationIntelligence.node';
import { scriptedEngine } from '../../support/engine/fixtures';
import { GET_ALL } from './listing';

const FILE = { ...GET_ALL, outputAs: 'file', fileFormat: 'csv' };
const GET = { resource: 'conversation', operation: 'get', conversationId: 'not-a-uuid' };
/** A value of the wrong type, as an expression can return it. */
const WRONG = '={{ ({ a: 1 }) }}';

describe('Conversation Intelligence: before any request', () => {
	const { server, engine } = scriptedEngine([ConversationIntelligence]);
	beforeEach(() => server.respond([{ status: 500 }]));

	test.each([
		['Return All', { ...GET_ALL, returnAll: WRONG }],
		['Limit', { ...GET_ALL, returnAll: false, limit: WRONG }],
		['Return As', { ...GET_ALL, outputAs: WRONG }],
		['Fields to Return', { ...GET_ALL, output: 'everything' }],
		['Fields', { ...GET_ALL, output: 'selectedFields', fields: WRONG }],
		['Include Transcript', { ...GET_ALL, includeTranscript: WRONG }],
		['Date Type', { ...GET_ALL, filters: { dateType: 'yesterday' } }],
		['User Names or IDs', { ...GET_ALL, filters: { users: '={{ undefined }}' } }],
		['User Names or IDs', { ...GET_ALL, filters: { users: WRONG } }],
		["Drop Other Users' Rows", { ...GET_ALL, options: { guardUsers: WRONG } }],
		['Also Include', { ...GET_ALL, options: { alsoInclude: ['lost'] } }],
		['Max Parallel Requests', { ...GET_ALL, options: { concurrency: 21 } }],
		['File Format', { ...FILE, fileFormat: 'xlsx' }],
		['Compress with Gzip', { ...FILE, fileOptions: { gzip: WRONG } }],
		['Byte-Order Mark', { ...FILE, fileOptions: { byteOrderMark: WRONG } }],
		['Delimiter', { ...FILE, fileOptions: { delimiter: ',' } }],
		['Escape Formulas', { ...FILE, fileOptions: { escapeFormulas: '={{ undefined }}' } }],
		['File Name', { ...FILE, fileOptions: { fileName: WRONG } }],
		['Put Output File in Field', { ...FILE, fileOptions: { binaryPropertyName: WRONG } }],
		['Include Subteams', { ...GET_ALL, resource: 'team', includeSubteams: WRONG }],
		['Fields to Return', { ...GET, output: WRONG }],
		['Include Transcript', { ...GET, includeTranscript: WRONG }],
		['Conversation', GET],
		['Return As', { ...GET, operation: 'downloadTranscript', transcriptOutput: 'pdf' }],
	])('refuses a wrong value of %s by its label', async (label, parameters) => {
		const { error } = await engine.runNode('conversationIntelligence', parameters as never);

		const code = expect.stringMatching(/^(value_invalid|expression_empty)$/);
		expect(error?.context).toMatchObject({ itemIndex: 0, details: { code, field: label } });
		expect(server.seen).toEqual([]);
	});

	test.each([
		['users_filter_empty', { filters: { users: '={{ [] }}' } }],
		['expression_empty', { filters: { teams: '={{ [] }}' } }],
		['expression_empty', { toDate: '={{ $json.until }}' }],
		['expression_empty', { toDate: '={{ null }}' }],
	])('refuses with %s the expression in %j, which names nothing', async (code, parameters) => {
		const { error } = await engine.runNode('conversationIntelligence', {
			...GET_ALL,
			...parameters,
		} as never);
		expect(error?.context?.details).toMatchObject({ code });
		expect(server.seen).toEqual([]);
	});

	test('checks the parameters of every item', async () => {
		const parameters = { ...GET_ALL, fromDate: '={{ $json.from }}' };
		const input = [{ json: { from: '2026-01-01' } }, { json: { from: 'someday' } }];
		const { error } = await engine.runNode('conversationIntelligence', parameters, { input });

		const details = { code: 'value_invalid', field: 'From Date' };
		expect(error?.context).toMatchObject({ itemIndex: 1, details });
		expect(server.seen).toEqual([]);
	});
});
