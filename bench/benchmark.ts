/** A benchmark that `bench/index.ts` can run. */
export interface Benchmark {
	/** Returns the Markdown section with ratios and the settings of the measurement. */
	run(args: string[]): Promise<string>;
}
