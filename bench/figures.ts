/** How benchmarks write figures and tables. */
export const seconds = (value: number): string => `${value.toFixed(2)} s`;
export const ratio = (value: number): string => value.toFixed(2);
export const percent = (share: number): string => `${(share * 100).toFixed(2)} %`;
export const megabytes = (value: number): string => `${Math.round(value)} MB`;
/** A whole number with commas, e.g. `10,000`. */
export const count = (value: number): string => value.toLocaleString('en');

/** A Markdown table. @param head its first line, such as `Node | Time` */
export function table(head: string, rows: string[][]): string {
	const heads = head.split(' | ');
	return [heads, heads.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}
