import { scriptedExport } from './exportNode';
import { byProcessing } from './listing';

const FILE = { outputAs: 'file', fileFormat: 'csv' };
const AWAITING = { alsoInclude: ['awaitingUpload'] };
const GET = { resource: 'conversation', operation: 'get', conversationId: 'not-a-uuid' };
/** A value of the wrong type, as an expression can return it. */
const WRONG = '={{ ({ a: 1 }) }}';

describe('Conversation Intelligence: before any request', () => {
	const { server, run } = scriptedExport();
	beforeEach(() => server.respond([{ status: 500 }]));

	test.each([
		['Return All', { returnAll: WRONG }],
		['Limit', { returnAll: false, limit: WRONG }],
		['Fields to Return', { output: 'everything' }],
		['Fields', { output: 'selectedFields', fields: WRONG }],
		['Include Transcript', { options: { includeTranscript: WRONG } }],
		['User Names or IDs', { filters: { users: '={{ undefined }}' } }],
		['User Names or IDs', { filters: { users: WRONG } }],
		['Max Parallel Requests', { options: { concurrency: 21 } }],
		['Compress with Gzip', { ...FILE, fileOptions: { gzip: WRONG } }],
		['Escape Formulas', { ...FILE, fileFormat: 'csv', fileOptions: { escapeFormulas: '={{ undefined }}' } }],
		['File Name', { ...FILE, fileOptions: { fileName: WRONG } }],
		['Put Output File in Field', { ...FILE, fileOptions: { binaryPropertyName: WRONG } }],
		['Include Subteams', { resource: 'team', filters: { includeSubteams: WRONG } }],
		['Fields to Return', { ...GET, output: WRONG }],
		['Include Transcript', { ...GET, options: { includeTranscript: WRONG } }],
		['Conversation', GET],
		['Return As', { ...GET, operation: 'downloadTranscript', transcriptOutput: 'pdf' }],
	])('refuses a wrong value of %s by its label', async (label, parameters) => {
		const { error } = await run(parameters);

		const code = expect.stringMatching(/^(\w+_invalid|expression_empty|fields_missing)$/);
		expect(error?.context).toMatchObject({ itemIndex: 0, details: { code, field: label } });
		expect(server.seen).toEqual([]);
	});

	// D1-EXP-04
	test.each([
		['awaiting_upload_unprocessed', 'Include Missing Recordings', { ...byProcessing, options: AWAITING }],
		['filter_empty', 'User Names or IDs', { filters: { users: '={{ [] }}' } }],
		['filter_empty', 'Team Names or IDs', { filters: { teams: '={{ [] }}' } }],
		['expression_empty', 'To Date', { toDate: '={{ $json.until }}' }],
		['expression_empty', 'To Date', { toDate: '={{ null }}' }],
		['expression_empty', 'To Date', { toDate: "={{ $json.until ?? '' }}" }],
	])('refuses with %s of %s the parameters %j', async (code, field, parameters) => {
		const { error } = await run(parameters);
		expect(error?.context?.details).toMatchObject({ code, field });
		expect(server.seen).toEqual([]);
	});

	test('cannot see an expression in place of a whole collection: n8n drops it', async () => {
		const users = ['ana@example.com'];
		server.respond([{ status: 200, body: JSON.stringify({ conversations: [], totalConversations: 0 }) }]);
		for (const filters of [{ users }, `={{ (${JSON.stringify({ users })}) }}`]) {
			await run({ filters });
		}
		expect(server.seen.map(({ body }) => body?.users)).toEqual([users, undefined]);
	});

	test('checks the parameters of every item', async () => {
		const input = [{ json: { from: '2026-01-01' } }, { json: { from: 'someday' } }];
		const { error } = await run({ fromDate: '={{ $json.from }}' }, { input });

		const details = { code: 'date_invalid', field: 'From Date' };
		expect(error?.context).toMatchObject({ itemIndex: 1, details });
		expect(server.seen).toEqual([]);
	});
});
