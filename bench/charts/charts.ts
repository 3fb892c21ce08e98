import type { Bar, BarChart } from './svg';
import { tablesOf, type Table } from './tables';

interface ChartSource {
	/** Name below docs/images. */
	file: string;
	/** Reads the figures from the tables of docs/BENCHMARKS.md. */
	read(document: string): BarChart;
}

/** A cell's number with its unit, without a range in brackets. */
function barOf(label: string, cell: string, unit: string): Bar {
	const number = /^[\d.]+/.exec(cell)?.[0];
	if (number === undefined) throw new Error(`"${cell}" of ${label} is not a number.`);
	const isOwn = label.startsWith('Conversation Intelligence');
	return { label, value: Number(number), text: `${number} ${unit}`, isOwn };
}

/** A bar for each line of a table. */
function barsOf({ head, lines }: Table, unit: string, column: string, labelColumn = 0): Bar[] {
	return lines.map((line) => barOf(line[labelColumn], line[head.indexOf(column)], unit));
}

export const CHARTS: ChartSource[] = [
	{
		file: 'bench-export.svg',
		read: (document) => ({
			title: 'Time to export 10,000 conversations as items',
			subtitle: '200 pages, by how long the service takes to answer; less is better',
			groups: tablesOf(document, 'export')[0].lines.map(([latency, own, other]) => ({
				label: `${latency} a request`,
				bars: [barOf('Conversation Intelligence', own, 's'), barOf('HTTP Request', other, 's')],
			})),
		}),
	},
	{
		file: 'bench-memory.svg',
		read(document) {
			const [{ head, lines }] = tablesOf(document, 'export-memory');
			const tasks = [...new Set(lines.map(([task]) => task))];
			const linesOf = (task: string) => lines.filter(([of]) => of === task);
			return {
				title: 'Peak memory of n8n while it exports conversations',
				subtitle: 'Each in a fresh n8n; less is better',
				groups: tasks.map((task) => ({
					label: task,
					bars: barsOf({ head, lines: linesOf(task) }, 'MB', 'Peak', 1),
				})),
			};
		},
	},
	{
		file: 'bench-files.svg',
		read(document) {
			const bars = barsOf(tablesOf(document, 'export-files')[0], 'MB', 'Growth of n8n over idle');
			return {
				title: 'Memory that an export to a file adds to n8n',
				subtitle:
					'It depends on the work done, not on the range: one long export takes about as much as ten short ones',
				groups: [{ label: 'Conversations', bars: bars.map((bar) => ({ ...bar, isOwn: true })) }],
			};
		},
	},
	{
		file: 'bench-appointments-time.svg',
		read(document) {
			const bars = barsOf(tablesOf(document, 'appointments')[0], 's', 'Time, no fault');
			return {
				title: 'Time to create or update 2,000 appointments',
				subtitle: 'Less is better',
				groups: [{ label: '50 ms a request, no faults', bars }],
			};
		},
	},
	{
		file: 'bench-appointments-wrong.svg',
		read(document) {
			const bars = barsOf(tablesOf(document, 'appointments')[0], '%', 'Appointments wrong');
			return {
				title: 'Appointments that are wrong after faults',
				subtitle: 'Missing, outdated or different, of all appointments; less is better',
				groups: [{ label: 'One request in 50 fails', bars }],
			};
		},
	},
	{
		file: 'bench-limiter.svg',
		read(document) {
			const [{ lines }] = tablesOf(document, 'limiter');
			const isRatio = ([, , time]: string[]) => !time.endsWith(' s');
			const services = [...new Set(lines.filter(isRatio).map(([service]) => service))];
			return {
				title: 'Time against a service that refuses requests',
				subtitle: '÷ the same without refusals, or what the plan or quota allows; less is better',
				groups: services.map((service) => ({
					label: service,
					bars: lines
						.filter((line) => line[0] === service && isRatio(line))
						.map(([, sender, time]) => barOf(sender, time, '×')),
				})),
			};
		},
	},
	{
		file: 'bench-webhook.svg',
		read(document) {
			const settings = tablesOf(document, 'webhook').slice(0, 2);
			const isAccepted = ({ label }: Bar) => !label.endsWith(', refusals');
			return {
				title: 'Deliveries that a trigger accepts in a second',
				subtitle: '20 at a time, sender and n8n on the same machine; more is better',
				groups: settings.map((table) => ({
					label: table.head[0].replaceAll('`', '').replace(/, \d+ rounds$/, ''),
					bars: barsOf(table, 'a second', 'per second').filter(isAccepted),
				})),
			};
		},
	},
];
