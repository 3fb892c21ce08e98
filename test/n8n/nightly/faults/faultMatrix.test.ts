import { readFileSync, writeFileSync } from 'node:fs';
import pLimit from 'p-limit';
import { sendAppointment, appointment } from '../../../../harness/sendAppointment';
import { startSandbox } from '../../../../sandbox';
import { CREDENTIALS, NODE, nodeWorkflow } from '../../../support/exportWorkflow';
import { matchConversation } from '../../../support/matchConversation';
import { N8N_START_LIMIT_MS, startTestN8n, type TestN8n } from '../../../support/n8n';
import { expectedOf, faults, type Fault } from './faults';
import { EVENT_ID, operations, type Operation } from './operations';
import { faultPage } from './faultPage';
import { outcomeOf, type Outcome } from './outcome';

const MAX_AT_ONCE = 30;
const SANDBOX = { conversations: 60, awaitingUpload: 3, errored: 2 };

const nameOf = (fault: Fault, operation: Operation) => `${fault.title}, ${operation.title}`;

const PAGE = 'docs/reference/faults.md';

describe('every operation in a real n8n under every fault', () => {
	let n8n: TestN8n;
	const outcomes = new Map<string, Outcome>();

	/** Runs one operation on a service of its own. */
	async function runCell(
		fault: Fault,
		operation: Operation,
		prepare: <T>(work: () => Promise<T>) => Promise<T>,
	): Promise<void> {
		const { path } = operation;
		const { strike, once, origin } = fault;
		const sandbox = await startSandbox(SANDBOX);
		try {
			for (const [number, event_id] of [EVENT_ID, 'visit-3'].entries())
				await sendAppointment(sandbox, appointment(sandbox, number, { event_id }));
			// What Match Conversation sets, so that the operation changes nothing that others read.
			await matchConversation(sandbox, EVENT_ID, sandbox.control.conversationIds(0, 1)[0]);
			if (strike) sandbox.faults.add({ ...strike, path, ...(once && { times: 1 }) });
			const isMedia = !/^\/(data|crm)\//.test(path);
			const links = { audioUrl: `${origin}/audio.wav`, transcriptUrl: `${origin}/transcript.json` };
			if (isMedia && origin) sandbox.faults.add({ kind: 'changedRow', path: '/data', fields: links });
			const name = nameOf(fault, operation);
			const id = await prepare(async () => {
				const room = operation.node === 'conversationIntelligence' ? 'data' : 'crm';
				const baseUrl = `${(!isMedia && origin) || sandbox.url}/${room}`;
				const credential = { baseUrl, apiKey: sandbox.keys.organization };
				await n8n.client.saveCredential(CREDENTIALS[operation.node], credential, name);
				const workflow = nodeWorkflow(operation.node, operation.parameters(sandbox), {
					onError: 'continueErrorOutput',
				});
				return await n8n.client.importWorkflow({ ...workflow, name });
			});
			const execution = await n8n.client.run(id, { lookEveryMs: 1000 });
			outcomes.set(name, outcomeOf(execution, NODE, sandbox.faults.list()[0]?.struck));
		} finally {
			await sandbox.close();
		}
	}

	beforeAll(async () => {
		n8n = await startTestN8n();
		const limit = pLimit(MAX_AT_ONCE);
		// A workflow uses the credential that was saved last.
		const prepare = pLimit(1);
		await Promise.all(
			faults.flatMap((fault) =>
				operations.map((operation) => limit(async () => await runCell(fault, operation, prepare))),
			),
		);
	}, N8N_START_LIMIT_MS);
	afterAll(async () => await n8n?.stop(), 60_000);

	const outcome = (fault: Fault, operation: Operation) => outcomes.get(nameOf(fault, operation))!;

	test.each(faults)('$title ends in the stated result for each operation', (fault) => {
		for (const operation of operations) {
			const { output, refused, hints, struck } = outcome(fault, operation);
			const expected = expectedOf(fault, operation.kind);
			const seen = { operation: operation.title, output, refused, hints };
			expect({ ...seen, isMissed: fault.strike !== undefined && !struck }).toEqual({
				...seen,
				isMissed: false,
			});
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

	test('docs/reference/faults.md shows these results', () => {
		const page = faultPage((fault, operation) => outcome(fault, operation));
		if (process.env.UPDATE_DOCS) writeFileSync(PAGE, page);
		expect(readFileSync(PAGE, 'utf8')).toBe(page);
	});
});
