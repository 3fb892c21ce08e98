import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const FILE = join(__dirname, '..', 'docs', 'BENCHMARKS.md');
const HEAD = `# Benchmarks

Each section is written by its command and compares things measured in the same run, on the same machine. Run the
command to measure on your machine: seconds differ between machines, ratios much less.
`;

/**
 * Replaces one section of docs/BENCHMARKS.md.
 *
 * @param name of the benchmark, as in \`npm run bench -- <name>\`
 * @param markdown the section without markers
 */
export function writeSection(name: string, markdown: string): void {
	const begin = `<!-- bench:${name} -->`;
	const end = `<!-- /bench:${name} -->`;
	const section = `${begin}\n\n${markdown.trim()}\n\n${end}`;
	const text = existsSync(FILE) ? readFileSync(FILE, 'utf8') : HEAD;
	const from = text.indexOf(begin);
	const next =
		from < 0
			? `${text.trimEnd()}\n\n${section}\n`
			: `${text.slice(0, from)}${section}${text.slice(text.indexOf(end) + end.length)}`;
	writeFileSync(FILE, next);
}
