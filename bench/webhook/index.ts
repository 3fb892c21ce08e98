import { startQueueMode } from '../../harness/queue/start';
import { progress, startTestN8n } from '../../harness/n8n/fresh';
import { CONTESTANTS, enter, own, saveCredentials } from './contestants';
import { drive, idle, middle, type Load, type Result } from './drive';
import { section, type Measurements } from './section';

const LOAD: Load = { deliveries: 100, concurrency: 20 };
const LAZY = { N8N_EXPRESSION_ENGINE_LAZY_ACQUIRE: 'true' };

interface Setting {
	name: string;
	env: Record<string, string>;
	rounds: number;
	/** Deliveries to each contestant before the measured rounds. */
	warmUp: number;
}

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
	const measurements: Measurements = { load: LOAD, settings: [], queue: [] };
	for (const setting of SETTINGS) {
		const results = await race({ ...setting, ...(quick ? QUICK : {}) });
		measurements.settings.push({ name: setting.name, results });
	}
	for (const webhookProcesses of [1, 2] as const) {
		const result = await inQueueMode(webhookProcesses, quick ? 1 : QUEUE_ROUNDS);
		measurements.queue.push({ webhookProcesses, result });
	}
	return section(measurements);
}

/** Measures all contestants in one n8n, round by round. Returns each contestant's results in this order. */
async function race({ env, rounds, warmUp }: Setting): Promise<Record<string, Result[]>> {
	const n8n = await startTestN8n({ env: { ...QUIET, ...env } });
	try {
		await saveCredentials(n8n.client);
		for (const contestant of CONTESTANTS) await enter(n8n.client, contestant);
		const results = new Map<string, Result[]>();
		for (let round = 0; round <= rounds; round++) {
			// Each round starts with another contestant, so that none always runs in the coldest or fullest n8n.
			const order = CONTESTANTS.map((_, at) => CONTESTANTS[(at + round) % CONTESTANTS.length]);
			for (const contestant of order) {
				const load = round === 0 ? { ...LOAD, deliveries: warmUp } : LOAD;
				const result = await drive([n8n.url], contestant, load);
				await idle(n8n.client);
				progress(`round ${round}: ${contestant.name} ${result.perSecond.toFixed(1)} a second`);
				if (round > 0) results.set(contestant.name, [...(results.get(contestant.name) ?? []), result]);
			}
		}
		return Object.fromEntries(results);
	} finally {
		await n8n.stop();
	}
}

async function inQueueMode(webhookProcesses: 1 | 2, rounds: number): Promise<Result> {
	const queue = await startQueueMode({ webhookProcesses, env: QUIET, report: progress });
	try {
		await saveCredentials(queue.main.client);
		await enter(queue.main.client, own);
		const bases = queue.webhooks.map(({ url }) => url);
		await drive(bases, own, LOAD);
		const results: Result[] = [];
		for (let round = 0; round < rounds; round++) {
			await idle(queue.main.client);
			results.push(await drive(bases, own, LOAD));
		}
		return middle(results);
	} finally {
		await queue.stop();
	}
}
