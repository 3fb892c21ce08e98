/** A Markdown table; numbers are given as text. */
export function table(head: string[], lines: string[][]): string {
	return [head, head.map(() => '---'), ...lines].map((line) => `| ${line.join(' | ')} |`).join('\n');
}

/** Seconds to the hundredth, with their unit. */
export const seconds = (value: number): string => `${value.toFixed(2)} s`;

/** A ratio to the hundredth. */
export const ratio = (value: number): string => value.toFixed(2);

/** A share of 1 as a percentage, to its hundredth. */
export const percent = (share: number): string => `${(share * 100).toFixed(2)} %`;

/** Whole megabytes, with their unit. */
export const megabytes = (value: number): string => `${Math.round(value)} MB`;
