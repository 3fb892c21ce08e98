import { join } from 'node:path';
import { chapters, roleNames, type Chapter } from '../apiReference';
import { proveRules, type ProvenRule } from './proofs';
import { root, type TaggedTest } from './scan';

const documents = {
	D1: '[D1](../docs/api/data-export-and-webhook.md), the data export API and the webhook',
	D2: '[D2](../docs/api/crm-appointment-ingestion.md), the appointment API',
};

/** Maximum number of node tests that a rule shows by title. */
const MAX_TITLES = 3;

/** The content of test/CONFORMANCE.md by its path. */
export function conformancePage(): Map<string, string> {
	return new Map([[join(root, 'test', 'CONFORMANCE.md'), renderConformance()]]);
}

/**
 * A summary, then, for each chapter, the rules that need a node test, then the others.
 *
 * @throws Error that names a rule without its test, see {@link proveRules}
 */
function renderConformance(): string {
	const proven = proveRules();
	const rulesOf = ({ sections }: Chapter) =>
		sections.flatMap((section) => section.rules.map(({ id }) => proven.get(id)!));
	const all = [...proven.values()];
	const owed = all.filter(({ isOwed }) => isOwed);
	return `# Conformance

What the nodes do about each of the ${all.length} rules of the two API documents:
${documents.D1}, and ${documents.D2}.

- **Kept**: the nodes act on the rule: they send, verify, refuse, wait or explain.
- **Relied on**: the nodes are right only because the service keeps the rule.
- **Passed through**: the nodes return unchanged what the rule describes.
- **Not concerned**: the rule concerns only the service or its web app.

Each of the ${owed.length} kept and relied-on rules has a node test.
Service tests check a rule with any service, by default the local one.

| Chapter | ${roleNames.map(capitalized).join(' | ')} | Rules |
| --- | ${roleNames.map(() => '---:').join(' | ')} | ---: |
${[...chapters.map((chapter) => summaryRow(nameOf(chapter), rulesOf(chapter))), summaryRow('All', all)].join('\n')}

Node tests run with \`npm test\`, service tests with \`npm run test:contract\` (\`SERVICE_URL=…\` names another service).
\`npm run generate\` writes this page from docs/api and the titles of the tests. \`npm run lint\` fails if it is out of date or
a kept or relied-on rule has no node test.

${chapters.map((chapter) => renderChapter(nameOf(chapter), rulesOf(chapter))).join('\n\n')}
`;
}

const nameOf = ({ document, heading }: Chapter) => `${document} ${heading}`;
const capitalized = (text: string) => text[0].toUpperCase() + text.slice(1);

function summaryRow(name: string, rules: readonly ProvenRule[]): string {
	const counts = roleNames.map((role) => rules.filter((rule) => rule.role === role).length);
	return `| ${[name, ...counts, rules.length].join(' | ')} |`;
}

function renderChapter(name: string, rules: readonly ProvenRule[]): string {
	const owed = rules.filter(({ isOwed }) => isOwed);
	const rest = rules.filter(({ isOwed }) => !isOwed);
	const parts = [`## ${name}`];
	if (owed.length > 0) {
		parts.push(`| Rule | What it says | Nodes | Node tests | Service tests |
| --- | --- | --- | --- | --- |
${owed.map((rule) => row(rule.id, cell(rule.text), rule.role, titles(rule.nodeTests), files(rule.serviceTests))).join('\n')}`);
	}
	if (rest.length > 0) {
		parts.push(`| Other rules | What they say | Nodes | Tests |
| --- | --- | --- | --- |
${grouped(rest)
	.map((group) => row(range(group), contents(group), group[0].role, files(testsOf(group[0]))))
	.join('\n')}`);
	}
	return parts.join('\n\n');
}

const row = (...cells: string[]) => `| ${cells.join(' | ')} |`;
const cell = (text: string) => text.replace(/\|/g, '\\|').replace(/</g, '&lt;');
const testsOf = ({ serviceTests, nodeTests }: ProvenRule) => [...nodeTests, ...serviceTests];
const link = (text: string, file: string) => `[${text}](${file.replace(/^test\//, '')})`;

/** A title for a link, with an ellipsis for each value of `test.each`. */
const plain = (title: string) =>
	cell(title)
		.replace(/[[\]]/g, '')
		.replace(/%[a-z]/g, '…');

/** The first node tests by title, further ones by file. */
function titles(tests: readonly TaggedTest[]): string {
	if (tests.length === 0) return '**none yet**';
	const said = tests.slice(0, MAX_TITLES).map(({ file, title }) => link(plain(title), file));
	const more = tests.slice(MAX_TITLES);
	return [...said, ...(more.length > 0 ? [`more: ${files(more)}`] : [])].join('<br>');
}

/** Links to the files of tests. */
function files(tests: readonly TaggedTest[]): string {
	if (tests.length === 0) return '–';
	return [...new Set(tests.map(({ file }) => file))]
		.map((file) => link(file.replace(/^.*\/|\.test\.ts$/g, ''), file))
		.join(', ');
}

/** Groups consecutive fields with the same role and test files into one row. */
function grouped(rules: readonly ProvenRule[]): ProvenRule[][] {
	const groups: ProvenRule[][] = [];
	for (const rule of rules) {
		const last = groups.at(-1)?.at(-1);
		if (last && areAlike(last, rule)) groups.at(-1)!.push(rule);
		else groups.push([rule]);
	}
	return groups;
}

function areAlike(one: ProvenRule, next: ProvenRule): boolean {
	const [prefix, number] = split(one.id);
	const follows = next.id === `${prefix}-${String(number + 1).padStart(2, '0')}`;
	const areFields = one.field !== undefined && next.field !== undefined;
	return follows && areFields && one.role === next.role && files(testsOf(one)) === files(testsOf(next));
}

function split(id: string): [prefix: string, number: number] {
	const at = id.lastIndexOf('-');
	return [id.slice(0, at), Number(id.slice(at + 1))];
}

function range(group: readonly ProvenRule[]): string {
	if (group.length === 1) return group[0].id;
	return `${group[0].id}..${group.at(-1)!.id.slice(-2)}`;
}

/** The whole text of one rule, or the names of several fields. */
function contents(group: readonly ProvenRule[]): string {
	if (group.length === 1) return cell(group[0].text);
	return group.map(({ field }) => `\`${field!.name}\``).join(', ');
}
