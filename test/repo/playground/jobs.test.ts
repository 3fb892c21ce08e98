import type { Execution } from '../../../harness/n8n/execution';
import { JOBS } from '../../../playground/jobs';
import { TRIGGER_JOBS } from '../../../playground/triggers';
import { exampleWorkflows } from '../../../harness/workflows';

const examples = exampleWorkflows();

/** An execution of which each named node returned so many items. */
const executionOf = (items: Record<string, object[]>): Execution => ({
	id: '1',
	workflowId: '1',
	status: 'success',
	mode: 'manual',
	startedAt: '2026-03-01T00:00:00.000Z',
	stoppedAt: '2026-03-01T00:00:01.000Z',
	data: {
		resultData: {
			runData: Object.fromEntries(
				Object.entries(items).map(([node, json]) => [
					node,
					[
						{
							data: { main: [json.map((one) => ({ json: { ...one } }))] },
							startTime: 0,
							executionTime: 0,
							executionIndex: 0,
							source: [],
						},
					],
				]),
			),
		},
	},
});
const nothing = () => ({
	execution: executionOf({}),
	doubles: {
		calls: [],
		sheet: [],
		messages: [] as Array<{ channel: string; text: string }>,
		files: new Map<string, Buffer>(),
		mailbox: { port: 0, mails: [], close: async () => {} },
	},
	sandbox: { control: { appointments: () => [] } } as never,
});

describe('How npm start -- --once checks the examples', () => {
	test('runs every example, by hand or by its trigger', () => {
		const run = [...Object.keys(JOBS), ...Object.keys(TRIGGER_JOBS)];
		expect(run.sort()).toEqual(examples.map(({ slug }) => slug).sort());
	});

	test.each(Object.entries(JOBS))('starts %s from one of its own triggers', (slug, { trigger }) => {
		const { workflow } = examples.find((example) => example.slug === slug)!;
		expect(workflow.nodes.map(({ name }) => name)).toContain(trigger);
	});

	test.each(Object.keys(JOBS))('rejects %s when nothing was done', (slug) => {
		expect(JOBS[slug].check(nothing()).isRight).toBe(false);
	});

	test('rejects an archive with a missing file', () => {
		const execution = executionOf({ "Yesterday's Conversations": [{}, {}] });
		const traces = { ...nothing(), execution };
		for (const name of ['a.wav', 'a.json', 'b.wav']) traces.doubles.files.set(name, Buffer.of());
		expect(JOBS['archive-recordings'].check(traces)).toEqual({
			did: '3 files of 2 conversations',
			isRight: false,
		});
		traces.doubles.files.set('b.json', Buffer.of());
		expect(JOBS['archive-recordings'].check(traces).isRight).toBe(true);
	});
});
