import { readFileSync } from 'node:fs';
import { runInNewContext } from 'node:vm';
import { DateTime } from 'luxon';
import type { INode } from 'n8n-workflow';
import { request } from 'undici';
import { startDoubles } from '../../../harness/examples/doubles';
import { exampleWorkflows } from '../../../harness/workflows';
import { issuesOf, opened } from '../../support/savedNodes';

const examples = exampleWorkflows();

/** Node types that readers can import with only this package installed. */
const KNOWN = /^(n8n-nodes-base|@n8n\/n8n-nodes-langchain|n8n-nodes-conversation-intelligence)\./;

const readme = readFileSync('README.md', 'utf8');

describe.each(examples)('The example $slug', ({ slug, workflow }) => {
	const { nodes, connections } = workflow;
	const ofType = (ending: RegExp) => nodes.filter(({ type }) => ending.test(type));

	test('names no parameter or value that the nodes lack', () => {
		for (const node of ofType(/^n8n-nodes-conversation/)) {
			expect(opened(node, true)).toMatchObject(node.parameters);
			expect([node.name, issuesOf(node)]).toEqual([node.name, []]);
		}
	});

	test('is in the list of the README', () =>
		expect(readme).toContain(`[${workflow.name}](workflows/${slug}.json)`));

	test('contains no credential, only the name that n8n asks for, and neither a webhook ID nor a fixed year', () => {
		for (const { credentials = {}, webhookId, parameters } of nodes) {
			for (const { id } of Object.values(credentials)) expect(id).toBe('');
			// n8n gives each import a path of its own.
			expect(webhookId).toBeUndefined();
			expect(JSON.stringify(parameters)).not.toMatch(/\b20\d\d-/);
		}
		expect(JSON.stringify(workflow)).not.toMatch(/apiKey|password|secretAccessKey|xox[bp]-/i);
	});

	const notes = ofType(/^n8n-nodes-base\.stickyNote$/);
	const contentOf = ({ parameters }: INode) => String(parameters.content);

	test('explains its set-up in numbered steps, which name only nodes and workflows that exist', () => {
		expect(contentOf(notes[0])).toMatch(/^## .+\n.+\n\n1\. .+\n2\. /);
		const named = [
			...notes
				.map(contentOf)
				.join('\n')
				.matchAll(/(?<!\*)\*([^*\n]+)\*(?!\*)/g),
		].map(([, name]) => name);
		const known = [
			...nodes.map(({ name }) => name),
			...examples.map((example) => example.workflow.name),
			'Conversations',
			'Export positions',
		];
		expect(known).toEqual(expect.arrayContaining(named));
	});

	test('has a short note beside each node that is to be edited, which covers no node', () => {
		const [, ...beside] = notes;
		const noted = beside.map(({ name }) => name.replace('Note on ', ''));
		const edited = nodes.filter(({ name }) => /^(?!Note)(Settings|.*\(replace me\))$/.test(name));
		expect(noted).toEqual(expect.arrayContaining(edited.map(({ name }) => name)));
		for (const note of beside) {
			expect(contentOf(note).split(' ').length).toBeLessThanOrEqual(25);
			const { width, height } = note.parameters as Record<string, number>;
			const [left, top] = note.position;
			const covered = nodes.filter(({ type, position: [x, y] }) => {
				const isBeside = x + 96 <= left || x >= left + width || y + 96 <= top || y >= top + height;
				return !type.endsWith('stickyNote') && !isBeside;
			});
			expect(covered).toEqual([]);
		}
	});

	test("sets a tool's own description by hand, or n8n would not give it to the model", () => {
		for (const { parameters } of ofType(/^n8n-nodes-conversation.*Tool$/))
			if ('toolDescription' in parameters) expect(parameters.descriptionType).toBe('manual');
	});

	test('lets an agent write only after a person has approved it, under an ID that the model does not choose', () => {
		for (const { name, parameters } of ofType(/AppointmentsTool$/)) {
			const targets = connections[name].ai_tool.flat().map((target) => target?.node);
			const types = nodes.filter((node) => targets.includes(node.name)).map(({ type }) => type);
			expect(types).toEqual([expect.stringMatching(/HitlTool$/)]);
			const { value } = parameters.columns as { value: Record<string, string> };
			expect(value.event_id).not.toContain('$fromAI');
		}
	});

	test('gives a language model no conversation without a transcript, whose summary it would invent', () => {
		for (const { name, parameters } of ofType(/\.chainLlm$/)) {
			if (!/\.transcript\b/.test(String(parameters.text))) continue;
			const sources = nodes.filter((source) =>
				connections[source.name]?.main?.flat().some((target) => target?.node === name),
			);
			expect(sources.map((source) => source.name)).toEqual(['Has Transcript?']);
		}
	});

	test('starts Try It when a person clicks Execute workflow', () => {
		if (!nodes.some(({ name }) => name === 'Try It')) return;
		// n8n's editor prefers every other trigger that is active, except a chat.
		const active = ofType(/(?<!chat)trigger$/i).filter(({ disabled }) => !disabled);
		expect(active.map(({ name }) => name)).toEqual(['Try It']);
	});

	test('connects only existing nodes, and their names and IDs are unique', () => {
		const names = nodes.map(({ name }) => name);
		expect(new Set(names).size).toBe(names.length);
		expect(new Set(nodes.map(({ id }) => id)).size).toBe(names.length);
		for (const { type } of nodes) expect(type).toMatch(KNOWN);
		for (const [from, outputs] of Object.entries(connections)) {
			const targets = Object.values(outputs).flat(2);
			expect(names).toEqual(expect.arrayContaining([from, ...targets.map((target) => target!.node)]));
		}
	});
});

test('the Monday digest never counts more reps who recorded than reps', () => {
	const { workflow } = examples.find(({ slug }) => slug === 'weekly-team-digest')!;
	const code = String(workflow.nodes.find(({ name }) => name === 'Calculate Figures')!.parameters.jsCode);
	const rep = (isRemoved: boolean, conversationsRecorded: number) => ({
		json: { userId: String(conversationsRecorded), email: 'r@example.com', isRemoved, conversationsRecorded },
	});
	const users = [rep(false, 3), rep(true, 2), rep(true, 0)];
	const $ = (name: string) => ({ all: () => (name === 'Get Reps' ? users : []) });
	const { tiles } = runInNewContext(`(() => {${code}})()`, { $, $now: DateTime.now(), DateTime });
	expect(tiles[1].value).toBe('2 of 2');
});

test('the doubles answer only as this machine, so that no page of another site can rebind its name to them', async () => {
	const doubles = await startDoubles();
	const statusAs = async (host: string) => {
		const url = `${doubles.url}/slack.com/api/conversations.list`;
		const { statusCode, body } = await request(url, { headers: { host } });
		await body.dump();
		return statusCode;
	};
	const hosts = [new URL(doubles.url).host, 'rebound.example', '127.0.0.1.rebound.example'];
	expect(await Promise.all(hosts.map(statusAs))).toEqual([200, 421, 421]);
	await doubles.close();
});
