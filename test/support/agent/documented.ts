import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const GUIDE = readFileSync(join(__dirname, '../../../docs/ai-agents.md'), 'utf8');

/** The rows of the tables below a heading of docs/ai-agents.md, including header rows. */
export function documentedRows(heading: string): string[][] {
	const chapter = GUIDE.split(/^#+ /m).find((text) => text.startsWith(`${heading}\n`)) ?? '';
	const rows = chapter.split('\n').filter((line) => /^\| [^-]/.test(line));
	return rows.map((row) =>
		row
			.slice(1, -1)
			.split('|')
			.map((cell) => cell.trim()),
	);
}

/**
 * The ready expressions below a heading, as the editor stores them.
 *
 * @returns expressions by field
 */
export function documentedExpressions(heading: string): Record<string, string> {
	const rows = documentedRows(heading).filter(([, cell]) => cell.includes('{{'));
	return Object.fromEntries(rows.map(([field, cell]) => [field, `=${cell.replaceAll('`', '')}`]));
}
