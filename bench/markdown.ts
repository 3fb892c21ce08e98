/** Renders a Markdown table. @param head its first line, such as `Node | Time` */
export function table(head: string, lines: string[][]): string {
	const heads = head.split(' | ');
	return [heads, heads.map(() => '---'), ...lines].map((line) => `| ${line.join(' | ')} |`).join('\n');
}

/** Formats seconds to the hundredth, with the unit. */
export const seconds = (value: number): string => `${value.toFixed(2)} s`;

/** Formats a ratio to the hundredth. */
export const ratio = (value: number): string => value.toFixed(2);

/** Formats a fraction as a percentage, to the hundredth. */
export const percent = (share: number): string => `${(share * 100).toFixed(2)} %`;

/** Formats whole megabytes, with the unit. */
export const megabytes = (value: number): string => `${Math.round(value)} MB`;

/** Formats a whole number with commas, e.g. `10,000`. */
export const count = (value: number): string => value.toLocaleString('en');
