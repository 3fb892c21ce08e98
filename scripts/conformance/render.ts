import { sections } from './rules';
import { scan, type TaggedTest } from './scan';

/** The service side: what is asked of any service; the rest of the tests hold the nodes. */
const serviceTests = ['test/contract/', 'test/unit/sandbox', 'test/e2e/page'];
const documents = {
	D1: 'D1: Data Export API and Conversation Webhook',
	D2: 'D2: CRM Appointment Ingestion API',
};

/**
 * The whole of docs/CONFORMANCE.md.
 * @throws Error that names a test with a tag that no rule has
 */
export function renderConformance(): string {
	const tests = scan('test');
	const isService = ({ file }: TaggedTest) => serviceTests.some((start) => file.startsWith(start));
	const rules = sections.flatMap((section) => section.rules);
	const known = new Set(rules.map((rule) => rule.id));
	if (known.size !== rules.length) throw new Error('Two rules share an identifier.');
	for (const { file, title, rules: tags } of tests) {
		const unknown = tags.find((tag) => !known.has(tag));
		if (unknown) throw new Error(`${file}: "${title}" names ${unknown}, which is no rule.`);
	}
	const service = byRule(tests.filter(isService));
	const node = byRule(tests.filter((test) => !isService(test)));
	const without = rules.filter(({ id }) => !service.has(id) && !node.has(id));
	return `# Conformance

Every rule of the two interface documents, and the tests that name it. Written by \`npx tsx scripts/conformance\`;
\`npm run lint\` fails when it is out of date. Service tests run with \`npm run test:contract\`
(\`SERVICE_URL=…\` points them at another service), node tests with \`npm test\`.
D1 is the document of the Data Export API and the conversation webhook, D2 that of appointment ingestion.

${rules.length} rules; ${service.size} with a service test, ${node.size} with a node test, ${without.length} with no test.
A rule with no test is a remark, is about something that does not show from outside, or waits for its test.

${sections
	.map(
		({ document, heading, rules: own }, index) =>
			`${sections[index - 1]?.document === document ? '' : `## ${documents[document]}\n\n`}### ${heading}

| Rule | What the document says | Service tests | Node tests |
| --- | --- | --- | --- |
${own.map(({ id, text }) => `| ${id} | ${cell(text)} | ${proofs(service.get(id), node.get(id))} |`).join('\n')}`,
	)
	.join('\n\n')}
`;
}

function byRule(tests: readonly TaggedTest[]): Map<string, TaggedTest[]> {
	const map = new Map<string, TaggedTest[]>();
	for (const test of tests) {
		for (const rule of test.rules) map.set(rule, [...(map.get(rule) ?? []), test]);
	}
	return map;
}

const cell = (text: string) => text.replace(/\|/g, '\\|').replace(/</g, '&lt;');

/** Both columns; a rule that neither side tests says so. */
function proofs(service: readonly TaggedTest[] = [], node: readonly TaggedTest[] = []): string {
	if (service.length + node.length === 0) return '– no test | –';
	return `${links(service)} | ${links(node)}`;
}

function links(tests: readonly TaggedTest[]): string {
	if (tests.length === 0) return '–';
	return tests.map(({ file, title }) => `[${cell(title).replace(/[[\]]/g, '')}](../${file})`).join('<br>');
}
