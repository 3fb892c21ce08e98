import { readFileSync, writeFileSync } from 'node:fs';
import pLimit from 'p-limit';
import { request } from 'undici';
import { sendAppointment, appointment } from '../../../harness/sendAppointment';
import { startSandbox, type Sandbox } from '../../../sandbox';
import { CREDENTIALS, NODE, nodeWorkflow } from '../../support/exportWorkflow';
import { N8N_START_LIMIT_MS, startTestN8n, type TestN8n } from '../../support/n8n';
import { FaultProxy } from './faultProxy';
import { expectedOf, faults, type Fault } from './faults';
import { EVENT_ID, operations, type Operation } from './operations';
import { faultPage } from './faultPage';
import { outcomeOf, type Outcome } from './outcome';

const MAX_AT_ONCE = 30;
const SANDBOX = { conversations: 60, awaitingUpload: 3, errored: 2 };

const nameOf = (fault: Fault, operation: Operation) => `${fault.title}, ${operation.title}`;

const PAGE = 'docs/faults.md';

/** Creates the link that Match Conversation sets, so that the operation changes nothing that others read. */
async function matchFirst({ crmUrl, keys, control }: Sandbox): Promise<void> {
	const { statusCode, body } = await request(`${crmUrl}/custom/appointment/match`, {
		method: 'POST',
		headers: { 'x-api-key': keys.organization, 'content-type': 'application/json' },
		body: JSON.stringify({ event_id: EVENT_ID, conversation_id: control.conversationIds(0, 1)[0] }),
	});
	await body.dump();
	expect(statusCode).toBe(200);
}

describe('every operation in a real n8n under every fault', () => {
	let n8n: TestN8n;
	const outcomes = new Map<string, Outcome>();

	/** Runs one operation through its own proxy. */
	async function runCell(
		fault: Fault,
		operation: Operation,
		sandbox: Sandbox,
		prepare: <T>(work: () => Promise<T>) => Promise<T>,
	): Promise<void> {
		const isMedia = !/^\/(data|crm)\//.test(operation.path);
		const proxy = await FaultProxy.start({
			service: sandbox,
			path: operation.path,
			strike: fault.strike,
			once: fault.once ?? false,
			linkOrigin: isMedia ? fault.origin : undefined,
		});
		try {
			const origin = (!isMedia && fault.origin) || proxy.url;
			const name = nameOf(fault, operation);
			const id = await prepare(async () => {
				const room = operation.node === 'conversationIntelligence' ? 'data' : 'crm';
				await n8n.client.saveCredential(
					CREDENTIALS[operation.node],
					{ baseUrl: `${origin}/${room}`, apiKey: sandbox.keys.organization },
					name,
				);
				const workflow = nodeWorkflow(operation.node, operation.parameters(sandbox), {
					onError: 'continueErrorOutput',
				});
				return await n8n.client.importWorkflow({ ...workflow, name });
			});
			const execution = await n8n.client.run(id, { lookEveryMs: 1000 });
			outcomes.set(name, outcomeOf(execution, NODE, proxy.requests));
		} finally {
			await proxy.close();
		}
	}

	beforeAll(async () => {
		n8n = await startTestN8n();
		const limit = pLimit(MAX_AT_ONCE);
		// A workflow uses the credential that was saved last.
		const prepare = pLimit(1);
		await Promise.all(
			faults.map(async (fault) => {
				const sandbox = await startSandbox(SANDBOX);
				try {
					for (const [number, event_id] of [EVENT_ID, 'visit-3'].entries())
						await sendAppointment(sandbox, appointment(sandbox, number, { event_id }));
					await matchFirst(sandbox);
					await Promise.all(
						operations.map((operation) =>
							limit(async () => await runCell(fault, operation, sandbox, prepare)),
						),
					);
				} finally {
					await sandbox.close();
				}
			}),
		);
	}, N8N_START_LIMIT_MS);
	afterAll(async () => await n8n?.stop(), 60_000);

	const outcome = (fault: Fault, operation: Operation) => outcomes.get(nameOf(fault, operation))!;

	test.each(faults)('$title ends in the stated result for each operation', (fault) => {
		for (const operation of operations) {
			const { output, refused, hints } = outcome(fault, operation);
			const expected = expectedOf(fault, operation.kind);
			const seen = { operation: operation.title, output, refused, hints };
			if (expected === 'same') {
				const usual = outcome(faults[0], operation);
				expect(seen).toEqual({ ...seen, output: usual.output, refused: [], hints: usual.hints });
			} else if ('refused' in expected) {
				expect(seen).toEqual({ ...seen, output: [], refused: [expect.stringMatching(expected.refused)] });
			} else if ('hint' in expected) {
				expect(seen).toEqual({ ...seen, refused: [] });
				expect(hints.join(' ')).toMatch(expected.hint);
			} else {
				expect(seen).toEqual({ ...seen, refused: [] });
				expect(JSON.stringify(output)).toMatch(expected.output);
			}
		}
	});

	test('without a fault, every operation outputs items', () => {
		for (const operation of operations) expect(outcome(faults[0], operation).output).not.toEqual([]);
	});

	test('docs/faults.md shows these results', () => {
		const page = faultPage((fault, operation) => outcome(fault, operation));
		if (process.env.UPDATE_DOCS) writeFileSync(PAGE, page);
		expect(readFileSync(PAGE, 'utf8')).toBe(page);
	});
});
