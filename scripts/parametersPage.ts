/** docs/reference/parameters.md: what each panel shows and what a workflow saves. */
import type {
	ICredentialType,
	INodeProperties,
	INodePropertyOptions,
	INodeTypeDescription,
} from 'n8n-workflow';
import { ConversationExportApi } from '../credentials/ConversationExportApi.credentials';
import { CrmAppointmentApi } from '../credentials/CrmAppointmentApi.credentials';
import { ConversationIntelligence } from '../nodes/ConversationIntelligence/ConversationIntelligence.node.js';
import { ConversationIntelligenceAppointments } from '../nodes/ConversationIntelligenceAppointments/ConversationIntelligenceAppointments.node.js';
import { ConversationIntelligencePollTrigger } from '../nodes/ConversationIntelligencePollTrigger/ConversationIntelligencePollTrigger.node.js';
import { ConversationIntelligenceTrigger } from '../nodes/ConversationIntelligenceTrigger/ConversationIntelligenceTrigger.node.js';

/** The four nodes in the order of the pages. */
export const NODES = [
	ConversationIntelligence,
	ConversationIntelligenceAppointments,
	ConversationIntelligenceTrigger,
	ConversationIntelligencePollTrigger,
];

export const CREDENTIALS = [ConversationExportApi, CrmAppointmentApi];

/** The sections of docs/reference/parameters.md. */
export function parameters(): string {
	const nodes = NODES.map((Node) => new Node().description);
	const places: Record<string, string[]> = {};
	for (const node of nodes)
		for (const [title, rows] of Object.entries(groupsOf(node)))
			for (const row of rows) (places[row] ??= []).push(title === 'Parameters' ? node.displayName : title);
	const isShared = (row: string) => places[row].length > 1;
	const shared = Object.keys(places)
		.filter(isShared)
		.map((row) => row.replace(/ \|$/, `<br>In: ${places[row].join(', ')} |`));
	const sections = [
		...nodes.map((node) => nodeSection(node, isShared)),
		`## Shared parameters\n\n${table(shared)}`,
		...CREDENTIALS.map((Type) => credentialSection(new Type())),
	];
	return sections.join('\n').trimEnd();
}

const HEAD = '| Parameter | Saved as | Type and default | What it does |\n| --- | --- | --- | --- |\n';

const table = (rows: string[]): string => `${HEAD}${rows.map((row) => `${row}\n`).join('')}`;

/** The rows of each operation, e.g. `Team → Get Many`, and those of the whole node. */
function groupsOf({ properties }: INodeTypeDescription): Record<string, string[]> {
	const groups: Record<string, string[]> = {};
	for (const property of properties) {
		const { resource = [], operation = [] } = property.displayOptions?.show ?? {};
		const labelOf = (list: string, value: unknown) => {
			const isShown = ({ name, displayOptions: shown }: INodeProperties) =>
				name === list && (shown === undefined || shown.show?.resource?.[0] === resource[0]);
			const options = properties.find(isShown)?.options as INodePropertyOptions[];
			return options.find((option) => option.value === value)?.name;
		};
		const labels = operation.map(
			(value) => `${labelOf('resource', resource[0])} → ${labelOf('operation', value)}`,
		);
		(groups[labels[0] ?? 'Parameters'] ??= []).push(...rowsOf(property));
	}
	return groups;
}

/** The section of a node: what its panel shows and what a workflow saves, by operation. */
function nodeSection(node: INodeTypeDescription, isShared: (row: string) => boolean): string {
	const { displayName, name, version, ...rest } = node;
	const facts = facets({ ...rest, properties: undefined }).map((facet) => `- ${facet}\n`);
	const head = `## ${displayName}\n\n\`${name}\`, version ${String(version)}.\n\n${facts.join('')}`;
	const groups = Object.entries(groupsOf(node)).map(([title, rows]) => {
		const names = new Set(rows.filter(isShared).map((row) => row.split(' | ')[1]));
		const own = rows.filter((row) => !isShared(row));
		const reference = names.size > 0 ? [`[Shared](#shared-parameters): ${[...names].join(', ')}.\n`] : [];
		return [`### ${title}\n`, ...(own.length > 0 ? [table(own)] : []), ...reference].join('\n');
	});
	return [head, ...groups].join('\n');
}

function credentialSection({ displayName, name, properties }: ICredentialType): string {
	return `## ${displayName} credential\n\n\`${name}\`.\n\n${table(properties.flatMap((one) => rowsOf(one)))}`;
}

/** A row for the parameter, and one for each entry of a collection. */
function rowsOf(property: INodeProperties, path = ''): string[] {
	const { displayName, name, type, default: fallback, description, options = [], ...rest } = property;
	const saved = `${path}${name}`;
	const entries = type === 'collection' ? (options as INodeProperties[]) : [];
	const values = type === 'collection' ? [] : (options as INodePropertyOptions[]).map(value);
	const cells = [
		`**${displayName}**`,
		code(saved),
		`${type}, ${code(JSON.stringify(fallback))}`,
		[description, ...values, ...facts(rest)].filter(Boolean).join('<br>'),
	];
	return [
		`| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`,
		...entries.flatMap((entry) => rowsOf(entry, `${saved}.`)),
	];
}

function value({ name, value: saved, description, ...rest }: INodePropertyOptions): string {
	const said = [description, ...facts(rest)].filter(Boolean).join('; ');
	return `${code(saved)}${name === saved ? '' : ` **${name}**`}${said === '' ? '' : `: ${said}`}`;
}

/** When something is shown, without resource and operation, which are in the heading; and its other properties. */
function facts({ displayOptions, ...rest }: Partial<INodeProperties>): string[] {
	const inHeading = displayOptions?.show?.operation ? ['resource', 'operation'] : [];
	/** A condition of n8n such as `{ _cnd: { regex: '…' } }` is an object. */
	const one = (value: unknown) => (typeof value === 'object' ? JSON.stringify(value) : String(value));
	const said = (words: string, shown: Record<string, unknown> = {}) =>
		Object.entries(shown)
			.filter(([name]) => !inHeading.includes(name))
			.map(
				([name, values]) =>
					`_${words} when ${code(name)} is ${code((values as unknown[]).map(one).join(', '))}._`,
			);
	return [...said('Shown', displayOptions?.show), ...said('Hidden', displayOptions?.hide), ...facets(rest)];
}

/** Properties of a parameter or a node, with n8n's own names. */
function facets(rest: object): string[] {
	return Object.entries(rest)
		.filter(([, facet]) => facet !== undefined)
		.map(([name, facet]) => `${name}: ${typeof facet === 'string' ? facet : code(JSON.stringify(facet))}`);
}

/** Code in a table. A backtick in it needs two backticks around it. */
function code(text: unknown): string {
	const shown = String(text);
	return shown.includes('`') ? `\`\` ${shown} \`\`` : `\`${shown}\``;
}
