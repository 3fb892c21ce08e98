import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import ts from 'typescript';

/** A regular expression of the source, and where it is. */
export interface Pattern {
	place: string;
	regex: RegExp;
}

/** The regular expressions of all nodes and credentials. */
export function patternsOfPackage(): Pattern[] {
	return ['nodes', 'credentials'].flatMap((folder) =>
		readdirSync(folder, { recursive: true, encoding: 'utf8' })
			.filter((file) => file.endsWith('.ts'))
			.flatMap((file) => patternsIn(join(folder, file))),
	);
}

/**
 * Finds the regular expressions of a file: literals, `RegExp(…)`, and the texts in `regex: …` that n8n compiles.
 *
 * @throws Error for one that is not made of constants of the same file
 */
function patternsIn(path: string): Pattern[] {
	const file = ts.createSourceFile(path, readFileSync(path, 'utf8'), ts.ScriptTarget.Latest, true);
	const patterns: Pattern[] = [];
	const add = (node: ts.Node, regex: RegExp) => {
		const { line } = file.getLineAndCharacterOfPosition(node.getStart());
		patterns.push({
			place: `${relative(process.cwd(), path)}:${line + 1} ${regex.source.slice(0, 50)}`,
			regex,
		});
	};
	const visit = (node: ts.Node): void => {
		if (ts.isRegularExpressionLiteral(node)) add(node, regexOf(node));
		const isCall = ts.isNewExpression(node) || ts.isCallExpression(node);
		if (isCall && node.expression.getText() === 'RegExp') {
			const [source, flags] = (node.arguments ?? []).map((argument) => textOf(argument, file));
			add(node, new RegExp(source, flags));
		}
		if (ts.isPropertyAssignment(node) && node.name.getText() === 'regex') {
			add(node, new RegExp(textOf(node.initializer, file)));
		}
		ts.forEachChild(node, visit);
	};
	visit(file);
	return patterns;
}

function regexOf(literal: ts.RegularExpressionLiteral): RegExp {
	const end = literal.text.lastIndexOf('/');
	return new RegExp(literal.text.slice(1, end), literal.text.slice(end + 1));
}

function textOf(node: ts.Expression, file: ts.SourceFile): string {
	if (ts.isStringLiteralLike(node)) return node.text;
	if (ts.isTemplateExpression(node)) {
		const parts = node.templateSpans.map((span) => textOf(span.expression, file) + span.literal.text);
		return node.head.text + parts.join('');
	}
	if (ts.isTaggedTemplateExpression(node) && node.tag.getText() === 'String.raw') {
		return node.template.getText().slice(1, -1);
	}
	const name = node.getText();
	const value = ts.isIdentifier(node) ? constant(name, file) : undefined;
	if (value === undefined) throw new Error(`${file.fileName}: the pattern ${name} is not constant`);
	return textOf(value, file);
}

function constant(name: string, file: ts.SourceFile): ts.Expression | undefined {
	const declarations = file.statements
		.filter(ts.isVariableStatement)
		.flatMap(({ declarationList }) => [...declarationList.declarations]);
	return declarations.find((declaration) => declaration.name.getText() === name)?.initializer;
}
