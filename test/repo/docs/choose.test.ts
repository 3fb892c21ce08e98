import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const read = (page: string) => readFileSync(join(__dirname, '../../../docs', page), 'utf8');
const parameters = read('reference/parameters.md');
const [table] = read('choose.md').split('\n\nEach operation');
const rows = table
	.split('\n')
	.slice(4)
	.map((line) => line.split('|').map((cell) => cell.trim()));

test.each(rows)(
	'the panel has what choose.md names for: I want %s%s',
	(_, _job, node, operation, setting) => {
		const labels = [...setting.matchAll(/\*\*[^*]+\*\*/g)].map(([label]) => label);
		expect(labels).not.toEqual([]);
		const named = [`## ${node}\n`, ...(operation ? [`**${operation}**`] : []), ...labels];
		expect(named.filter((name) => !parameters.includes(name))).toEqual([]);
	},
);

test.each(['conversation-intelligence-trigger.md', 'conversation-intelligence-poll-trigger.md'])(
	'the diagram of %s is one that Mermaid reads',
	(page) => {
		const [, diagram] = /```mermaid\nsequenceDiagram\n([^]+?)\n```/.exec(read(page))!;
		const lines = diagram.split('\n').map((line) => line.trim());
		const names = lines.flatMap((line) => /^participant (\w+)( as [^:;#]+)?$/.exec(line)?.[1] ?? []);
		const messages = lines.flatMap((line) => {
			const [, from, to] = /^(\w+)-?->>(\w+): [^:;#]+$/.exec(line) ?? [];
			return from ? [from, to] : [];
		});
		expect(names).toEqual(expect.arrayContaining(messages));
		expect(messages.length / 2 + names.length).toBe(
			lines.filter((line) => !/^(alt|else|end)\b/.test(line)).length,
		);
		expect(lines.filter((line) => line === 'end')).toHaveLength(lines.filter((l) => /^alt /.test(l)).length);
	},
);
