import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { WorkflowFile } from '../../../harness/n8n/workflowFile';
import { exampleWorkflows } from '../../../harness/workflows';

const ROOT = join(__dirname, '../../..');
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');
const isThere = (path: string) => existsSync(join(ROOT, path));
/** The files below a folder with this ending. */
const filesIn = (folder: string, ending: string) =>
	readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
		.filter((path) => path.endsWith(ending))
		.map((path) => join(folder, path));

const documents = ['README.md', 'CONTRIBUTING.md', 'SECURITY.md', 'CHANGELOG.md', ...filesIn('docs', '.md')];
/** Each document that is read, not looked up. */
const pages = documents.filter((path) => !path.startsWith('docs/reference/'));

describe('Links and names', () => {
	/** Headings as GitHub turns them into anchors. */
	const anchorsOf = (path: string) =>
		[...read(path).matchAll(/^#+ (.+)$/gm)].map(([, heading]) =>
			heading
				.toLowerCase()
				.replace(/[^\p{L}\p{N}\s_-]/gu, '')
				.replace(/\s/g, '-'),
		);
	const isBroken = (document: string, link: string) => {
		const [path, anchor] = link.split('#');
		const file = path === '' ? document : join(dirname(document), path);
		if (!isThere(file)) return true;
		return (
			anchor !== undefined && !statSync(join(ROOT, file)).isDirectory() && !anchorsOf(file).includes(anchor)
		);
	};

	test.each(documents)('%s has no broken link, and names no file that does not exist', (document) => {
		const links = [...read(document).matchAll(/\]\(([^)\s]+)\)/g)].map(([, link]) => link);
		const relative = links.filter((link) => !/^[a-z]+:/.test(link));
		expect(relative.filter((link) => isBroken(document, link))).toEqual([]);
		const named = [...read(document).matchAll(/`((?:nodes|sandbox|scripts|test)\/[\w./-]+)`/g)];
		const missing = named.filter(([, path]) => !isThere(path) && !isThere(`${path}.test.ts`));
		expect(missing).toEqual([]);
	});

	/** `test/…`: "title" */
	const CITED = /`(test\/[\w./-]+)`: "([^"]+)"/g;
	const cited = documents.flatMap((page) => [...read(page).matchAll(CITED)].map(([, ...test]) => test));

	test('each test that a page cites exists', () => {
		const isGone = ([path, title]: string[]) => !read(`${path}.test.ts`).includes(title);
		expect(cited.filter(isGone)).toEqual([]);
		const [, claims] = read('docs/reference/security.md').split('## What was tested\n');
		const rows = claims
			.split('\n')
			.filter((line) => line.startsWith('| '))
			.slice(2);
		expect(rows.filter((row) => !/: "|`npm run lint`/.test(row))).toEqual([]);
	});

	const [table] = read('docs/choose.md').split('\n\nEach operation');
	const rows = table.split('\n').slice(4);
	test.each(rows.map((line) => line.split('|').map((cell) => cell.trim())))(
		'the panel has what choose.md names for: I want %s%s',
		(_, _job, node, operation, setting) => {
			const labels = [...setting.matchAll(/\*\*[^*]+\*\*/g)].map(([label]) => label);
			expect(labels).not.toEqual([]);
			const named = [`## ${node}\n`, ...(operation ? [`**${operation}**`] : []), ...labels];
			const parameters = read('docs/reference/parameters.md');
			expect(named.filter((name) => !parameters.includes(name))).toEqual([]);
		},
	);

	/** The code spans in the first cells of a section's table rows. */
	const quotedIn = (page: string, heading: string) => {
		const sections = read(page).split(/^## /m);
		const section = sections.find((text) => text.startsWith(`${heading}\n`))!;
		const cells = section.split('\n').map((line) => line.split('|')[1] ?? '');
		return cells.flatMap((cell) => [...cell.matchAll(/`([^`]+)`/g)].map(([, text]) => text));
	};
	test.each([
		...quotedIn('docs/troubleshooting.md', 'Hints'),
		...quotedIn('docs/reference/triggers.md', "The poll trigger's lines in n8n's log"),
	])('the sources have the words of "%s"', (line) => {
		const parts = line.split('…').filter((part) => /[a-z]{3}/.test(part));
		const sources = ['nodes', 'credentials'].flatMap((folder) => filesIn(folder, '.ts')).map(read);
		expect(sources.some((source) => parts.every((part) => source.includes(part.trim())))).toBe(true);
	});
});

describe('Pictures', () => {
	const shown = ['README.md', 'docs/examples.md'].map(read).join('');
	/** A hash of what pictures show of a workflow: its nodes, their places, notes, code and connections. */
	const drawn = ({ nodes, connections }: WorkflowFile) => {
		const parts = nodes.map(({ name, type, position, parameters: { content, jsCode, html } }) => [
			...[name, type, position, content, jsCode, html],
		]);
		const text = JSON.stringify([parts, connections]);
		return createHash('sha256').update(text).digest('hex').slice(0, 16);
	};

	// After taking a picture again, write the new hash into docs/images/sources.json.
	test('each picture of an example was taken of the workflow as it is', () => {
		const examples = exampleWorkflows().filter(({ slug }) => shown.includes(`-${slug}.png`));
		const today = Object.fromEntries(examples.map(({ slug, workflow }) => [slug, drawn(workflow)]));
		expect(JSON.parse(read('docs/images/sources.json'))).toEqual(today);
	});
});

describe('Words', () => {
	const MAX_WORDS = { 'README.md': 900, page: 2500, all: 12_000 };
	/** Words in a row that make a phrase. */
	const PHRASE = 9;

	/** The prose of a page: its paragraphs, entries and table cells without code blocks, links' targets and marks. */
	const blocksOf = (page: string) =>
		read(page)
			.replace(/```[^]*?```/g, '')
			.replace(/<[^>]+>/g, ' ')
			.replace(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
			.replace(/`[^`\n]*`/g, 'Code')
			.replace(/\*\*/g, '')
			.split(/\n{2,}|\n(?=\s*(?:[-*]|\d+\.) )|\n(?=\|)|(?<=\|)/)
			.map((block) => block.replace(/[|#>]/g, ' ').trim());
	const wordsOf = (text: string) => text.split(/\s+/).filter((word) => /\p{L}|\d/u.test(word));
	const sentencesOf = (page: string) =>
		blocksOf(page).flatMap((block) => block.split(/(?<=[.!?:;])\s+(?=[\p{Lu}\d"(]|n8n)/u));
	/** Each page of a node begins with the same links. */
	const phrasesOf = (page: string) =>
		sentencesOf(page).flatMap((sentence) => {
			if (sentence.startsWith('First workflow in 5 minutes')) return [];
			const words = wordsOf(sentence).filter((word) => !/^Code\b/.test(word));
			return words.slice(PHRASE - 1).map((_, at) => words.slice(at, at + PHRASE).join(' '));
		});

	test('the pages have few words', () => {
		// What is generated or an example in JSON is looked up, not read.
		const written = (page: string) =>
			read(page).replace(
				/<!--list:[^]*?<!--\/list-->|```json[^]*?```|<picture>[^]*?<\/picture>|\|[ |-]{20,}\|/g,
				'',
			);
		const lengths = pages.map((page) => [page, wordsOf(written(page)).length] as const);
		const maxOf = (page: string) => MAX_WORDS[page as 'README.md'] ?? MAX_WORDS.page;
		expect(lengths.filter(([page, length]) => length > maxOf(page))).toEqual([]);
		expect(lengths.reduce((sum, [, length]) => sum + length, 0)).toBeLessThanOrEqual(MAX_WORDS.all);
	});

	test.each(pages)('%s has no sentence of more than 30 words', (page) => {
		expect(sentencesOf(page).filter((sentence) => wordsOf(sentence).length > 30)).toEqual([]);
	});

	/** Words that say it in our own way, where readers expect another one. */
	const DIALECT =
		/\b(mend(s|ed|ing)?|handed|hand(s|ing)? over|put out|begins? anew|once more|come again|as n8n comes|is told|stands in|lanes?|departs? from|wins over|counts as|signature fits|publications?|the service's (own )?words|the web app's|judgements?)\b/gi;

	test('no page, panel, message or note has a word of which a plainer one is known', () => {
		const isWritten = (path: string) => !/\/api\/|benchmarks|faults/.test(path);
		const sources = ['nodes', 'credentials'].flatMap((folder) => filesIn(folder, '.ts'));
		const texts = [...documents.filter(isWritten), ...filesIn('workflows', '.json'), ...sources];
		const found = texts.flatMap((path) => {
			const comments = path.endsWith('.ts') ? /\/\*[^]*?\*\/|\/\/ .*/g : /<!--[^]*?-->/g;
			return (read(path).replace(comments, '').match(DIALECT) ?? []).map((word) => `${path}: ${word}`);
		});
		expect(found).toEqual([]);
	});

	test('no phrase is said in more than two pages', () => {
		const pagesOf = new Map<string, string[]>();
		for (const page of pages)
			for (const phrase of new Set(phrasesOf(page)))
				pagesOf.set(phrase, [...(pagesOf.get(phrase) ?? []), page]);
		expect([...pagesOf].filter(([, on]) => on.length > 2)).toEqual([]);
	});
});
