export interface Table {
	head: string[];
	lines: string[][];
}

/** Reads the Markdown tables of one section of docs/BENCHMARKS.md. */
export function tablesOf(document: string, section: string): Table[] {
	const text = new RegExp(`<!-- bench:${section} -->(.*?)<!-- /bench:${section} -->`, 's').exec(
		document,
	)?.[1];
	if (text === undefined) throw new Error(`docs/BENCHMARKS.md has no section ${section}.`);
	return (text.match(/(^\|.*\n)+/gm) ?? []).map((table) => {
		const [head, , ...lines] = table.trim().split('\n').map(cellsOf);
		return { head, lines };
	});
}

const cellsOf = (line: string) =>
	line
		.split('|')
		.slice(1, -1)
		.map((cell) => cell.trim());
