/** What the pages quote: the figures of benchmarks, and between `<!--list:examples-->` and `<!--/list-->` lists of nodes and examples. */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import type { INodeProperties, INodePropertyOptions, INodeTypeDescription } from 'n8n-workflow';
import { format, getFileInfo, resolveConfig } from 'prettier';
import { exampleWorkflows } from '../harness/workflows';
import { SHAPES } from '../nodes/ConversationIntelligenceAppointments/mapping/attendees';
import { SIMPLIFIED_CONVERSATION } from '../nodes/shared/exportApi/rows';
import { errors } from './errorTables';
import { withFigures } from './figures';
import { table } from '../bench/figures';
import { NODES, parameters } from './parametersPage';
import { statements } from './tables';

const ROOT = join(__dirname, '..');
const LIST = /(<!--list:([\w-]+)-->)[^]*?(<!--\/list-->)/g;

/** The operations of a node, as its panel names and describes them. */
function operations({ properties }: INodeTypeDescription): string[][] {
	return properties
		.filter(({ name }) => name === 'operation')
		.flatMap(({ displayOptions, options }) =>
			(options as INodePropertyOptions[]).map(({ name, description }) => {
				const [resource = 'appointment'] = (displayOptions?.show?.resource ?? []) as string[];
				return [`${resource[0].toUpperCase()}${resource.slice(1)}`, `**${name}**`, description ?? ''];
			}),
		);
}

/** The entries of Options of all operations of a node, each once: what happens without it, and its value when added. */
function options({ properties }: INodeTypeDescription): string[][] {
	const entries = properties
		.filter(({ name }) => name === 'options')
		.flatMap((one) => one.options as INodeProperties[]);
	const rows = entries.map((entry) => {
		const choices = (entry.options ?? []) as INodePropertyOptions[];
		const said = (setting: unknown) => {
			if (typeof setting === 'boolean') return setting ? 'on' : 'off';
			return choices.find(({ value }) => value === setting)?.name ?? (String(setting ?? '') || 'none');
		};
		const without = 'without' in entry ? entry.without : undefined;
		const description = (entry.description ?? '').replace(/<\/?code>/g, '`');
		return [entry.displayName, said(without), said(entry.default), description];
	});
	return [...new Map(rows.map((row) => [row[0], row])).values()];
}

/** The name of an example, its file, and the first words of its note. */
function examples(page: string): string[][] {
	const folder = relative(dirname(page), join(ROOT, 'workflows'));
	return exampleWorkflows().map(({ slug: file, workflow }) => {
		const note = workflow.nodes.find(({ type }) => type.endsWith('.stickyNote'))!;
		const [first, second = ''] = String(note.parameters.content)
			.split('\n')[1]
			.split(/[.:] (?=["A-Z])/);
		const said = first.split(' ').length < 9 ? `${first}. ${second}` : first;
		return [`[${workflow.name}](${folder}/${file}.json)`, said.replace(/\.?$/, '.')];
	});
}

/** The shapes of attendees, each path and value as code. */
function attendees(): string[][] {
	const code = (cell = '') => cell.replace(/[^:;,\s][^:;,]*/g, '`$&`').replaceAll('; ', '<br>');
	return SHAPES.map(([sources, ...cells]) => [
		sources,
		...Array.from({ length: 4 }, (_, at) => code(cells[at])),
	]);
}

/** A list by its name, such as `examples` or `options-conversationIntelligence`. */
function list(name: string, page: string): string {
	const [kind, node] = name.split('-');
	if (name === 'examples') return table('Example | What it does', examples(page));
	if (name === 'fields') return SIMPLIFIED_CONVERSATION.map((field) => `\`${field}\``).join(', ');
	if (name === 'tables') return statements();
	if (name === 'errors') return errors();
	if (name === 'parameters') return parameters();
	if (name === 'attendees') return table('Source | Address | Attends | Declined | Room', attendees());
	const description = NODES.map((Node) => new Node().description).find((one) => one.name === node)!;
	if (kind === 'operations') return table('Resource | Operation | What it does', operations(description));
	return table('Option | Without it | When added | What it does', options(description));
}

/** Each page that quotes something, with today's figures and lists, by its path. */
export async function quotingPages(): Promise<Map<string, string>> {
	const names = readdirSync(join(ROOT, 'docs'), { recursive: true, encoding: 'utf8' });
	const paths = ['README.md', ...names.filter((name) => name.endsWith('.md')).map((name) => `docs/${name}`)];
	const pages = new Map<string, string>();
	for (const path of paths.map((name) => join(ROOT, name))) {
		const text = readFileSync(path, 'utf8');
		const listed = text.replace(LIST, (_, begin, name, end) => {
			const written = list(name, path);
			return name === 'fields' ? begin + written + end : `${begin}\n\n${written}\n\n${end}`;
		});
		const quoted = withFigures(listed);
		if (quoted === text) continue;
		const { ignored } = await getFileInfo(path, { ignorePath: join(ROOT, '.prettierignore') });
		const options = { ...(await resolveConfig(path)), parser: 'markdown' };
		pages.set(path, ignored ? quoted : await format(quoted, options));
	}
	return pages;
}
