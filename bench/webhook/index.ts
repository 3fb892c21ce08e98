import { progress, startTestN8n } from '../../harness/n8n/fresh';
import { startQueueMode } from '../../harness/queue/start';
import { median } from '../../sandbox/statistics';
import { ratio, table } from '../markdown';
import { CONTESTANTS, enter, own, webhookNode, webhookNodeWithAuth } from './contestants';
import { drive, idle, LOAD, middle, type Result } from './drive';

interface Setting {
	name: string;
	env: Record<string, string>;
	rounds: number;
	/** Deliveries to each contestant before the measured rounds. */
	warmUp: number;
}

const LAZY = { N8N_EXPRESSION_ENGINE_LAZY_ACQUIRE: 'true' };
/** n8n's default, and creating the expression sandbox only when needed, which takes longer to warm up. */
const SETTINGS: Setting[] = [
	{ name: 'n8n by default', env: {}, rounds: 5, warmUp: 60 },
	{ name: '`N8N_EXPRESSION_ENGINE_LAZY_ACQUIRE=true`', env: LAZY, rounds: 11, warmUp: 400 },
];
const QUICK = { rounds: 1, warmUp: 60 };
const QUEUE_ROUNDS = 5;
const QUIET = { N8N_LOG_LEVEL: 'error' };

/** Compares the Conversation Intelligence Trigger with n8n's Webhook node and a built-in trigger. */
export async function compareTriggers(quick: boolean): Promise<string> {
	const tables: string[] = [];
	for (const setting of SETTINGS) {
		const results = await race({ ...setting, ...(quick ? QUICK : {}) });
		tables.push(settingTable(setting.name, results));
	}
	const rounds = quick ? 1 : QUEUE_ROUNDS;
	const [one, two] = [await inQueueMode(1, rounds), await inQueueMode(2, rounds)];
	return `## Conversation Intelligence Trigger: deliveries

\`npm run bench -- webhook\`: rounds of ${LOAD.deliveries} deliveries, ${LOAD.concurrency} at a time, to one trigger after another, in the same n8n after a warm-up.
Each workflow consists of the trigger and No Operation. The sender runs on the same machine. Ratios compare the deliveries
per second within a round: the median of the rounds, with the range in brackets. Times are from sending to the complete
response, also medians of the rounds.

n8n creates an expression sandbox for each delivery to any trigger except its own Webhook node, even if it is not needed.
With \`N8N_EXPRESSION_ENGINE_LAZY_ACQUIRE=true\`, n8n creates one only to evaluate an expression. It creates another one to read
a credential outside an execution: with each delivery to the Webhook node with Header Auth, once a second for this trigger.

${tables.join('\n\n')}

Queue mode (main, one worker, Redis and PostgreSQL on the same machine), ${own.name}, n8n by default:

${table(
	`webhook processes | ÷ one process | ${MEASURED}`,
	[one, two].map((result, index) => [
		String(index + 1),
		ratio(result.perSecond / one.perSecond),
		...cellsOf(result),
	]),
)}
`;
}

const MEASURED = 'per second | p50 / p95 / p99, ms';
const cellsOf = ({ perSecond, p50, p95, p99 }: Result) => [
	perSecond.toFixed(0),
	[p50, p95, p99].map((value) => value.toFixed(0)).join(' / '),
];

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
	return table(`${rounds} | ÷ Webhook node | ÷ with Header Auth | ${MEASURED}`, lines);
}

/** Measures all contestants in one n8n, round by round. Returns each contestant's results. */
async function race({ env, rounds, warmUp }: Setting): Promise<Record<string, Result[]>> {
	const n8n = await startTestN8n({ env: { ...QUIET, ...env } });
	try {
		await enter(n8n.client, CONTESTANTS);
		const results = Object.fromEntries(CONTESTANTS.map(({ name }) => [name, [] as Result[]]));
		for (let round = 0; round <= rounds; round++) {
			// Each round starts with another contestant, so that none always runs in the coldest or fullest n8n.
			const order = CONTESTANTS.map((_, at) => CONTESTANTS[(at + round) % CONTESTANTS.length]);
			for (const contestant of order) {
				const { name } = contestant;
				const result = await drive([n8n.url], contestant, round === 0 ? warmUp : LOAD.deliveries);
				await idle(n8n.client);
				progress(`round ${round}: ${name} ${result.perSecond.toFixed(1)} a second`);
				if (round > 0) results[name].push(result);
			}
		}
		return results;
	} finally {
		await n8n.stop();
	}
}

async function inQueueMode(webhookProcesses: 1 | 2, rounds: number): Promise<Result> {
	const queue = await startQueueMode({ webhookProcesses, env: QUIET });
	try {
		await enter(queue.main.client, [own]);
		const bases = queue.webhooks.map(({ url }) => url);
		await drive(bases, own);
		const results: Result[] = [];
		for (let round = 0; round < rounds; round++) {
			await idle(queue.main.client);
			results.push(await drive(bases, own));
		}
		return middle(results);
	} finally {
		await queue.stop();
	}
}
