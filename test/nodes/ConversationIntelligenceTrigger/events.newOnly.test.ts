import type { IDataObject, IExecuteFunctions, NodeExecutionHint } from 'n8n-workflow';
import { runEvents } from '../../../nodes/ConversationIntelligenceTrigger/events';
import { processedEvent } from '../../../harness/webhook/deliveries';

/** An execution of one event with First Version Only, and n8n's own record of what the trigger has processed. */
function execution(
	record: (ids: string[]) => Promise<string[]>,
	{ id = 'c1', node = 'node', workflow = 'workflow', mode = 'webhook' } = {},
) {
	const logged: unknown[] = [];
	const parameters: IDataObject = { output: 'event', options: { deliver: 'new' } };
	const context = {
		getInputData: () => [{ json: processedEvent(id) }],
		getMode: () => mode,
		getNode: () => ({ id: node, name: 'Trigger', parameters: {} }),
		getNodeParameter: (name: string, _index: number, fallback: unknown) => parameters[name] ?? fallback,
		getWorkflow: () => ({ id: workflow, name: 'Workflow' }),
		continueOnFail: () => false,
		addExecutionHints: ({ message }: NodeExecutionHint) => void logged.push(message),
		logger: {
			warn: (...line: unknown[]) => void logged.push(line),
			info: (line: string) => void logged.push(line),
		},
		helpers: {
			checkProcessedAndRecord: async (ids: string[], scope: string, options: object) => {
				expect([scope, options]).toEqual(['node', { mode: 'entries', maxEntries: 10_000 }]);
				return { new: [], processed: await record(ids) };
			},
		},
	};
	const run = async () => (await runEvents(context as unknown as IExecuteFunctions))[0].length;
	return { run, logged };
}

test('leaves out what n8n says was processed before, but not while the editor listens', async () => {
	const known = async (ids: string[]) => await Promise.resolve(ids.filter((id) => id === 'c1'));
	const { run, logged } = execution(known);
	expect(await run()).toBe(0);
	const why = 'Deliver is First Version Only, this conversation was delivered before';
	expect(logged).toEqual([
		`Workflow: Trigger: returned nothing for c1: ${why}`,
		`Nothing is returned: ${why}.`,
	]);
	expect(await execution(known, { id: 'c2' }).run()).toBe(1);
	expect(await execution(known, { mode: 'manual' }).run()).toBe(1);
});

test('asks n8n once at a time for each trigger, because its record is not locked', async () => {
	const recorded = new Set<string>();
	let open = 0;
	let most = 0;
	const record = async ([id]: string[]) => {
		most = Math.max(most, ++open);
		const processed = recorded.has(id) ? [id] : [];
		await new Promise(setImmediate);
		recorded.add(id);
		open--;
		return processed;
	};
	const run = async (...[options]: [object?]) => await execution(record, options).run();
	expect(await Promise.all([run(), run(), run()])).toEqual([1, 0, 0]);
	expect(most).toBe(1);
	await Promise.all([run(), run({ node: 'another' }), run({ workflow: 'another' })]);
	expect(most).toBe(3);
});

test('delivers when n8n cannot say it, and logs that with workflow, node and conversation', async () => {
	const fails = async () => await Promise.reject(new Error('database is locked'));
	const { run, logged } = execution(fails);
	expect(await run()).toBe(1);
	const line = 'Workflow: Trigger: cannot tell whether c1 was delivered before: database is locked';
	expect(logged).toEqual([[line, { workflowId: 'workflow', nodeId: 'node', nodeName: 'Trigger' }]]);
	expect(await execution(async () => await Promise.resolve(['c1'])).run()).toBe(0);
});
