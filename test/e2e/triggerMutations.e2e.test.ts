import pLimit from 'p-limit';
import { Agent, request } from 'undici';
import { mutations, type Mutation } from '../support/mutations';
import { N8N_START_LIMIT_MS, progress, startTestN8n, type TestN8n } from '../support/n8n';
import { publish, webhookWorkflow } from '../support/triggerWorkflows';

const COUNT = Number(process.env.MUTATIONS ?? 20_000);
const SEED = Number(process.env.SEED ?? 20_260_302);
const SECRETS = { current: 'the current secret', previous: 'the previous secret' };

describe(`${COUNT} mutated deliveries to a real n8n (seed ${SEED})`, () => {
	let n8n: TestN8n;
	const dispatcher = new Agent({ connections: 50 });

	beforeAll(async () => {
		// One log line per refusal is asked for, but 17,000 of them are not. The expression sandbox is not on trial here.
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
		const answer = await request(url, { method: 'POST', body, headers, dispatcher });
		return { status: answer.statusCode, said: await answer.body.text() };
	}

	test('none is taken that should not be, none refused that should be taken, none starts in vain', async () => {
		const { path, file } = webhookWorkflow();
		const workflowId = await publish(n8n.client, file);
		const url = `${n8n.url}/webhook/${path}`;
		const deliveries = mutations(COUNT, SEED, SECRETS);
		const accepted = deliveries.filter(({ accept }) => accept);
		progress(`Sending ${deliveries.length} deliveries, ${accepted.length} of which must be taken`);

		const wrong: Record<string, string> = {};
		const lanes = pLimit(50);
		await Promise.all(
			deliveries.map((delivery) =>
				lanes(async () => {
					const { status, said } = await send(url, delivery);
					const taken = status === 200 && said === '{"status":"accepted"}';
					const refused = status >= 400;
					if (delivery.accept ? !taken : !refused) wrong[delivery.kind] ??= `${status} ${said.slice(0, 200)}`;
				}),
			),
		);
		expect(wrong).toEqual({});

		progress('Waiting for the executions');
		const executions = await n8n.client.settled(workflowId, accepted.length);
		expect(executions).toEqual({ success: accepted.length });
		expect((await fetch(`${n8n.url}/healthz/readiness`)).ok).toBe(true);
		expect(n8n.log).not.toContain(SECRETS.current);
	}, 1_200_000);
});
