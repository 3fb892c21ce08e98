import { readdirSync } from 'node:fs';
import { join, relative } from 'node:path';
import type { ErrorTable } from '../nodes/shared/errors/codedError';

const ROOT = join(__dirname, '..');

/** The messages of one folder of `nodes/`. */
export interface RoomErrors {
	/** Path below `nodes/`. */
	room: string;
	table: ErrorTable;
}

/** All tables of error codes: constants named `…_ERRORS` in the files `errors.ts` and `…Errors.ts`. */
export function errorTables(): RoomErrors[] {
	const nodes = join(ROOT, 'nodes');
	return readdirSync(nodes, { recursive: true, encoding: 'utf8' })
		.filter((file) => /(^|\/)(e|\w+E)rrors\.ts$/.test(file))
		.sort()
		.flatMap((file) =>
			// eslint-disable-next-line @typescript-eslint/no-require-imports
			Object.entries(require(join(nodes, file)) as Record<string, unknown>)
				.filter(([name]) => name.endsWith('_ERRORS'))
				.map(([, table]) => ({ room: relative('.', join(file, '..')), table: table as ErrorTable })),
		);
}

/** docs/errors.md: every code with its texts. */
export function errorsPage(): Map<string, string> {
	const tables = errorTables().map(({ room, table }) => {
		const rows = Object.entries(table).map(([code, { message, advice = '', retryable = false }]) =>
			[`\`${code}\``, cell(message), cell(advice), retryable ? 'yes' : 'no'].join(' | '),
		);
		return [
			`## ${room}`,
			'',
			'| Code | What is wrong | What to do | Can succeed later |',
			'| --- | --- | --- | --- |',
			...rows.map((row) => `| ${row} |`),
		].join('\n');
	});
	return new Map([[join(ROOT, 'docs/errors.md'), `${[INTRODUCTION, ...tables].join('\n\n')}\n`]]);
}

const INTRODUCTION = `<!-- Written by npm run generate. -->

# Errors by code

With **On Error** set to a Continue option, a failed item is \`{ error, message, details }\`: what is wrong, what to do, and the cause as data. Branch on \`{{ $json.details.code }}\` or \`{{ $json.details.retryable }}\`, never on the sentences. \`details\` also has, where they exist, \`status\`, \`response\` (the service's own words), \`field\`, \`eventId\` and \`conversationId\`. An [Error Trigger](https://docs.n8n.io/integrations/builtin/core-nodes/n8n-nodes-base.errortrigger/) finds the same in \`{{ $json.execution.error.context.details }}\`. What n8n itself refuses has the code \`n8n_error\`.

Words in braces stand for values.`;

const cell = (text: string) => text.replace(/\|/g, '\\|').replace(/</g, '&lt;');
