import { readdirSync, readFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import ts from 'typescript';
import { tagsIn } from '../apiReference';

export const root = join(__dirname, '..', '..');

/** A test with rules in the comment above it. */
export interface TaggedTest {
	/** Path relative to the repository, with slashes. */
	file: string;
	title: string;
	rules: string[];
}

/** Finds all tests with such a comment in a folder of the repository, in file order. */
export function scan(folder: string): TaggedTest[] {
	return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
		.filter((path) => path.endsWith('.test.ts'))
		.sort()
		.flatMap((path) => testsIn(join(root, folder, path)));
}

function testsIn(path: string): TaggedTest[] {
	const file = relative(root, path).split(sep).join('/');
	const text = readFileSync(path, 'utf8');
	const source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest);
	const found: TaggedTest[] = [];
	const visit = (node: ts.Node): void => {
		if (ts.isCallExpression(node) && isTest(node.expression)) {
			const comments = ts.getLeadingCommentRanges(text, node.pos) ?? [];
			const rules = new Set(comments.flatMap(({ pos, end }) => tagsIn(text.slice(pos, end))));
			const title = node.arguments[0] ? titleOf(node.arguments[0]) : '';
			if (rules.size > 0) found.push({ file, title, rules: [...rules] });
		}
		ts.forEachChild(node, visit);
	};
	visit(source);
	return found;
}

/** Matches `test(…)`, `it(…)` and their `.each([…])(…)`, but no skipped or planned tests. */
function isTest(callee: ts.Expression): boolean {
	if (ts.isIdentifier(callee)) return callee.text === 'test' || callee.text === 'it';
	if (ts.isCallExpression(callee) || ts.isTaggedTemplateExpression(callee)) {
		const each = ts.isCallExpression(callee) ? callee.expression : callee.tag;
		return ts.isPropertyAccessExpression(each) && each.name.text === 'each' && isTest(each.expression);
	}
	return false;
}

function titleOf(argument: ts.Expression): string {
	if (ts.isStringLiteralLike(argument)) return argument.text;
	if (!ts.isTemplateExpression(argument)) return '';
	return argument.head.text + argument.templateSpans.map((span) => `…${span.literal.text}`).join('');
}
