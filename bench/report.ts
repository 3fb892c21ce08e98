import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const DOCUMENT = join(__dirname, '..', 'docs', 'reference', 'benchmarks.md');

const readDocument = (): string => readFileSync(DOCUMENT, 'utf8');

/** One section of docs/reference/benchmarks.md with its markers. */
export function readSection(name: string): string {
	const text = readDocument();
	return text.slice(text.indexOf(`<!-- bench:${name} -->`), text.indexOf(`<!-- /bench:${name} -->`));
}

/**
 * Replaces one section of docs/reference/benchmarks.md, or appends it.
 *
 * @param name of the benchmark, as in \`npm run bench -- <name>\`
 * @param markdown the section without markers
 */
export function writeSection(name: string, markdown: string): void {
	const begin = `<!-- bench:${name} -->`;
	const end = `<!-- /bench:${name} -->`;
	const section = `${begin}\n\n${markdown.trim()}\n\n${end}`;
	const text = readDocument();
	const from = text.indexOf(begin);
	const next =
		from < 0
			? `${text.trimEnd()}\n\n${section}\n`
			: `${text.slice(0, from)}${section}${text.slice(text.indexOf(end) + end.length)}`;
	writeFileSync(DOCUMENT, next);
}
