import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { runInNewContext } from 'node:vm';
import { DateTime } from 'luxon';
import { PACKAGE_FOLDER } from '../../../harness/n8n/package';
import { exampleWorkflows } from '../../../harness/workflows';

const read = (path: string) => readFileSync(join(PACKAGE_FOLDER, path), 'utf8');
const examples = exampleWorkflows();
const STICKY = 'n8n-nodes-base.stickyNote';

/** Node types that readers can import with only this package installed. */
const KNOWN = /^(n8n-nodes-base|@n8n\/n8n-nodes-langchain|n8n-nodes-conversation-intelligence)\./;

describe.each(examples)('The example $slug', ({ slug, workflow }) => {
	test('contains no credential, only the name that n8n asks for, and neither a webhook ID nor a fixed year', () => {
		for (const { credentials = {}, webhookId, parameters } of workflow.nodes) {
			for (const { id } of Object.values(credentials)) expect(id).toBe('');
			// n8n gives each import a path of its own.
			expect(webhookId).toBeUndefined();
			expect(JSON.stringify(parameters)).not.toMatch(/\b20\d\d-/);
		}
		expect(read(`workflows/${slug}.json`)).not.toMatch(/apiKey|password|secretAccessKey|xox[bp]-/i);
	});

	test('explains its set-up in numbered steps, which name only nodes and workflows that exist', () => {
		const notes = workflow.nodes.filter(({ type }) => type === STICKY);
		expect(notes).toHaveLength(1);
		const content = String(notes[0].parameters.content);
		expect(content).toMatch(/^## .+\n.+\n\n1\. .+\n2\. /);
		const named = [...content.matchAll(/(?<!\*)\*([^*\n]+)\*(?!\*)/g)].map(([, name]) => name);
		const known = [
			...workflow.nodes.map(({ name }) => name),
			...examples.map((example) => example.workflow.name),
			'Conversations',
			'Export positions',
		];
		expect(known).toEqual(expect.arrayContaining(named));
	});

	test("sets a tool's own description by hand, or n8n would not give it to the model", () => {
		const tools = workflow.nodes.filter(({ type }) => /^n8n-nodes-conversation.*Tool$/.test(type));
		for (const { parameters } of tools)
			if ('toolDescription' in parameters) expect(parameters.descriptionType).toBe('manual');
	});

	test('lets an agent write only after a person has approved it, under an ID that the model does not choose', () => {
		const writers = workflow.nodes.filter(({ type }) => type.endsWith('AppointmentsTool'));
		for (const { name, parameters } of writers) {
			const targets = workflow.connections[name].ai_tool.flat().map((target) => target?.node);
			const types = workflow.nodes.filter((node) => targets.includes(node.name)).map(({ type }) => type);
			expect(types).toEqual([expect.stringMatching(/HitlTool$/)]);
			const { value } = parameters.columns as { value: Record<string, string> };
			expect(value.event_id).not.toContain('$fromAI');
		}
	});

	test('gives a language model no conversation without a transcript, whose summary it would invent', () => {
		const readers = workflow.nodes.filter(
			({ type, parameters }) => /\.chainLlm$/.test(type) && /\.transcript\b/.test(String(parameters.text)),
		);
		for (const { name } of readers) {
			const sources = workflow.nodes.filter((source) =>
				workflow.connections[source.name]?.main?.flat().some((target) => target?.node === name),
			);
			expect(sources.map((source) => source.name)).toEqual(['Has Transcript']);
		}
	});

	test('starts Try It when a person clicks Execute workflow', () => {
		const { nodes } = workflow;
		if (!nodes.some(({ name }) => name === 'Try It')) return;
		// n8n's editor prefers every other trigger that is active, except a chat.
		const active = nodes.filter(({ type, disabled }) => /trigger$/i.test(type) && !disabled);
		const others = active.filter(({ type }) => !/chatTrigger$/.test(type));
		expect(others.map(({ name }) => name)).toEqual(['Try It']);
	});

	test('connects only existing nodes, and their names and IDs are unique', () => {
		const names = workflow.nodes.map(({ name }) => name);
		expect(new Set(names).size).toBe(names.length);
		expect(new Set(workflow.nodes.map(({ id }) => id)).size).toBe(names.length);
		for (const { type } of workflow.nodes) expect(type).toMatch(KNOWN);
		for (const [from, outputs] of Object.entries(workflow.connections)) {
			const targets = Object.values(outputs).flat(2);
			expect(names).toEqual(expect.arrayContaining([from, ...targets.map((target) => target!.node)]));
		}
	});
});

test('the Monday digest never counts more reps who recorded than reps', () => {
	const { workflow } = examples.find(({ slug }) => slug === 'weekly-team-digest')!;
	const code = String(workflow.nodes.find(({ name }) => name === 'Figures')!.parameters.jsCode);
	const rep = (isRemoved: boolean, conversationsRecorded: number) => ({
		json: { userId: String(conversationsRecorded), email: 'r@example.com', isRemoved, conversationsRecorded },
	});
	const users = [rep(false, 3), rep(true, 2), rep(true, 0)];
	const $ = (name: string) => ({ all: () => (name === 'Reps' ? users : []) });
	const { tiles } = runInNewContext(`(() => {${code}})()`, { $, $now: DateTime.now(), DateTime });
	expect(tiles[1].value).toBe('2 of 2');
});
