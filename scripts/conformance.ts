/** `npx tsx scripts/conformance.ts D1-EXP-05` names the tests of a rule of docs/reference/api. `npm run lint` checks that tests name them all. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { rules, tagsIn } from './apiReference';

const ROOT = join(__dirname, '..');

/** Tests of the service; all others test the nodes. */
const OF_SERVICE = /^test\/(service\/|n8n\/page)/;

/** A test with rules in the comment above it. */
interface TaggedTest {
	/** Path relative to the repository. */
	file: string;
	title: string;
	rules: string[];
}

/** Finds all tests with such a comment, in file order. */
function taggedTests(): TaggedTest[] {
	return readdirSync(join(ROOT, 'test'), { recursive: true, encoding: 'utf8' })
		.filter((path) => path.endsWith('.test.ts'))
		.sort()
		.flatMap((path) => testsIn(join('test', path)));
}

/**
 * Compares the tests with docs/reference/api.
 *
 * @throws Error that names a tag that docs/reference/api lacks, or the kept and relied-on rules without a test of the nodes
 */
export function checkConformance(): void {
	const tests = taggedTests();
	const ids = new Set(rules.map(({ id }) => id));
	for (const { file, title, rules: tags } of tests) {
		const unknown = tags.find((tag) => !ids.has(tag));
		if (unknown)
			throw new Error(`${file}: "${title}" has the tag ${unknown}, which docs/reference/api does not list.`);
	}
	const proven = new Set(tests.filter(({ file }) => !OF_SERVICE.test(file)).flatMap((test) => test.rules));
	const unproven = rules.filter(
		({ id, role }) => (role === 'kept' || role === 'relied on') && !proven.has(id),
	);
	if (unproven.length > 0) {
		throw new Error(`No node test names these rules: ${unproven.map(({ id }) => id).join(', ')}.`);
	}
}

function testsIn(file: string): TaggedTest[] {
	const text = readFileSync(join(ROOT, file), 'utf8');
	const found: TaggedTest[] = [];
	const visit = (node: ts.Node): void => {
		if (ts.isCallExpression(node) && isTest(node.expression)) {
			const comments = ts.getLeadingCommentRanges(text, node.pos) ?? [];
			const tags = new Set(comments.flatMap(({ pos, end }) => tagsIn(text.slice(pos, end))));
			const title = node.arguments[0]?.getText().slice(1, -1) ?? '';
			if (tags.size > 0) found.push({ file, title, rules: [...tags] });
		}
		ts.forEachChild(node, visit);
	};
	visit(ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true));
	return found;
}

/** Matches `test(…)`, `it(…)` and their `.each([…])(…)`, but no skipped or planned tests. */
function isTest(callee: ts.Expression): boolean {
	if (ts.isIdentifier(callee)) return callee.text === 'test' || callee.text === 'it';
	if (!ts.isCallExpression(callee) && !ts.isTaggedTemplateExpression(callee)) return false;
	const each = ts.isCallExpression(callee) ? callee.expression : callee.tag;
	return ts.isPropertyAccessExpression(each) && each.name.text === 'each' && isTest(each.expression);
}

if (require.main === module) {
	for (const { file, title, rules: tags } of taggedTests())
		if (tags.includes(process.argv[2])) console.log(`${file}: ${title}`);
}
