import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { ErrorTable } from '../nodes/shared/base/codedErrors';
import { table } from '../bench/figures';

const ROOT = join(__dirname, '..');

/** The headings of docs/reference/errors.md by table or by folder of `nodes/`, unless it is the folder of a node. */
const HEADINGS: Record<string, string> = {
	'shared/exportApi': 'Conversations, teams and users',
	'shared/selection': 'Conversations, teams and users',
	'shared/http': 'Every request',
	'shared/media': 'Transcripts and audio',
	OPERATION_ERRORS: 'Parameters',
	TIME_ERRORS: 'Dates and times',
	VALUE_ERRORS: 'Parameters',
};

/** The messages by heading: constants of `nodes/` named `…_ERRORS`. */
export function errorTables(): Record<string, ErrorTable> {
	const nodes = join(ROOT, 'nodes');
	const tables: Record<string, ErrorTable> = {};
	for (const file of readdirSync(nodes, { recursive: true, encoding: 'utf8' }).sort()) {
		if (!file.endsWith('.ts')) continue;
		if (!/^export const \w+_ERRORS\b/m.test(readFileSync(join(nodes, file), 'utf8'))) continue;
		// eslint-disable-next-line @typescript-eslint/no-require-imports
		for (const [name, messages] of Object.entries(require(join(nodes, file)) as Record<string, ErrorTable>)) {
			const heading = HEADINGS[name] ?? HEADINGS[dirname(file)] ?? dirname(file).replace(/\B[A-Z]/g, ' $&');
			if (name.endsWith('_ERRORS')) tables[heading] = { ...tables[heading], ...messages };
		}
	}
	return tables;
}

/** docs/reference/errors.md: every code with its texts. */
export function errorsPage(): Map<string, string> {
	const tables = Object.entries(errorTables()).map(([heading, messages]) => {
		const rows = Object.entries(messages).map(([code, [message, advice = '', isRetryable]]) => {
			const later = isRetryable === 'retryable' ? 'yes' : 'no';
			return [`\`${code}\``, cell(message), cell(advice), later];
		});
		return `## ${heading}\n\n${table('Code | What is wrong | What to do | Can succeed later', rows)}`;
	});
	return new Map([[join(ROOT, 'docs/reference/errors.md'), `${[INTRODUCTION, ...tables].join('\n\n')}\n`]]);
}

const INTRODUCTION = `<!-- Written by npm run generate. -->

# Errors by code

With **On Error** set to a Continue option, a failed item is \`{ error, message, details }\`: what is wrong, what to do, and the cause as data. It keeps the files of its input. Branch on \`{{ $json.details.code }}\` or \`{{ $json.details.retryable }}\`, never on the sentences. \`details\` also has, where they exist, \`status\`, \`response\` (the service's own words), \`field\`, \`item\` (from 0, as in \`[Item 0]\`), \`eventId\` and \`conversationId\`. An [Error Trigger](https://docs.n8n.io/integrations/builtin/core-nodes/n8n-nodes-base.errortrigger/) finds the same in \`{{ $json.execution.error.context.details }}\`. What n8n itself refuses has the code \`n8n_error\`.

Words in braces stand for values.`;

const cell = (text: string) => text.replace(/\|/g, '\\|').replace(/</g, '&lt;');
