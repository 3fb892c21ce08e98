import { CONTESTANTS, own, webhookNode, webhookNodeWithAuth } from './contestants';
import { median } from '../statistics';
import { middle, type Load, type Result } from './drive';

export interface Measurements {
	load: Load;
	/** The results of each contestant, in the order of the rounds. */
	settings: Array<{ name: string; results: Record<string, Result[]> }>;
	queue: Array<{ webhookProcesses: number; result: Result }>;
}

const NAMES = CONTESTANTS.map((make) => make().name);
const [OWN, WEBHOOK, WEBHOOK_WITH_AUTH] = [own, webhookNode, webhookNodeWithAuth].map((make) => make().name);

/** The section of docs/BENCHMARKS.md. */
export function section({ load, settings, queue }: Measurements): string {
	const { deliveries, concurrency } = load;
	return `## Conversation Intelligence Trigger: deliveries

\`npm run bench -- webhook\`: ${deliveries} deliveries, ${concurrency} at a time, to each trigger in turn, in the same n8n; each workflow is the
trigger and No Operation; round after round, after a warm-up. The sender runs on the same machine. A ratio is the median, and
in brackets the range, of what the rounds give: each compares the deliveries a second of one round. Times are from sending to
the whole answer, medians of the rounds.

n8n makes an expression sandbox for each delivery to any trigger but its own Webhook node, needed or not. With its setting
\`N8N_EXPRESSION_ENGINE_LAZY_ACQUIRE=true\` it makes one only where an expression is evaluated. It makes another one to read a
credential outside an execution: for the Webhook node with Header Auth at each delivery, for this trigger every ten seconds.

${settings.map(({ name, results }) => settingTable(name, results)).join('\n\n')}
${queue.length === 0 ? '' : `\n${queueTable(queue)}\n`}`;
}

function settingTable(name: string, results: Record<string, Result[]>): string {
	const ratioTo = (base: string, rounds: Result[]) => {
		const ratios = rounds.map(({ perSecond }, round) => perSecond / results[base][round].perSecond);
		const range = `${Math.min(...ratios).toFixed(2)}–${Math.max(...ratios).toFixed(2)}`;
		return `${median(ratios).toFixed(2)} (${range})`;
	};
	const lines = NAMES.map((contestant) => {
		const rounds = results[contestant];
		const { perSecond, p50, p95, p99 } = middle(rounds);
		const ratios = `${ratioTo(WEBHOOK, rounds)} | ${ratioTo(WEBHOOK_WITH_AUTH, rounds)}`;
		return `| ${contestant} | ${ratios} | ${perSecond.toFixed(0)} | ${times(p50, p95, p99)} |`;
	});
	return [
		`| n8n ${name}, ${results[OWN].length} rounds | ÷ Webhook node | ÷ with Header Auth | a second | p50 / p95 / p99, ms |`,
		'| --- | --- | --- | --- | --- |',
		...lines,
	].join('\n');
}

function queueTable(queue: Measurements['queue']): string {
	const base = queue[0].result.perSecond;
	const lines = queue.map(({ webhookProcesses, result: { perSecond, p50, p95, p99 } }) => {
		const ratio = (perSecond / base).toFixed(2);
		return `| ${webhookProcesses} | ${ratio} | ${perSecond.toFixed(0)} | ${times(p50, p95, p99)} |`;
	});
	return [
		`Queue mode (main, one worker, Redis and PostgreSQL on the same machine), ${OWN}, n8n as it comes:`,
		'',
		'| webhook processes | ÷ one process | a second | p50 / p95 / p99, ms |',
		'| --- | --- | --- | --- |',
		...lines,
	].join('\n');
}

const times = (...milliseconds: number[]) => milliseconds.map((value) => value.toFixed(0)).join(' / ');
