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

/** A table row, with the ID that tests cite as a tag, below the headings `##` and `###`. */
interface Rule {
	id: string;
	role: (typeof roles)[number];
	chapter: string;
	heading: string;
	field?: Field;
}

/** As tests and comments cite them, e.g. `D1 § Limits`. */
export const headings: string[] = [];

/** All rules in the order of the documents. */
export const rules: Rule[] = [
	...rulesIn('D1', 'data-export-and-webhook.md'),
	...rulesIn('D2', 'crm-appointment-ingestion.md'),
];

/** The fields of each object by its heading, e.g. `ConversationsExport`. */
export const tables: Record<string, Field[]> = {};
for (const { heading, field } of rules) if (field) (tables[heading] ??= []).push(field);

const twice = rules.find(({ id }, index) => rules.findIndex((rule) => rule.id === id) !== index);
if (twice) throw new Error(`docs/reference/api has two entries ${twice.id}.`);

function rulesIn(document: string, file: string): Rule[] {
	const found: Rule[] = [];
	let [chapter, heading] = ['', ''];
	let columns: string[] = [];
	for (const line of readFileSync(join(__dirname, '../docs/reference/api', file), 'utf8').split('\n')) {
		const [, marks, words] = /^(##|###) (.*)/.exec(line) ?? [];
		if (marks) headings.push(`${document} § ${words}`);
		if (marks === '##') chapter = `${document} § ${words}`;
		if (marks) heading = words;
		const cells = line.startsWith('| ') ? cellsIn(line) : [''];
		if (cells[0] === 'ID') columns = cells;
		if (/^D[12]-/.test(cells[0])) found.push({ ...ruleIn(columns, cells), chapter, heading });
	}
	return found;
}

/** The cells of a row, with `|` for `\|` and without links. */
function cellsIn(line: string): string[] {
	const text = line.replace(/\[([^\]]+)\]\([^)]*\)/g, '$1');
	const cells = text.slice(1, text.lastIndexOf('|')).split(/(?<!\\)\|/);
	return cells.map((cell) => cell.trim().replaceAll('\\|', '|'));
}

function ruleIn(columns: string[], cells: string[]): Pick<Rule, 'id' | 'role' | 'field'> {
	const [id, name, type, ...rest] = cells.slice(0, -1);
	const role = roles.find((one) => one === cells.at(-1));
	if (role === undefined || columns.length !== cells.length)
		throw new Error(`The entry ${id} in docs/reference/api has another number of columns, or no role.`);
	if (columns[1] !== 'Field') return { id, role };
	const [required, meaning = ''] = columns[3] === 'Required' ? rest : [undefined, ...rest];
	return { id, role, field: { name: name.replaceAll('`', ''), type, required, meaning } };
}

/** The rules that a comment names, such as `D1-EXP-05`, or each of `D1-CONV-01..28`. */
export function tagsIn(comment: string): string[] {
	const tags = comment.matchAll(/\b(D[12]-[A-Z]+-)(\d\d)(?:\.\.(\d\d))?/g);
	return [...tags].flatMap(([, prefix, first, last = first]) =>
		Array.from({ length: Number(last) - Number(first) + 1 }, (_, at) => {
			return prefix + String(Number(first) + at).padStart(2, '0');
		}),
	);
}
