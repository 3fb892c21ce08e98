/** A table of PostgreSQL for each kind of flat rows. */
import { ENTRY_KINDS, OF_CONVERSATION } from '../nodes/ConversationIntelligence/getMany/rowsFor';
import { EXPORT, type Properties, propertiesOf } from './outputSchemas';

const TYPES: Record<string, string> = { string: 'text', number: 'double precision', boolean: 'boolean' };

type Table = [name: string, key: string[], properties: Properties];

const ofConversation = Object.fromEntries(
	['rowKey', ...OF_CONVERSATION].map((name) => [name, { type: 'string' }]),
);

/** The rows of Return One Row Per. */
const entries = Object.entries(ENTRY_KINDS).map(
	([kind, { schema }]): Table => [kind, ['rowKey'], { ...ofConversation, ...propertiesOf(schema) }],
);

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

function statement([name, key]: Table): string {
	const typeOf = (column: { name: string; type: string }) =>
		/date$/i.test(column.name) ? 'timestamptz' : TYPES[column.type];
	const lines = columns.get(name)!.map((column) => `\t"${column.name}" ${typeOf(column)},`);
	const quoted = key.map((column) => `"${column}"`).join(', ');
	return `CREATE TABLE "${name}" (\n${lines.join('\n')}\n\tPRIMARY KEY (${quoted})\n);`;
}

/** The statements that make the tables, as a code block. */
export const statements = (): string => `\`\`\`sql\n${TABLES.map(statement).join('\n\n')}\n\`\`\``;
