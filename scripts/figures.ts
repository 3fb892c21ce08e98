/**
 * Figures of docs/reference/benchmarks.md in other pages: each stands before its key, `2.8<!--{export/200-ms/this-node}--> s`, or
 * before arithmetic such as `2000/{…}`, and keeps its decimals.
 */
import { runInNewContext } from 'node:vm';
import { readSection } from '../bench/page';

const FIGURE = /([\d,.]*\d)(<!--([^<>]*\{[^<>]*)-->)/g;

const slug = (text: string) => text.toLowerCase().replace(/[^a-z0-9]+/g, '-');
const cellsOf = (line: string) => line.split(' | ').map((cell) => cell.replace(/^\| | \|$/g, ''));

/**
 * A figure of a benchmark.
 * @param key its section, parts of its row (or of its table's first heading), and its column, with slashes between them
 * @throws for a key without a figure
 */
export function figureOf(key: string): number {
	const [section, ...parts] = key.split('/');
	const column = parts.pop()!;
	for (const table of readSection(section)
		.split(/\n\n(?=\|)/)
		.slice(1)) {
		const [heads, , ...rows] = table.split('\n\n')[0].split('\n').map(cellsOf);
		const at = heads.findIndex((head) => slug(head).includes(column));
		const row = rows.find((cells) =>
			parts.every((part) => slug(`${heads[0]} ${cells.join(' ')}`).includes(part)),
		);
		if (at < 0 || !row) continue;
		// A cell such as `418 / 546 / 569` has the heading `p50 / p95 / p99`.
		const place = heads[at].split(' / ').findIndex((head) => slug(head).includes(column));
		const [found] = /[\d,.]*\d/.exec(row[at].split(' / ')[place] ?? row[at])!;
		return Number(found.replaceAll(',', ''));
	}
	throw new Error(`docs/reference/benchmarks.md has no figure ${key}.`);
}

function figure(_all: string, shown: string, mark: string, formula: string): string {
	const value = Number(
		runInNewContext(formula.replace(/\{([^}]+)\}/g, (_, key: string) => `${figureOf(key)}`)),
	);
	const digits = shown.split('.')[1]?.length ?? 0;
	return value.toLocaleString('en', { minimumFractionDigits: digits, maximumFractionDigits: digits }) + mark;
}

export const withFigures = (text: string): string => text.replace(FIGURE, figure);
