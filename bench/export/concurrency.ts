import type { Report } from '../../playground/problem';
import { ratio, seconds, table } from '../markdown';
import { median } from '../statistics';
import { idealSeconds } from './ideal';
import { measure, withBed } from './measure';
import { withThisNode } from './workflows';

/** Measures different numbers of parallel requests, to choose the default. */
export async function compareConcurrencies(report: Report, quick: boolean): Promise<string> {
	const conversations = quick ? 2000 : 10_000;
	const pages = Math.ceil(conversations / 50);
	const lines: string[][] = [];
	await withBed(conversations, report, async (bed) => {
		await measure(bed, withThisNode());
		for (const latency of quick ? [50] : [50, 200]) {
			await bed.sandbox.setLatency(latency);
			for (const concurrency of [1, 2, 3, 4, 5, 6, 8, 10, 15]) {
				report(`${latency} ms, ${concurrency} at a time`);
				const times: number[] = [];
				for (let repeat = 0; repeat < (quick ? 1 : 3); repeat++) {
					times.push((await measure(bed, withThisNode({ concurrency }))).seconds);
				}
				const ideal = idealSeconds(latency, pages, concurrency);
				lines.push([
					`${latency} ms`,
					String(concurrency),
					seconds(median(times)),
					seconds(ideal),
					ratio(median(times) / ideal),
				]);
			}
		}
	});
	return table(['Latency', 'Parallel requests', 'Time', 'Ideal', 'Time / ideal'], lines);
}
