import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { tables } from '../../../scripts/apiReference';
import { scriptedExport } from './exportNode';
import { documentedRow } from '../../support/engine/documentedRow';
import { LISTS, onlyUsers } from './listing';

describe('Rows of the export', () => {
	const { server, run: list } = scriptedExport();

	const run = async (operation: INodeParameters, response: object) => {
		server.respond([{ status: 200, body: JSON.stringify(response) }]);
		const { items, hints, error } = await list(operation);
		expect(error).toBeUndefined();
		return { rows: items.map(({ json }) => json), hints: hints.map(({ message }) => message).join('\n') };
	};
	const pageOf = (name: string, rows: IDataObject[]) => ({
		...{ awaitingUpload: [], totalAwaitingUpload: 0, errored: [], totalErrored: 0 },
		[name]: rows,
		[`total${name[0].toUpperCase()}${name.slice(1)}`]: rows.length,
	});

	/** What only the other kind of recordings has. */
	const ERRORED = { processedDate: null, error: null };
	/** The range, in each row of metrics. */
	const ALL = { fromDate: expect.stringMatching(/^2020/), toDate: expect.stringMatching(/^2030/) };
	/** The array of a list, the documented table of its rows, the operation, and what the node adds. */
	const TABLES = [
		['conversations', 'ConversationsExport', LISTS.conversations, { urlsExpireAt: expect.any(String) }],
		['awaitingUpload', 'RecordingsExport', LISTS.missing, { ...ERRORED, kind: 'awaitingUpload' }],
		['errored', 'ErroredRecordingsExport', LISTS.missing, { kind: 'errored' }],
		['teams', 'TeamsExport', LISTS.teams, ALL],
		['users', 'UsersExport', LISTS.users, ALL],
	] as const;

	// D1-CONV-02, D1-CONV-06..07, D1-CONV-10..20, D1-CONV-23..28, D1-RUSER-01, D1-VIEWER-01..04, D1-CHECK-01..07, D1-TRACK-01..07, D1-AITRACK-01..05, D1-CUSTOMER-01..04, D1-ADDRESS-01..06, D1-SURVEY-01..03
	// D1-REC-03, D1-REC-05, D1-REC-07..11, D1-RECORDING-01, D1-ERRORED-03..05, D1-ERRORED-07..11, D1-ERRORED-13
	// D1-TEAM-01..30, D1-USER-01, D1-USER-04, D1-USER-06..41, D1-MEMBER-01..02, D1-COACH-01..08, D1-DOES-01, D1-DOES-03
	test.each(TABLES)(
		'%s are returned unchanged, including nested fields, nulls and unknown fields',
		async (name, table, operation, added) => {
			const extra = { documentedNowhere: { deep: [1, { text: '' }] } };
			const sent = [documentedRow(table), documentedRow(table, {}, 'null'), documentedRow(table, extra)];
			const { rows, hints } = await run(operation, pageOf(name, sent));
			expect(rows).toEqual(sent.map((row) => ({ ...row, ...added })));
			expect(rows.map(Object.keys)).toEqual(sent.map((row) => [...Object.keys(row), ...Object.keys(added)]));
			// The figures of teams and users have their range in words.
			expect(hints).toMatch(/^(Figures from 2020-01-01 00:00 to 2030-01-01 00:00 \(UTC\)\.)?$/);
		},
	);

	// D1-CONV-08, D1-RUSER-03, D1-REC-06, D1-ERRORED-06, D1-USER-03, D1-EXP-05, D1-USERBODY-04, D1-DOES-06, D1-EXPBODY-06
	test.each(TABLES.filter(([name]) => name !== 'teams'))(
		'%s of users outside the filter are dropped by exact email, and a hint names the users',
		async (name, table, operation) => {
			const emails = ['ana@example.com', 'Ana@example.com', 'ben@example.com', 'ana@example.com'];
			const sent = emails.map((email) =>
				documentedRow(table, name === 'users' ? { email } : { user: { id: 'u', name: null, email } }),
			);
			const filtered = { ...operation, ...onlyUsers(['ana@example.com']) };
			const { rows, hints } = await run(filtered, pageOf(name, sent));
			expect(server.seen.map(({ body }) => body?.users)).toEqual([['ana@example.com']]);
			expect(rows).toEqual([sent[0], sent[3]].map((row) => expect.objectContaining(row)));
			for (const said of ['2 rows', ...emails.slice(1, 3)]) expect(hints).toContain(said);
		},
	);

	/** Every field of a table and of the tables in it, e.g. `checklists[].trackerData[].aiScore`. */
	const pathsOf = (table: string, prefix = ''): string[] =>
		tables[table].flatMap(({ name, type }) => {
			const plain = type.replace(' | null', '');
			const path = `${prefix}${name}${plain.endsWith('[]') ? '[]' : ''}`;
			const inner = plain.replace('[]', '');
			return [`${prefix}${name}`, ...(inner in tables ? pathsOf(inner, `${path}.`) : [])];
		});
	/** The row without the field at the end of a path, in every element of the lists on the way. */
	const without = (row: IDataObject, path: string): IDataObject => {
		const copy = structuredClone(row);
		const steps = path.replaceAll('[]', '').split('.');
		const last = steps.pop()!;
		let parents = [copy];
		for (const step of steps) parents = parents.flatMap((parent) => [parent[step]].flat() as IDataObject[]);
		for (const parent of parents) delete parent[last];
		return copy;
	};

	// D1-CONVENTION-03
	test.each(TABLES)('any missing field of a row of %s is named in a hint', async (name, table, operation) => {
		const paths = pathsOf(table);
		expect(paths.length).toBeGreaterThan(10);
		for (const path of paths) {
			const { hints, rows } = await run(operation, pageOf(name, [without(documentedRow(table), path)]));
			expect(hints).toContain(`${path} is missing`);
			expect(rows).toHaveLength(1);
		}
	});

	// D1-CONVENTION-03
	test('a null that the API documentation does not allow is named in a hint', async () => {
		for (const { name, type } of tables.ConversationsExport) {
			const row = documentedRow('ConversationsExport', { [name]: null });
			const { hints } = await run(LISTS.conversations, pageOf('conversations', [row]));
			if (type.endsWith('| null')) expect(hints).toBe('');
			else expect(hints).toMatch(new RegExp(`\\b${name} is `));
		}
	});
});
