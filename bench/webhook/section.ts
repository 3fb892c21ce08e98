import { median } from '../../sandbox/statistics';
import { own, webhookNode, webhookNodeWithAuth } from './contestants';
import { ratio, table } from '../markdown';
import { middle, type Load, type Result } from './drive';

export interface Measurements {
	load: Load;
	/** Each contestant's results, by round. */
	settings: Array<{ name: string; results: Record<string, Result[]> }>;
	queue: Array<{ webhookProcesses: number; result: Result }>;
}

/** The section of docs/reference/benchmarks.md. */
export function section({ load, settings, queue }: Measurements): string {
	const { deliveries, concurrency } = load;
	return `## Conversation Intelligence Trigger: deliveries

\`npm run bench -- webhook\`: rounds of ${deliveries} deliveries, ${concurrency} at a time, to one trigger after another, in the same n8n after a warm-up.
Each workflow consists of the trigger and No Operation. The sender runs on the same machine. Ratios compare the deliveries
per second within a round: the median of the rounds, with the range in brackets. Times are from sending to the complete
response, also medians of the rounds.

n8n creates an expression sandbox for each delivery to any trigger except its own Webhook node, even if it is not needed.
With \`N8N_EXPRESSION_ENGINE_LAZY_ACQUIRE=true\`, n8n creates one only to evaluate an expression. It creates another one to read
a credential outside an execution: with each delivery to the Webhook node with Header Auth, once a second for this trigger.

${settings.map(({ name, results }) => settingTable(name, results)).join('\n\n')}

${queueTable(queue)}
`;
}

function settingTable(name: string, results: Record<string, Result[]>): string {
	const ratioTo = (base: string, rounds: Result[]) => {
		const ratios = rounds.map(({ perSecond }, round) => perSecond / results[base][round].perSecond);
		return `${ratio(median(ratios))} (${ratio(Math.min(...ratios))}–${ratio(Math.max(...ratios))})`;
	};
	const lines = Object.entries(results).map(([contestant, rounds]) => {
		const ratios = [webhookNode, webhookNodeWithAuth].map(({ name: base }) => ratioTo(base, rounds));
		return [contestant, ...ratios, ...cellsOf(middle(rounds))];
	});
	const rounds = `${name}, ${results[own.name].length} rounds`;
	return table([rounds, '÷ Webhook node', '÷ with Header Auth', ...MEASURED], lines);
}

function queueTable(queue: Measurements['queue']): string {
	const base = queue[0].result.perSecond;
	const lines = queue.map(({ webhookProcesses, result }) => [
		String(webhookProcesses),
		ratio(result.perSecond / base),
		...cellsOf(result),
	]);
	return `Queue mode (main, one worker, Redis and PostgreSQL on the same machine), ${own.name}, n8n by default:

${table(['webhook processes', '÷ one process', ...MEASURED], lines)}`;
}

const MEASURED = ['per second', 'p50 / p95 / p99, ms'];
const cellsOf = ({ perSecond, p50, p95, p99 }: Result) => [
	perSecond.toFixed(0),
	[p50, p95, p99].map((value) => value.toFixed(0)).join(' / '),
];
