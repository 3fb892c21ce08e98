import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { ErrorTable } from '../nodes/shared/base/codedErrors';
import { table } from '../bench/figures';

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
	const nodes = join(__dirname, '../nodes');
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

/** Every code with its texts, for docs/reference/errors.md. */
export function errors(): string {
	const sections = Object.entries(errorTables()).map(([heading, messages]) => {
		const rows = Object.entries(messages).map(([code, [message, advice = '', isRetryable]]) => {
			const later = isRetryable === 'retryable' ? 'yes' : 'no';
			return [`\`${code}\``, cell(message), cell(advice), later];
		});
		return `## ${heading}\n\n${table('Code | Message | What to do | Can succeed later', rows)}`;
	});
	return sections.join('\n\n');
}

const cell = (text: string) => text.replace(/\|/g, '\\|').replace(/</g, '&lt;');
