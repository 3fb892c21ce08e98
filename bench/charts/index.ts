/** `npm run bench -- charts` draws the charts of docs/BENCHMARKS.md from its tables. Every benchmark does this too. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DOCUMENT, readDocument, writeSection } from '../report';
import { CHARTS } from './charts';
import { drawBars, type BarChart } from './svg';

export const IMAGES = join(DOCUMENT, '..', 'images');

/** Draws every chart and shows them at the top of the document. */
export function drawCharts(): void {
	const charts = chartsOf(readDocument());
	for (const { file, svg } of charts) writeFileSync(join(IMAGES, file), svg);
	writeSection('charts', charts.map(({ markdown }) => markdown).join('\n\n'));
}

/** The charts of a document: each image and the line that shows it. */
export function chartsOf(document: string): Array<{ file: string; svg: string; markdown: string }> {
	return CHARTS.map(({ file, read }) => {
		const chart = read(document);
		return { file, svg: drawBars(chart), markdown: `![${inWords(chart)}](images/${file})` };
	});
}

/** Describes the whole chart to readers who cannot see it. */
function inWords({ title, groups }: BarChart): string {
	const parts = groups.map(({ label, bars }) => {
		const values = bars.map((bar) => `${bar.label} ${bar.text}`);
		return `${label}: ${values.join(', ')}`;
	});
	return `${title}. ${parts.join('; ')}`;
}
