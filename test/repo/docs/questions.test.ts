import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(__dirname, '../../..');
const PAGES = ['README.md', ...readdirSync(join(root, 'docs')).map((file) => `docs/${file}`)];

/** Words that say nothing about what is asked. */
const SMALL_WORDS = new Set(
	'a an and do does for from get how i in into it of on or the to was what with'.split(' '),
);

/** The sections of all pages, each with its heading. */
const sections = PAGES.filter((page) => page.endsWith('.md')).flatMap((page) =>
	readFileSync(join(root, page), 'utf8').split(/^(?=#+ )/m),
);

/** The sections that hold every word of a question; a word also finds its longer forms. */
function search(question: string): string[] {
	const words = question
		.toLowerCase()
		.match(/\w+/g)!
		.filter((word) => !SMALL_WORDS.has(word));
	return sections.filter((section) => words.every((word) => new RegExp(`\\b${word}`, 'i').test(section)));
}

test.each([
	['Is this my service?', 'Send test'],
	['last month of one team in a Google Sheet', 'Append or Update'],
	['conversations in a table without duplicates', 'Upsert'],
	['n8n was down for a day', 'Processed Date'],
	['what does it cost in executions', 'One for each conversation'],
	['rotate the signing secret', 'Previous Signing Secret'],
	['import an example from a file', /Import → From file/],
	['Base URL with a path', 'the Base URL is `https://example.com/data`'],
])('a search of the documents for the words of "%s" finds its answer in one section', (question, answer) => {
	expect(search(question)).toContainEqual(expect.stringMatching(answer));
});
