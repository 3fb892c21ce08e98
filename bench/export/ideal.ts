/**
 * The shortest possible time: page 1 alone, then rounds of `concurrency` pages.
 *
 * @param latencyMs of each request
 * @param concurrency number of concurrent requests
 * @returns seconds
 */
export function idealSeconds(latencyMs: number, pages: number, concurrency: number): number {
	return (latencyMs / 1000) * (1 + Math.ceil((pages - 1) / concurrency));
}
