/** Reads docs/reference/api, the one list of what the API documentation says: every entry with its ID, and the field tables. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** What the nodes do about an entry; docs/reference/api/data-export-and-webhook.md explains each. */
const roles = ['kept', 'relied on', 'passed through', 'not concerned'] as const;

interface Field {
	name: string;
	/** As documented, e.g. `string | null`. */
	type: string;
	/** When a request needs the field: `yes`, `no` or the condition. */
	required?: string;
	/** What the field means, as written. */
	meaning: string;
}

/** A table row, with the ID that tests cite as a tag. */
interface Rule {
	id: string;
	role: (typeof roles)[number];
	field?: Field;
}

/** The rules below a third-level heading. */
interface Section {
	heading: string;
	rules: Rule[];
}

/** The sections below a second-level heading. */
interface Chapter {
	document: 'D1' | 'D2';
	heading: string;
	sections: Section[];
}

const FILES = { D1: 'data-export-and-webhook.md', D2: 'crm-appointment-ingestion.md' };

/** All chapters in the order of the documents. */
export const chapters: Chapter[] = [...chaptersIn('D1'), ...chaptersIn('D2')];

/** All rules in the order of the documents. */
export const rules: Rule[] = chapters.flatMap(({ sections }) => sections.flatMap((section) => section.rules));

/** The fields of each object by its heading, e.g. `ConversationsExport`. */
export const tables: Record<string, Field[]> = Object.fromEntries(
	chapters
		.flatMap(({ sections }) => sections)
		.map(({ heading, rules: all }) => [heading, all.flatMap(({ field }) => field ?? [])] as const)
		.filter(([, fields]) => fields.length > 0),
);

const twice = rules.find(({ id }, index) => rules.findIndex((rule) => rule.id === id) !== index);
if (twice) throw new Error(`docs/reference/api has two entries ${twice.id}.`);

function chaptersIn(document: Chapter['document']): Chapter[] {
	const text = readFileSync(join(__dirname, '..', 'docs', 'reference', 'api', FILES[document]), 'utf8');
	return text
		.split(/^## /m)
		.slice(1)
		.map((chapter) => {
			const [heading, ...sections] = chapter.split(/^### /m);
			return { document, heading: heading.trim(), sections: sections.map(sectionIn) };
		});
}

function sectionIn(text: string): Section {
	const [heading, ...lines] = text.split('\n');
	const rows = lines.filter((line) => line.startsWith('| ')).map(cellsIn);
	let columns: string[] = [];
	const section: Section = { heading, rules: [] };
	for (const cells of rows) {
		if (cells[0] === 'ID') columns = cells;
		else if (/^D[12]-/.test(cells[0])) section.rules.push(ruleIn(columns, cells));
	}
	return section;
}

/** The cells of a row, with `|` for `\|` and without links. */
function cellsIn(line: string): string[] {
	return line
		.slice(1, line.lastIndexOf('|'))
		.split(/(?<!\\)\|/)
		.map((cell) =>
			cell
				.trim()
				.replaceAll('\\|', '|')
				.replace(/\[([^\]]+)\]\([^)]*\)/g, '$1'),
		);
}

function ruleIn(columns: string[], cells: string[]): Rule {
	const [id, ...said] = cells.slice(0, -1);
	const role = roles.find((name) => name === cells.at(-1));
	if (role === undefined || columns.length !== cells.length) {
		throw new Error(
			`The entry ${id} in docs/reference/api has too few or too many columns, or no role in the last one.`,
		);
	}
	if (columns[1] !== 'Field') return { id, role };
	const [name, type, ...rest] = said;
	const [required, meaning = ''] = columns[3] === 'Required' ? rest : [undefined, ...rest];
	return { id, role, field: { name: name.replaceAll('`', ''), type, required, meaning } };
}

/** The rules that a comment names, such as `D1-EXP-05`, or each of `D1-CONV-01..28`. */
export function tagsIn(comment: string): string[] {
	const tags = comment.matchAll(/\b(D[12]-[A-Z]+-)(\d\d)(?:\.\.(\d\d))?/g);
	return [...tags].flatMap(([, prefix, first, last = first]) => {
		const numbers = Array.from({ length: Number(last) - Number(first) + 1 }, (_, at) => Number(first) + at);
		return numbers.map((number) => `${prefix}${String(number).padStart(2, '0')}`);
	});
}
