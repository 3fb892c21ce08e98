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
	'each line of the diagram of %s is one that Mermaid reads',
	(page) => {
		const [, diagram] = /```mermaid\nsequenceDiagram\n([^]+?)\n```/.exec(read(page))!;
		const names = [...diagram.matchAll(/participant (\w+)/g)].map(([, name]) => name).join('|');
		const line = `participant \\w+( as [^:;#]+)?|(${names})-?->>(${names}): [^:;#]+|(alt|else) [^:;#]+|end`;
		expect(diagram.split('\n').filter((text) => !new RegExp(`^\\s*(${line})$`).test(text))).toEqual([]);
	},
);
