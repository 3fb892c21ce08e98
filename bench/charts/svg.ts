export interface Bar {
	label: string;
	value: number;
	/** The value with its unit. */
	text: string;
	/** Whether the bar is this package's, which gets the accent color. */
	isOwn: boolean;
}

export interface BarChart {
	title: string;
	/** What was measured, and whether less or more is better. */
	subtitle: string;
	/** Bars below a heading. All bars of a chart have the same scale. */
	groups: Array<{ label: string; bars: Bar[] }>;
}

const WIDTH = 800;
const MARGIN = 20;
const BARS_START = 330;
const LONGEST_BAR = WIDTH - MARGIN - BARS_START - 90;
const BAR = 18;

/** An image cannot read the page's colors, so it has its own background and both color schemes. */
const STYLE = `svg { font: 13px system-ui, -apple-system, "Segoe UI", Helvetica, Arial, sans-serif; --paper: #ffffff; --line: #d1d9e0; --ink: #1f2328; --soft: #59636e; --own: #d9480f; --other: #8c959f }
@media (prefers-color-scheme: dark) { svg { --paper: #0d1117; --line: #3d444d; --ink: #f0f6fc; --soft: #9198a1; --own: #ff7a45; --other: #656c76 } }
.paper { fill: var(--paper); stroke: var(--line) } text { fill: var(--ink) } .soft { fill: var(--soft) }
.strong { font-weight: 600 } .title { font-size: 16px } .own { fill: var(--own) } .other { fill: var(--other) }`;

/** Draws a horizontal bar chart as an SVG file that follows the reader's light or dark color scheme. */
export function drawBars({ title, subtitle, groups }: BarChart): string {
	const max = Math.max(...groups.flatMap(({ bars }) => bars.map(({ value }) => value)));
	const marks = [text(MARGIN, 32, title, 'strong title'), text(MARGIN, 53, subtitle, 'soft')];
	let y = 62;
	for (const { label, bars } of groups) {
		marks.push(text(MARGIN, y + 20, label, 'strong'));
		y += 30;
		for (const bar of bars) {
			marks.push(...drawBar(bar, y, max));
			y += BAR + 6;
		}
		y += 6;
	}
	const height = y + 10;
	return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" width="${WIDTH}" height="${height}" role="img">
<title>${escape(title)}</title>
<style>
${STYLE}
</style>
<rect class="paper" x="0.5" y="0.5" width="${WIDTH - 1}" height="${height - 1}" rx="6"/>
${marks.join('\n')}
</svg>
`;
}

function drawBar({ label, value, text: valueText, isOwn }: Bar, y: number, max: number): string[] {
	// A bar of zero stays visible.
	const length = Math.max(2, Math.round((value / (max || 1)) * LONGEST_BAR));
	const weight = isOwn ? 'strong' : '';
	return [
		text(BARS_START - 10, y + 13, label, weight, 'end'),
		`<rect class="${isOwn ? 'own' : 'other'}" x="${BARS_START}" y="${y}" width="${length}" height="${BAR}" rx="2"/>`,
		text(BARS_START + length + 8, y + 13, valueText, weight),
	];
}

const text = (x: number, y: number, content: string, style: string, anchor = 'start') =>
	`<text class="${style}" x="${x}" y="${y}" text-anchor="${anchor}">${escape(content)}</text>`;

const escape = (content: string) =>
	content.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`);
