/**
 * The time no client can beat: page 1 alone, then full rounds.
 *
 * @param latencyMs of each request
 * @param concurrency requests under way at once
 * @returns seconds
 */
export function idealSeconds(latencyMs: number, pages: number, concurrency: number): number {
	return (latencyMs / 1000) * (1 + Math.ceil((pages - 1) / concurrency));
}
