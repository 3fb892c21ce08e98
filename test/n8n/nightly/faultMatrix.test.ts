import { readFileSync, writeFileSync } from 'node:fs';
import pLimit from 'p-limit';
import { sendAppointment, appointment, matchConversation } from '../../../harness/sendAppointment';
import { startSandbox } from '../../../sandbox';
import { CREDENTIALS, nodeWorkflow } from '../../support/exportWorkflow';
import { N8N_START_LIMIT_MS, startTestN8n, type TestN8n } from '../../support/n8n';
import * as page from './faultsPage';
import { faults, NO_FAULT, operations, type Fault, type Operation } from './faultsPage';

const MAX_AT_ONCE = 30;
/** Most requests are retried until they are given up. */
const LIMIT_MS = N8N_START_LIMIT_MS + 30 * 60_000;
const SANDBOX = { conversations: 60, awaitingUpload: 3, errored: 2 };

const nameOf = (fault: Fault, operation: Operation) => `${fault.title}, ${operation.title}`;

describe('every operation in a real n8n under every fault', () => {
	let n8n: TestN8n;
	const outcomes = new Map<string, page.Outcome>();
	/** Where the fault did not strike. */
	const missed: string[] = [];

	/** Runs one operation on a service of its own. */
	async function runCell(
		{ strike, once, origin, ...fault }: Fault,
		operation: Operation,
		prepare: <T>(work: () => Promise<T>) => Promise<T>,
	): Promise<void> {
		const { path } = operation;
		const name = nameOf(fault, operation);
		const sandbox = await startSandbox(SANDBOX);
		try {
			for (const [number, event_id] of ['visit-1', 'visit-3'].entries())
				await sendAppointment(sandbox, appointment(sandbox, number, { event_id }));
			const [conversation] = sandbox.control.conversationIds(0, 1);
			const rep = sandbox.control.users().find(({ records }) => records)!.email;
			// What Match Conversation sets, so that the operation changes nothing that others read.
			await matchConversation(sandbox, 'visit-1', conversation);
			if (strike) sandbox.faults.add({ ...strike, path, ...(once && { times: 1 }) });
			const isMedia = !/^\/(data|crm)\//.test(path);
			const links = { audioUrl: `${origin}/audio.wav`, transcriptUrl: `${origin}/transcript.json` };
			if (isMedia && origin) sandbox.faults.add({ kind: 'changedRow', path: '/data', fields: links });
			const id = await prepare(async () => {
				const room = operation.node === 'conversationIntelligence' ? 'data' : 'crm';
				const baseUrl = `${(!isMedia && origin) || sandbox.url}/${room}`;
				const credential = { baseUrl, apiKey: sandbox.keys.organization };
				await n8n.client.saveCredential(CREDENTIALS[operation.node], credential, name);
				const text = JSON.stringify(operation.parameters).replaceAll('{rep}', rep);
				const parameters = JSON.parse(text.replaceAll('{conversation}', conversation));
				const workflow = nodeWorkflow(operation.node, parameters, { onError: 'continueErrorOutput' });
				return await n8n.client.importWorkflow({ ...workflow, name });
			});
			outcomes.set(name, page.outcomeOf(await n8n.client.run(id, { lookEveryMs: 1000 })));
			if (strike && !sandbox.faults.list()[0].struck) missed.push(name);
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
	}, LIMIT_MS);
	afterAll(async () => await n8n?.stop(), 60_000);

	test('ends as docs/reference/faults.md says', () => {
		const outcome = (fault: Fault, operation: Operation) => outcomes.get(nameOf(fault, operation))!;
		const text = `${page.faultPage(outcome)}${page.longRunOf()}`;
		if (process.env.UPDATE_DOCS) writeFileSync(page.PAGE, text);
		expect(missed).toEqual([]);
		for (const operation of operations) expect(outcome(NO_FAULT, operation).output).not.toEqual([]);
		expect(text).toBe(readFileSync(page.PAGE, 'utf8'));
	});
});
