import { createHmac, randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { INode } from 'n8n-workflow';
import pLimit from 'p-limit';
import { Agent, request } from 'undici';
import { SIGNING_SECRET } from '../harness/credentials';
import type { N8nClient } from '../harness/n8n/client';
import { progress, startTestN8n } from '../harness/n8n/fresh';
import { inRow, workflowNode } from '../harness/n8n/workflowFile';
import { startQueueMode } from '../harness/queue/start';
import { delivery, processedEvent } from '../harness/webhook/deliveries';
import { median } from '../sandbox/statistics';
import { ratio, table } from './figures';
import { builtIn, ownNode } from './workflows';

const LOAD = { deliveries: 100, concurrency: 20 };
const TOKEN_HEADER = 'x-token';

/** A trigger to compare, and the requests to send to it. */
interface Contestant {
	name: string;
	node: INode;
	/** The path after `/webhook/`. */
	path: string;
	make: () => ReturnType<typeof delivery>;
	expects: number;
}

/** This package's trigger, with events that are signed like the service does: checks the signature, recognizes repeats. */
function ofPackage(name: string, secret: string, expects: number): Contestant {
	const webhookId = randomUUID();
	const own = { events: ['conversation_processed'], output: 'event' };
	const node = ownNode('conversationIntelligenceTrigger', 'conversationExportApi', own, 1.1);
	const make = () => delivery(processedEvent(), secret);
	return { name, node: { ...node, webhookId }, path: `${webhookId}/conversation`, make, expects };
}

function ofWebhook(name: string, path: string, authentication: string, credential?: string): Contestant {
	const node = builtIn('webhook', 2.1, { httpMethod: 'POST', path, authentication }, credential);
	const make = () => delivery(processedEvent(), undefined, { [TOKEN_HEADER]: SIGNING_SECRET });
	return { name, node: { ...node, webhookId: randomUUID() }, path, make, expects: 200 };
}

/** An event of Slack, with the same details and Slack's signature. */
function slackDelivery() {
	const details = processedEvent();
	const event = { type: 'message', channel: 'C1', user: 'U1', details };
	const { body } = delivery({ type: 'event_callback', event });
	const at = String(Math.floor(Date.now() / 1000));
	const digest = createHmac('sha256', SIGNING_SECRET)
		.update(`v0:${at}:${String(body)}`)
		.digest('hex');
	return delivery(body, undefined, { 'x-slack-request-timestamp': at, 'x-slack-signature': `v0=${digest}` });
}

const own = ofPackage('Conversation Intelligence Trigger', SIGNING_SECRET, 200);
const refusals = ofPackage('Conversation Intelligence Trigger, refusals', 'a guess', 401);
/** Checks nothing. */
const webhookNode = ofWebhook("n8n's Webhook node", 'plain', 'none');
/** Like our trigger, it needs a credential in every execution. */
const withAuth = ofWebhook("n8n's Webhook node with Header Auth", 'secured', 'headerAuth', 'httpHeaderAuth');
const slackId = randomUUID();
const slack = builtIn('slackTrigger', 1, { trigger: ['any_event'], watchWorkspace: true }, 'slackApi');
/** A built-in app trigger that, like ours, checks an HMAC-SHA256 signature and is registered manually. */
const builtInTrigger: Contestant = {
	name: 'Built-in app trigger with a signature',
	node: { ...slack, webhookId: slackId },
	path: `${slackId}/webhook`,
	make: slackDelivery,
	expects: 200,
};
/** In the order of the table. */
const CONTESTANTS = [own, webhookNode, withAuth, builtInTrigger, refusals];

/** Creates the contestants' credentials and publishes their workflows: the trigger and a No Operation node. */
async function enter(client: N8nClient, contestants: Contestant[]): Promise<void> {
	const ofExport = { baseUrl: 'http://127.0.0.1:9/data', apiKey: 'key', signingSecret: SIGNING_SECRET };
	await client.saveCredential('conversationExportApi', ofExport);
	await client.saveCredential('httpHeaderAuth', { name: TOKEN_HEADER, value: SIGNING_SECRET });
	await client.saveCredential('slackApi', { accessToken: 'token', signatureSecret: SIGNING_SECRET });
	for (const { name, node } of contestants) {
		const nodes = inRow({ ...node, name: 'Trigger' }, workflowNode('End', 'n8n-nodes-base.noOp', 1, {}));
		await client.publish({ name, ...nodes, settings: { executionOrder: 'v1' } });
	}
}

/** The throughput of a load, and its response times: milliseconds from sending to the complete response. */
type Result = Record<'perSecond' | 'p50' | 'p95' | 'p99', number>;

/**
 * Sends deliveries concurrently to one or several n8n, in turn.
 * @throws for an unexpected status, because the numbers would be meaningless
 */
async function drive(
	bases: readonly string[],
	{ name, path, make, expects }: Contestant,
	deliveries = LOAD.deliveries,
): Promise<Result> {
	const dispatcher = new Agent({ connections: LOAD.concurrency });
	const times: number[] = [];
	const send = async (number: number) => {
		const url = `${bases[number % bases.length]}/webhook/${path}`;
		const made = make();
		const from = performance.now();
		const { statusCode, body } = await request(url, { method: 'POST', dispatcher, ...made });
		const text = await body.text();
		times.push(performance.now() - from);
		if (statusCode !== expects)
			throw new Error(`${name} responded with ${statusCode}: ${text.slice(0, 200)}`);
	};
	const limit = pLimit(LOAD.concurrency);
	const from = performance.now();
	try {
		await Promise.all(Array.from({ length: deliveries }, async (_, number) => await limit(send, number)));
	} finally {
		await dispatcher.close();
	}
	const perSecond = deliveries / ((performance.now() - from) / 1000);
	times.sort((a, b) => a - b);
	/** The smallest time that at least this share of the times does not exceed. */
	const percentile = (share: number) => times[Math.ceil(share * times.length) - 1];
	return { perSecond, p50: percentile(0.5), p95: percentile(0.95), p99: percentile(0.99) };
}

/** Waits until no execution is running, so that contestants do not slow down each other. */
async function idle({ session }: N8nClient): Promise<void> {
	const isOpen = async (status: string) =>
		(await session.api<{ data: unknown[] }>('GET', `/executions?status=${status}&limit=1`)).data.length > 0;
	while ((await isOpen('running')) || (await isOpen('new'))) await delay(200);
}

const MEASURED = 'per second | p50 / p95 / p99, ms';
const middle = (results: readonly Result[], of: keyof Result) =>
	median(results.map((result) => result[of])).toFixed(0);
const cellsOf = (results: readonly Result[]) => [
	middle(results, 'perSecond'),
	(['p50', 'p95', 'p99'] as const).map((of) => middle(results, of)).join(' / '),
];

/** Measures contestants round by round, after a warm-up of so many deliveries to each. @returns the results of each */
async function measureRounds(
	client: N8nClient,
	bases: readonly string[],
	contestants: Contestant[],
	rounds: number,
	warmUp = LOAD.deliveries,
): Promise<Result[][]> {
	await enter(client, contestants);
	const results = contestants.map((): Result[] => []);
	for (let round = 0; round <= rounds; round++) {
		// Each round starts with another contestant, so that none always runs in the coldest or fullest n8n.
		for (const place of contestants.keys()) {
			const at = (place + round) % contestants.length;
			const result = await drive(bases, contestants[at], round === 0 ? warmUp : LOAD.deliveries);
			await idle(client);
			progress(`round ${round}: ${contestants[at].name} ${result.perSecond.toFixed(1)} a second`);
			if (round > 0) results[at].push(result);
		}
	}
	return results;
}

/** Compares all contestants in one n8n. */
async function race(name: string, env: Record<string, string>, rounds: number, warmUp: number) {
	const n8n = await startTestN8n({ env: { ...QUIET, ...env } });
	const results = await measureRounds(n8n.client, [n8n.url], CONTESTANTS, rounds, warmUp).finally(n8n.stop);
	const ratioTo = (base: Contestant, measured: Result[]) => {
		const bases = results[CONTESTANTS.indexOf(base)];
		const ratios = measured.map(({ perSecond }, round) => perSecond / bases[round].perSecond);
		return `${ratio(median(ratios))} (${ratio(Math.min(...ratios))}–${ratio(Math.max(...ratios))})`;
	};
	const lines = results.map((measured, at) => {
		const ratios = [webhookNode, withAuth].map((base) => ratioTo(base, measured));
		return [CONTESTANTS[at].name, ...ratios, ...cellsOf(measured)];
	});
	return table(`${name}, ${rounds} rounds | ÷ Webhook node | ÷ with Header Auth | ${MEASURED}`, lines);
}

async function inQueueMode(webhookProcesses: 1 | 2, rounds: number): Promise<Result[]> {
	const { main, webhooks, stop } = await startQueueMode({ webhookProcesses, env: QUIET });
	const bases = webhooks.map(({ url }) => url);
	const [results] = await measureRounds(main.client, bases, [own], rounds).finally(stop);
	return results;
}

const QUIET = { N8N_LOG_LEVEL: 'error' };
/** Creates the expression sandbox only when needed, which takes longer to warm up. */
const LAZY = { N8N_EXPRESSION_ENGINE_LAZY_ACQUIRE: 'true' };

/** Compares the Conversation Intelligence Trigger with n8n's Webhook node and a built-in trigger. */
export async function compareTriggers(quick: boolean): Promise<string[]> {
	const [rounds, lazyRounds, lazyWarmUp] = quick ? [1, 1, 60] : [5, 11, 400];
	const byDefault = await race('n8n by default', {}, rounds, 60);
	const lazy = await race('`N8N_EXPRESSION_ENGINE_LAZY_ACQUIRE=true`', LAZY, lazyRounds, lazyWarmUp);
	const queue = [await inQueueMode(1, rounds), await inQueueMode(2, rounds)];
	const perSecond = queue.map((results) => median(results.map((result) => result.perSecond)));
	const lines = queue.map((results, index) => [
		...[String(index + 1), ratio(perSecond[index] / perSecond[0]), ...cellsOf(results)],
	]);
	return [byDefault, lazy, table(`webhook processes in queue mode | ÷ one process | ${MEASURED}`, lines)];
}
