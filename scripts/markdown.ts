/** A Markdown table. @param head its first line, such as `Node | Time` */
export function table(head: string, rows: string[][]): string {
	const heads = head.split(' | ');
	return [heads, heads.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}
