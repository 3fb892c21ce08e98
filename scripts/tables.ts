/** docs/reference/tables.md: a table of PostgreSQL for each kind of flat rows. */
import { join } from 'node:path';
import { ENTRY_KINDS, OF_CONVERSATION } from '../nodes/ConversationIntelligence/getMany/rowsFor';
import { EXPORT, type Properties, propertiesOf } from './outputSchemas';

const TYPES: Record<string, string> = { string: 'text', number: 'double precision', boolean: 'boolean' };

/** The rows of Return One Row Per. */
const entries = Object.entries(ENTRY_KINDS).map(([kind, { schema }]): Table => {
	const ofConversation = ['rowKey', ...OF_CONVERSATION].map((name) => [name, { type: 'string' }]);
	return [kind, ['rowKey'], { ...Object.fromEntries(ofConversation), ...propertiesOf(schema) }];
});

type Table = [name: string, key: string[], properties: Properties];

const TABLES: Table[] = [
	['conversations', ['conversationId'], EXPORT['conversation/getAll']],
	...entries,
	['missingRecordings', ['recordingId'], EXPORT['recording/getMissing']],
	['teams', ['teamId', 'fromDate', 'toDate'], EXPORT['team/getAll']],
	['users', ['userId', 'fromDate', 'toDate'], EXPORT['user/getAll']],
];

/** The columns of each table by its name, in the order of the rows. */
export const columns = new Map(
	TABLES.map(([name, , properties]) => [
		name,
		Object.entries(properties).map(([column, { type }]) => ({ name: column, type })),
	]),
);

const INTRODUCTION = `# Tables

A table of PostgreSQL for each kind of rows with **Fields to Return** Simplified. n8n's Postgres node maps the rows automatically; match on the primary key with Insert or Update. Names keep their case, so they need quotes in SQL. \`checklists\`, \`trackers\`, \`viewers\` and \`surveyAnswers\` are for [Return One Row Per](../conversation-intelligence.md#return-one-row-per).

Generated from the nodes by \`npm run generate\`.
`;

/** The statement that makes a table. */
function statement([name, key]: Table): string {
	const typeOf = (column: { name: string; type: string }) =>
		/date$/i.test(column.name) ? 'timestamptz' : TYPES[column.type];
	const lines = columns.get(name)!.map((column) => `\t"${column.name}" ${typeOf(column)},`);
	const quoted = key.map((column) => `"${column}"`).join(', ');
	return `CREATE TABLE "${name}" (\n${lines.join('\n')}\n\tPRIMARY KEY (${quoted})\n);`;
}

const FROM_FILE = `
## From a file

An NDJSON file of the same fields is loaded with \`psql\`:

\`\`\`sql
CREATE TEMPORARY TABLE lines (line jsonb);
\\copy lines FROM 'conversations.ndjson' WITH (FORMAT csv, QUOTE E'\\x01', DELIMITER E'\\x02')
INSERT INTO "conversations"
	SELECT row.* FROM lines, jsonb_populate_record(NULL::"conversations", line) AS row;
\`\`\`
`;

const LONG_TEXT = `
## Long text

An hour of talk has about 50,000 characters. Set **Max Transcript Length** to what the table takes:

| Table                                   | Long text                                               | Also                                                                                           |
| --------------------------------------- | ------------------------------------------------------- | ---------------------------------------------------------------------------------------------- |
| Excel, and n8n's Convert to File (XLSX) | 32,767 characters in a cell; n8n's node fails otherwise | CSV has no limit, but Excel cuts what it opens                                                 |
| Google Sheets                           | 50,000 characters in a cell                             |                                                                                                |
| Airtable                                | 100,000 characters in a long text field                 |                                                                                                |
| Notion                                  | 2,000 characters in one rich text object                | Write a long text as several blocks                                                            |
| PostgreSQL                              | 1 GB                                                    | NUL is refused in text: map \`{{ $json.transcript.replaceAll('\\u0000', '') }}\`                  |
| BigQuery                                | No limit of its own; 10 MB in a streamed row            | Column names are letters, digits and \`_\`: rename keys such as \`customFields.Est. Value\` before |
`;

/** The content of docs/reference/tables.md by its path. */
export function tablesPage(): Map<string, string> {
	const text = `${INTRODUCTION}\n\`\`\`sql\n${TABLES.map(statement).join('\n\n')}\n\`\`\`\n${FROM_FILE}${LONG_TEXT}`;
	return new Map([[join(__dirname, '../docs/reference/tables.md'), text]]);
}
