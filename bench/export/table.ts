/** A Markdown table; numbers are given as text. */
export function table(head: string[], lines: string[][]): string {
	return [head, head.map(() => '---'), ...lines].map((line) => `| ${line.join(' | ')} |`).join('\n');
}

export const seconds = (value: number) => `${value.toFixed(2)} s`;
export const ratio = (value: number) => value.toFixed(2);
export const megabytes = (value: number) => `${Math.round(value)} MB`;

/** The middle of several measurements. */
export function median(values: number[]): number {
	const sorted = [...values].sort((a, b) => a - b);
	return sorted[Math.floor(sorted.length / 2)];
}

/** The time no client can beat: page 1 alone, then full rounds (seconds). */
export function idealSeconds(latencyMs: number, pages: number, concurrency: number): number {
	return (latencyMs / 1000) * (1 + Math.ceil((pages - 1) / concurrency));
}
