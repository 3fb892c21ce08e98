import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(__dirname, '..', '..', '..');
const MAX_WORDS = { 'README.md': 1000, page: 2500, all: 16_000 };
const MAX_SENTENCE = 30;
/** Words in a row that make a phrase; more than two pages with the same say it too often. */
const PHRASE = 9;
const MAX_PAGES = 2;
/** What the documents call by another name. */
const NOT_OURS =
	/\b(hand(ed|s|ing)? over|put out|begins? anew|once more|come again|as n8n comes|lanes?|handed|stands in|is told|2xx|the web app's)\b/i;

/** Each document that is read, not looked up. */
const pages = [
	...['README.md', 'CONTRIBUTING.md', 'SECURITY.md', 'CHANGELOG.md'],
	...readdirSync(join(ROOT, 'docs'))
		.filter((name) => name.endsWith('.md'))
		.map((name) => `docs/${name}`),
];

/** The prose of a page: its paragraphs, entries and table cells without code blocks, links' targets and marks. */
function blocksOf(page: string): string[] {
	return readFileSync(join(ROOT, page), 'utf8')
		.replace(/```[^]*?```/g, '')
		.replace(/<[^>]+>/g, ' ')
		.replace(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
		.replace(/`[^`\n]*`/g, 'Code')
		.replace(/\*\*/g, '')
		.split(/\n{2,}|\n(?=\s*(?:[-*]|\d+\.) )|\n(?=\|)|(?<=\|)/)
		.map((block) => block.replace(/[|#>]/g, ' ').trim());
}

const wordsOf = (text: string) => text.split(/\s+/).filter((word) => /\p{L}|\d/u.test(word));
const sentencesOf = (page: string) =>
	blocksOf(page).flatMap((block) => block.split(/(?<=[.!?:;])\s+(?=[\p{Lu}\d"(]|n8n)/u));
const lengthOf = (page: string) => readFileSync(join(ROOT, page), 'utf8').split(/\s+/).length - 1;

test('the pages have few words', () => {
	const lengths = pages.map((page) => [page, lengthOf(page)] as const);
	expect(
		lengths.filter(([page, length]) => length > (MAX_WORDS[page as 'README.md'] ?? MAX_WORDS.page)),
	).toEqual([]);
	expect(lengths.reduce((sum, [, length]) => sum + length, 0)).toBeLessThanOrEqual(MAX_WORDS.all);
});

test.each(pages)('%s has no sentence of more than 30 words', (page) => {
	expect(sentencesOf(page).filter((sentence) => wordsOf(sentence).length > MAX_SENTENCE)).toEqual([]);
});

test.each(pages)('%s uses the words of the field', (page) => {
	expect(sentencesOf(page).filter((sentence) => NOT_OURS.test(sentence))).toEqual([]);
});

test('no phrase is said in more than two pages', () => {
	const pagesByPhrase = new Map<string, Set<string>>();
	for (const page of pages) {
		for (const sentence of sentencesOf(page)) {
			const words = wordsOf(sentence).filter((word) => !/^Code\b/.test(word));
			for (let i = 0; i + PHRASE <= words.length; i++) {
				const phrase = words.slice(i, i + PHRASE).join(' ');
				pagesByPhrase.set(phrase, (pagesByPhrase.get(phrase) ?? new Set()).add(page));
			}
		}
	}
	const repeated = [...pagesByPhrase].filter(([, on]) => on.size > MAX_PAGES);
	expect(repeated.map(([phrase, on]) => `${phrase}: ${[...on].join(', ')}`)).toEqual([]);
});
