import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(__dirname, '../../..');
const read = (path: string) => readFileSync(join(root, path), 'utf8');

const page = ['docs/troubleshooting.md', 'docs/reference/triggers.md'].map(read).join('\n');
const sources = ['nodes', 'credentials'].flatMap((folder) =>
	readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
		.filter((path) => path.endsWith('.ts'))
		.map((path) => read(join(folder, path))),
);

/** The code spans in the first cells of a section's table rows. */
function quotedIn(heading: string, column: number): string[] {
	const section = page.split(/^## /m).find((text) => text.startsWith(`${heading}\n`))!;
	const cells = section.split('\n').map((line) => line.split('|')[column] ?? '');
	return cells.flatMap((cell) => [...cell.matchAll(/`([^`]+)`/g)].map(([, text]) => text));
}

const lines = [...quotedIn('Hints', 1), ...quotedIn("The poll trigger's lines in n8n's log", 1)];
test.each(lines)('the sources have the words of "%s"', (line) => {
	const parts = line.split('…').filter((part) => /[a-z]{3}/.test(part));
	expect(sources.some((source) => parts.every((part) => source.includes(part.trim())))).toBe(true);
});
