import { setTimeout as delay } from 'node:timers/promises';
import { SIGNING_SECRET } from '../../harness/credentials';
import { itemsOf } from '../../harness/n8n/execution';
import { delivery, processedEvent } from '../../harness/webhook/deliveries';
import { APPOINTMENT_FIELDS } from '../../nodes/ConversationIntelligenceAppointments/mapping/fields';
import { mappedByHand } from '../support/columns';
import { exportWorkflow, fedWorkflow, NODE, nodeWorkflow } from '../support/exportWorkflow';
import { N8N_START_LIMIT_MS } from '../support/n8n';
import { startTestbed, type Testbed } from '../support/testbed';
import { publish, webhookWorkflow } from '../support/triggerWorkflows';

/** Anyone who uses this n8n waits no longer for a response. */
const LIMIT_MS = 500;

/** Runs of a text, each of which held n8n for seconds in some field. */
const UNITS = ['1', ' ', '2026 ', '[]', '/', 'http://a', 'x-amz-', 'a@a.'];

describe('Long texts in a real n8n', () => {
	let testbed: Testbed;
	let n8n: Testbed['n8n'];

	beforeAll(async () => ({ n8n } = testbed = await startTestbed()), N8N_START_LIMIT_MS);
	afterAll(async () => await testbed?.stop(), 60_000);

	/** The slowest response of /healthz while something runs, in milliseconds; again if other programs slowed it. */
	async function slowestWhile(run: () => Promise<unknown>): Promise<number> {
		let slowest = Infinity;
		for (let tries = 0; tries < 3 && slowest >= LIMIT_MS; tries++) slowest = await slowestOnce(run);
		return slowest;
	}

	async function slowestOnce(run: () => Promise<unknown>): Promise<number> {
		let slowest = 0;
		let isRunning = true;
		const watching = (async () => {
			while (isRunning) {
				const asked = performance.now();
				await (await fetch(`${n8n.url}/healthz`)).text();
				slowest = Math.max(slowest, performance.now() - asked);
				await delay(10);
			}
		})();
		await run().finally(() => (isRunning = false));
		await watching;
		return slowest;
	}

	test('60 kB in any field of Create or Update are refused or sent without holding n8n', async () => {
		const rows = APPOINTMENT_FIELDS.flatMap(({ id: field }) => UNITS.map((unit) => ({ field, unit })));
		const longText = '$json.unit.repeat(60000 / $json.unit.length) + "x"';
		const values = APPOINTMENT_FIELDS.map(({ id }) => [
			id,
			`={{ $json.field === '${id}' ? ${longText} : ${id === 'event_id' ? '$itemIndex' : "''"} }}`,
		]);
		const parameters = {
			resource: 'appointment',
			operation: 'upsert',
			columns: mappedByHand(Object.fromEntries(values)),
		};
		const workflow = nodeWorkflow('conversationIntelligenceAppointments', parameters, {
			onError: 'continueRegularOutput',
		});
		const id = await n8n.client.importWorkflow(fedWorkflow(rows, workflow));
		let errors: string[] = [];
		const slowest = await slowestWhile(async () => {
			const items = itemsOf(await n8n.client.run(id), NODE);
			errors = items.map(({ json }) => JSON.stringify(json));
		});
		expect(errors).toHaveLength(rows.length);
		expect(errors.join('\n')).toMatch(/Price is too long: 60,001 characters, at most 1,000/);
		expect(slowest).toBeLessThan(LIMIT_MS);
	}, 300_000);

	test.each(['fromDate', 'toDate'])(
		'60 kB in %s of a date range do not hold n8n',
		async (field) => {
			for (const unit of ['1', '2026 ', '[]', ' ']) {
				const text = `={{ '2026-01-01' + '${unit}'.repeat(60000 / ${unit.length}) + 'x' }}`;
				const id = await n8n.client.importWorkflow(exportWorkflow({ [field]: text }));
				const slowest = await slowestWhile(async () => {
					const { data } = await n8n.client.run(id);
					expect(data?.resultData.error?.message).toMatch(/Date is too long: 60,011 characters/);
				});
				expect(slowest).toBeLessThan(LIMIT_MS);
			}
		},
		300_000,
	);

	// The last row, because it saves a credential without a secret.
	test.each([
		['signed', SIGNING_SECRET, 0, 200],
		['unsigned', undefined, 0, 401],
		['deeply nested', SIGNING_SECRET, 2600, 422],
		['allowed without a signature', undefined, 0, 200],
	])(
		'200 kB as the event type of a delivery do not hold n8n: %s',
		async (kind, secret, levels, status) => {
			const allowUnsigned = kind.startsWith('allowed');
			if (allowUnsigned) {
				const fields = { baseUrl: testbed.sandbox.exportUrl, apiKey: testbed.sandbox.keys.organization };
				await n8n.client.saveCredential(
					'conversationExportApi',
					{ ...fields, signingSecret: '' },
					'unsigned',
				);
			}
			const { path, file } = webhookWorkflow({ options: { allowUnsigned } });
			await publish(n8n.client, file);
			for (const unit of ['http://a', 'x-amz-', '[', ' ']) {
				const event_type = unit.repeat(200_000 / unit.length);
				const deep = `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`;
				const text = JSON.stringify({ ...processedEvent(), event_type, deep: 'HERE' });
				const { headers, body } = delivery(Buffer.from(text.replace('"HERE"', deep)), secret);
				const slowest = await slowestWhile(async () => {
					const response = await fetch(`${n8n.url}/webhook/${path}`, { method: 'POST', headers, body });
					expect(response.status).toBe(status);
				});
				expect(slowest).toBeLessThan(LIMIT_MS);
			}
		},
		120_000,
	);
});
