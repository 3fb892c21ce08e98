import { createHmac, randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { Agent, request } from 'undici';
import { SIGNING_SECRET } from '../harness/credentials';
import type { N8nClient } from '../harness/n8n/client';
import { progress, startTestN8n } from '../harness/n8n/fresh';
import { inRow, workflowNode } from '../harness/n8n/workflowFile';
import { startQueueMode } from '../harness/queue/start';
import { processedEvent } from '../harness/webhook/deliveries';
import { sign } from '../harness/webhook/sign';
import { median } from '../sandbox/statistics';
import { ratio, table } from './measure';
import { builtIn, ownNode, type Step } from './workflows';

const LOAD = { deliveries: 100, concurrency: 20 };
const TOKEN_HEADER = 'x-token';

/** A trigger to compare, and the requests to send to it. */
interface Contestant {
	name: string;
	node: Step;
	webhookId: string;
	/** The path after `/webhook/`. */
	path: string;
	body: () => string;
	headers?: (body: string) => Record<string, string>;
	/** The expected status. */
	expects: number;
}

const event = () => JSON.stringify(processedEvent());

/** This package's trigger, with events that are signed like the service does: checks the signature, recognizes repeats. */
function ofPackage(name: string, secret: string, expects: number): Contestant {
	const webhookId = randomUUID();
	const headers = (body: string) => ({ 'x-service-signature': sign(Buffer.from(body), secret) });
	const own = { events: ['conversation_processed'], output: 'event' };
	const node = {
		...ownNode('conversationIntelligenceTrigger', 'conversationExportApi', own),
		typeVersion: 1.1,
	};
	return { name, node, webhookId, path: `${webhookId}/conversation`, body: event, headers, expects };
}

function ofWebhook(name: string, path: string, authentication: string, credential?: string): Contestant {
	const node = builtIn('webhook', 2.1, { httpMethod: 'POST', path, authentication }, credential);
	const headers = () => ({ [TOKEN_HEADER]: SIGNING_SECRET });
	return { name, node, webhookId: randomUUID(), path, body: event, headers, expects: 200 };
}

const own = ofPackage('Conversation Intelligence Trigger', SIGNING_SECRET, 200);
const refusals = ofPackage('Conversation Intelligence Trigger, refusals', 'a guess', 401);
/** Checks nothing. */
const webhookNode = ofWebhook("n8n's Webhook node", 'plain', 'none');
/** Like our trigger, it needs a credential in every execution. */
const withAuth = ofWebhook("n8n's Webhook node with Header Auth", 'secured', 'headerAuth', 'httpHeaderAuth');
const slackId = randomUUID();
/** A built-in app trigger that, like ours, checks an HMAC-SHA256 signature and is registered manually. */
const builtInTrigger: Contestant = {
	name: 'Built-in app trigger with a signature',
	node: builtIn('slackTrigger', 1, { trigger: ['any_event'], watchWorkspace: true }, 'slackApi'),
	webhookId: slackId,
	path: `${slackId}/webhook`,
	body: () => {
		const details = processedEvent();
		return JSON.stringify({
			type: 'event_callback',
			event: { type: 'message', channel: 'C1', user: 'U1', details },
		});
	},
	headers(body) {
		const at = String(Math.floor(Date.now() / 1000));
		const digest = createHmac('sha256', SIGNING_SECRET).update(`v0:${at}:${body}`).digest('hex');
		return { 'x-slack-request-timestamp': at, 'x-slack-signature': `v0=${digest}` };
	},
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
	for (const { name, node, webhookId } of contestants) {
		const trigger = workflowNode('Trigger', node.type, node.typeVersion, node.parameters);
		const nodes = inRow(
			{ ...trigger, ...node, webhookId },
			workflowNode('End', 'n8n-nodes-base.noOp', 1, {}),
		);
		await client.publish(await client.importWorkflow({ name, ...nodes, settings: { executionOrder: 'v1' } }));
	}
}

/** The throughput of a load, and its response times: milliseconds from sending to the complete response. */
type Result = Record<'perSecond' | 'p50' | 'p95' | 'p99', number>;

/**
 * Sends deliveries concurrently to one or several n8n, in turn.
 *
 * @throws for an unexpected status, because the numbers would be meaningless
 */
async function drive(
	bases: readonly string[],
	contestant: Contestant,
	deliveries = LOAD.deliveries,
): Promise<Result> {
	const { name, path, expects } = contestant;
	const dispatcher = new Agent({ connections: LOAD.concurrency });
	const times: number[] = [];
	let sent = 0;
	const sendUntilDone = async () => {
		while (sent < deliveries) {
			const url = `${bases[sent++ % bases.length]}/webhook/${path}`;
			const content = contestant.body();
			const headers = { 'content-type': 'application/json', ...contestant.headers?.(content) };
			const from = performance.now();
			const { statusCode, body } = await request(url, { method: 'POST', dispatcher, body: content, headers });
			const text = await body.text();
			times.push(performance.now() - from);
			if (statusCode !== expects)
				throw new Error(`${name} responded with ${statusCode}: ${text.slice(0, 200)}`);
		}
	};
	const from = performance.now();
	try {
		await Promise.all(Array.from({ length: LOAD.concurrency }, sendUntilDone));
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

/** Measures all contestants in one n8n, round by round, after a warm-up of so many deliveries to each. */
async function race(
	name: string,
	variables: Record<string, string>,
	rounds: number,
	warmUp: number,
): Promise<string> {
	const n8n = await startTestN8n({ env: { ...QUIET, ...variables } });
	const results = new Map(CONTESTANTS.map((contestant) => [contestant, [] as Result[]]));
	try {
		await enter(n8n.client, CONTESTANTS);
		for (let round = 0; round <= rounds; round++) {
			// Each round starts with another contestant, so that none always runs in the coldest or fullest n8n.
			for (const at of CONTESTANTS.keys()) {
				const contestant = CONTESTANTS[(at + round) % CONTESTANTS.length];
				const result = await drive([n8n.url], contestant, round === 0 ? warmUp : LOAD.deliveries);
				await idle(n8n.client);
				progress(`round ${round}: ${contestant.name} ${result.perSecond.toFixed(1)} a second`);
				if (round > 0) results.get(contestant)!.push(result);
			}
		}
	} finally {
		await n8n.stop();
	}
	const ratioTo = (base: Contestant, measured: Result[]) => {
		const ratios = measured.map(({ perSecond }, round) => perSecond / results.get(base)![round].perSecond);
		return `${ratio(median(ratios))} (${ratio(Math.min(...ratios))}–${ratio(Math.max(...ratios))})`;
	};
	const lines = [...results].map(([contestant, measured]) => [
		contestant.name,
		...[webhookNode, withAuth].map((base) => ratioTo(base, measured)),
		...cellsOf(measured),
	]);
	return table(`${name}, ${rounds} rounds | ÷ Webhook node | ÷ with Header Auth | ${MEASURED}`, lines);
}

async function inQueueMode(webhookProcesses: 1 | 2, rounds: number): Promise<Result[]> {
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
		return results;
	} finally {
		await queue.stop();
	}
}

const QUIET = { N8N_LOG_LEVEL: 'error' };
const LAZY = { N8N_EXPRESSION_ENGINE_LAZY_ACQUIRE: 'true' };

/** Compares the Conversation Intelligence Trigger with n8n's Webhook node and a built-in trigger. */
export async function compareTriggers(quick: boolean): Promise<string[]> {
	// n8n's default, and creating the expression sandbox only when needed, which takes longer to warm up.
	const byDefault = await race('n8n by default', {}, quick ? 1 : 5, 60);
	const lazy = await race(
		'`N8N_EXPRESSION_ENGINE_LAZY_ACQUIRE=true`',
		LAZY,
		quick ? 1 : 11,
		quick ? 60 : 400,
	);
	const queue = [await inQueueMode(1, quick ? 1 : 5), await inQueueMode(2, quick ? 1 : 5)];
	const perSecond = queue.map((results) => median(results.map((result) => result.perSecond)));
	const lines = queue.map((results, index) => [
		String(index + 1),
		ratio(perSecond[index] / perSecond[0]),
		...cellsOf(results),
	]);
	return [byDefault, lazy, table(`webhook processes in queue mode | ÷ one process | ${MEASURED}`, lines)];
}
