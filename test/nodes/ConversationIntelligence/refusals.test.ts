import { ConversationIntelligence } from '../../../nodes/ConversationIntelligence/ConversationIntelligence.node';
import { scriptedEngine } from '../../support/engine/fixtures';
import { byProcessing, GET_ALL } from './listing';

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
		['Select By', { ...GET_ALL, selectBy: 'yesterday' }],
		['Sort', { ...GET_ALL, options: { sort: 'random' } }],
		['User Names or IDs', { ...GET_ALL, filters: { users: '={{ undefined }}' } }],
		['User Names or IDs', { ...GET_ALL, filters: { users: WRONG } }],
		['Also Include', { ...GET_ALL, options: { alsoInclude: ['lost'] } }],
		['Max Parallel Requests', { ...GET_ALL, options: { concurrency: 21 } }],
		['File Format', { ...FILE, fileFormat: 'xlsx' }],
		['Compress with Gzip', { ...FILE, fileOptions: { gzip: WRONG } }],
		['Byte-Order Mark', { ...FILE, fileOptions: { byteOrderMark: WRONG } }],
		['Escape Formulas', { ...FILE, fileOptions: { escapeFormulas: '={{ undefined }}' } }],
		['File Name', { ...FILE, fileOptions: { fileName: WRONG } }],
		['Put Output File in Field', { ...FILE, fileOptions: { binaryPropertyName: WRONG } }],
		['Include Subteams', { ...GET_ALL, resource: 'team', filters: { includeSubteams: WRONG } }],
		['Fields to Return', { ...GET, output: WRONG }],
		['Include Transcript', { ...GET, includeTranscript: WRONG }],
		['Conversation', GET],
		['Return As', { ...GET, operation: 'downloadTranscript', transcriptOutput: 'pdf' }],
	])('refuses a wrong value of %s by its label', async (label, parameters) => {
		const { error } = await engine.runNode('conversationIntelligence', parameters as never);

		const code = expect.stringMatching(/^(\w+_invalid|users_not_a_list|expression_empty|fields_missing)$/);
		expect(error?.context).toMatchObject({ itemIndex: 0, details: { code, field: label } });
		expect(server.seen).toEqual([]);
	});

	// D1-EXP-04
	test.each([
		['awaiting_upload_unprocessed', { ...byProcessing, options: { alsoInclude: ['awaitingUpload'] } }],
		['users_filter_empty', { filters: { users: '={{ [] }}' } }],
		['teams_filter_empty', { filters: { teams: '={{ [] }}' } }],
		['expression_empty', { toDate: '={{ $json.until }}' }],
		['expression_empty', { toDate: '={{ null }}' }],
	])('refuses with %s the parameters %j', async (code, parameters) => {
		const { error } = await engine.runNode('conversationIntelligence', {
			...GET_ALL,
			...parameters,
		} as never);
		expect(error?.context?.details).toMatchObject({ code });
		expect(server.seen).toEqual([]);
	});

	test('cannot see an expression in place of a whole collection: n8n drops it', async () => {
		const users = ['ana@example.com'];
		server.respond([{ status: 200, body: JSON.stringify({ conversations: [], totalConversations: 0 }) }]);
		for (const filters of [{ users }, `={{ (${JSON.stringify({ users })}) }}`]) {
			await engine.runNode('conversationIntelligence', { ...GET_ALL, filters });
		}
		expect(server.seen.map(({ body }) => body?.users)).toEqual([users, undefined]);
	});

	test('checks the parameters of every item', async () => {
		const parameters = { ...GET_ALL, fromDate: '={{ $json.from }}' };
		const input = [{ json: { from: '2026-01-01' } }, { json: { from: 'someday' } }];
		const { error } = await engine.runNode('conversationIntelligence', parameters, { input });

		const details = { code: 'date_invalid', field: 'From Date' };
		expect(error?.context).toMatchObject({ itemIndex: 1, details });
		expect(server.seen).toEqual([]);
	});
});
