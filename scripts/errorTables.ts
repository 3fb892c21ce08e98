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
		return `## ${heading}\n\n${table('Code | Message | What to do | Can succeed later', rows)}`;
	});
	return new Map([[join(ROOT, 'docs/reference/errors.md'), `${[INTRODUCTION, ...tables].join('\n\n')}\n`]]);
}

const INTRODUCTION = `<!-- Written by npm run generate. -->

# Error messages

Search this page for the text that you see. Words in braces are values in your message.

With **On Error** set to a Continue option, a failed item is \`{ error, message, details }\` and keeps the files of its input: \`error\` is what is wrong, \`message\` what to do ([sample](output.md#a-failed-item)). Branch on \`{{ $json.details.code }}\` or \`{{ $json.details.retryable }}\`, not on the sentences, because these can change. \`details\` has:

| Key | Meaning |
| --- | --- |
| \`code\`, \`retryable\` | The message, and whether the item can succeed later |
| \`field\`, \`item\` | The parameter, and the input item, counted from 0 as in \`[Item 0]\` |
| \`status\`, \`response\` | The status and the response of the service |
| \`eventId\`, \`conversationId\` | What the item is about |
| \`causes\` | \`details\` of each error, if there are several |
| \`warnings\` | Warnings of items that were sent before the run failed |
| \`fromDate\`, \`toDate\` | With \`list_incomplete\`: the missing part |
| \`event\` | On the error output of the webhook trigger: the event |

In an [Error Trigger](https://docs.n8n.io/integrations/builtin/core-nodes/n8n-nodes-base.errortrigger/), the same is in \`{{ $json.execution.error.context.details }}\`. What n8n itself rejects has the code \`n8n_error\`.`;

const cell = (text: string) => text.replace(/\|/g, '\\|').replace(/</g, '&lt;');
