import pLimit from 'p-limit';
import { Agent, request } from 'undici';
import { mutations, type Mutation } from '../support/mutations';
import { N8N_START_LIMIT_MS, progress, startTestN8n, type TestN8n } from '../support/n8n';
import { publish, webhookWorkflow } from '../support/triggerWorkflows';

const COUNT = Number(process.env.MUTATIONS ?? 5000);
const SEED = Number(process.env.SEED ?? 20_260_302);
/** n8n decompresses a body before the trigger sees it, and responses 400 or 500 if that fails. */
const UNPACKED_BY_N8N = ['broken gzip', 'a plain body declared as gzip'];
const SECRETS = { current: 'the current secret', previous: 'the previous secret' };

describe(`${COUNT} mutated deliveries to a real n8n (seed ${SEED})`, () => {
	let n8n: TestN8n;
	const dispatcher = new Agent({ connections: 50 });

	beforeAll(async () => {
		// Avoids thousands of log lines and an expression sandbox per delivery.
		const env = { N8N_LOG_LEVEL: 'error', N8N_EXPRESSION_ENGINE_LAZY_ACQUIRE: 'true' };
		n8n = await startTestN8n({ env });
		await n8n.client.saveCredential('conversationExportApi', {
			baseUrl: 'http://127.0.0.1:9/data',
			apiKey: 'key',
			signingSecret: SECRETS.current,
			previousSigningSecret: SECRETS.previous,
			receiverHeaderName: '',
			receiverHeaderSecret: '',
		});
	}, N8N_START_LIMIT_MS);
	afterAll(async () => {
		await dispatcher.close();
		await n8n?.stop();
	}, 60_000);

	async function send(url: string, { body, headers }: Mutation): Promise<{ status: number; said: string }> {
		const response = await request(url, { method: 'POST', body, headers, dispatcher });
		return { status: response.statusCode, said: await response.body.text() };
	}

	test('accepts exactly the valid ones, rejects the others, and starts one execution for each accepted one', async () => {
		const { path, file } = webhookWorkflow();
		const workflowId = await publish(n8n.client, file);
		const url = `${n8n.url}/webhook/${path}`;
		const deliveries = mutations(COUNT, SEED, SECRETS);
		const valid = deliveries.filter(({ accept }) => accept);
		progress(`Sending ${deliveries.length} deliveries, ${valid.length} of them valid`);

		const wrong: Record<string, string> = {};
		const limit = pLimit(50);
		await Promise.all(
			deliveries.map((delivery) =>
				limit(async () => {
					const { status, said } = await send(url, delivery);
					const accepted = status === 200 && said === '{"status":"accepted"}';
					const refused = UNPACKED_BY_N8N.includes(delivery.kind)
						? [400, 401, 500].includes(status)
						: [400, 401, 422].includes(status);
					if (delivery.accept ? !accepted : !refused)
						wrong[delivery.kind] ??= `${status} ${said.slice(0, 200)}`;
				}),
			),
		);
		expect(wrong).toEqual({});

		progress('Waiting for the executions');
		const executions = await n8n.client.waitForAll(workflowId, valid.length);
		expect(executions).toEqual({ success: valid.length });
		expect((await fetch(`${n8n.url}/healthz/readiness`)).ok).toBe(true);
		expect(n8n.log).not.toContain(SECRETS.current);
	}, 1_200_000);
});
