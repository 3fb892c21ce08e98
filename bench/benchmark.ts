/** One benchmark of `bench/index.ts`. */
export interface Benchmark {
	/** Markdown of the section, with ratios and the settings they were measured with. */
	run(args: string[]): Promise<string>;
}
