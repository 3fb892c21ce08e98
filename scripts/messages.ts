import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';

/** Properties with panel texts, texts for a model or advice. They need no entry. */
const NO_MESSAGE =
	/^(displayName|description|action|hint|placeholder|name|advice|remedy|nextStep|forAgent|ifEmpty|need|whole|header|inactive|active|activation(Hint|Message)|eventTriggerDescription|valuesLabel|expected)$/;

/** Replaces each value that the code fills in, e.g. `${name}` or `{header}`. */
const VALUE = '…';

/** A text in the sources, with an ellipsis for each value. */
export interface SourceText {
	text: string;
	/** File and line. */
	place: string;
	/** Whether the text is a full message, which needs an entry. */
	isWhole: boolean;
}

/**
 * Collects the texts of some source files.
 *
 * @param files paths of TypeScript files
 * @returns messages, and all other texts, which can be part of a message
 */
export function textsIn(files: string[]): SourceText[] {
	return files.flatMap((file) => {
		const source = ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest, true);
		const found: SourceText[] = [];
		const visit = (node: ts.Node): void => {
			const text = textOf(node);
			if (text !== undefined) {
				const { line } = source.getLineAndCharacterOfPosition(node.getStart());
				const isWhole = isSentence(text) && !isPart(node) && isMessage(node, source);
				found.push({ text, place: `${file}:${line + 1}`, isWhole });
			}
			ts.forEachChild(node, visit);
		};
		visit(source);
		return found;
	});
}

/**
 * The messages that a document explains: the code spans in the first column of its tables.
 *
 * @param markdown the document
 */
export function documentedMessages(markdown: string): string[] {
	const cells = markdown.split('\n').flatMap((line) => /^\| (.*?)(?<!\\) \|/.exec(line)?.[1] ?? []);
	return cells.flatMap((cell) => [...cell.matchAll(/`([^`]+)`/g)].map(([, text]) => tidy(text)));
}

/**
 * Compares the messages of the sources with those of a document.
 *
 * @returns messages without an entry, and entries that no text of the sources matches
 */
export function compare(texts: SourceText[], entries: string[]): { missing: SourceText[]; stale: string[] } {
	// A short text occurs in too many entries to prove one of them.
	const proves = (text: string, entry: string) =>
		lettersOf(text) > 0.3 * lettersOf(entry) && pattern(text, '').test(entry);
	return {
		missing: texts.filter(({ text, isWhole }) => isWhole && !entries.some((entry) => isSame(entry, text))),
		stale: entries.filter((entry) => !texts.some(({ text }) => proves(text, entry))),
	};
}

/** All source files of the package. */
export function packageFiles(root: string): string[] {
	return ['nodes', 'credentials'].flatMap((folder) =>
		readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
			.filter((file) => file.endsWith('.ts'))
			.map((file) => join(root, folder, file)),
	);
}

function textOf(node: ts.Node): string | undefined {
	if (ts.isStringLiteralLike(node)) return tidy(node.text);
	if (!ts.isTemplateExpression(node)) return undefined;
	const rest = node.templateSpans.map(({ literal }) => VALUE + literal.text);
	return tidy(node.head.text + rest.join(''));
}

function isPart(node: ts.Node): boolean {
	const isEnd = (at: ts.Node) =>
		ts.isStatement(at) || ts.isFunctionLike(at) ? 'quit' : ts.isTemplateSpan(at);
	return ts.findAncestor(node.parent, isEnd) !== undefined;
}

/** The first sentence on one line, without the item number and the final full stop. */
function tidy(text: string): string {
	return text
		.replace(/\{\w+\}/g, VALUE)
		.replace(/\s*\[Items? […\d]+\]/g, '')
		.replace(/<[^>]+>/g, '')
		.replace(/…+/g, VALUE)
		.replace(/\s+/g, ' ')
		.trim()
		.replace(/^… (?=\p{Lu})/u, '')
		.replace(/(?<!\be\.g)\.( [\p{Lu}…].*)?$/u, '');
}

const lettersOf = (text: string) => text.replace(/[^\p{L}]/gu, '').length;

/** Names in Title Case and texts after a value, such as `"…", which is …`, are not sentences. */
function isSentence(text: string): boolean {
	const words = text.split(' ');
	const isWord = (word: string) => /^["(]?(\p{Ll}|…)/u.test(word);
	return (
		/^["']?(\p{Lu}|…(?!",))/u.test(text) &&
		words.length > 2 &&
		lettersOf(text) > 4 &&
		words.filter(isWord).length > 1
	);
}

/** Decides by the property or variable of the text, and by the texts before it. */
function isMessage(node: ts.Node, source: ts.SourceFile): boolean {
	for (let at = node; !ts.isSourceFile(at.parent); at = at.parent) {
		const { parent } = at;
		if (ts.isImportDeclaration(parent) || ts.isLiteralTypeNode(parent)) return false;
		if (ts.isFunctionLike(parent)) return true;
		if (ts.isCallExpression(parent) && /\.describe$/.test(parent.expression.getText())) return false;
		if (follows(at, source)) return false;
		if (!ts.isPropertyAssignment(parent) && !ts.isVariableDeclaration(parent)) continue;
		if (NO_MESSAGE.test(parent.name.getText())) return false;
		if (ts.isVariableDeclaration(parent) && parent.initializer === node) {
			return usesOf(parent.name, source).some((use) => isMessage(use, source));
		}
	}
	return true;
}

/** Whether another text precedes it in a call or table row, because advice follows its message. */
function follows(node: ts.Node, source: ts.SourceFile): boolean {
	const { parent } = node;
	const isRow = ts.isArrayLiteralExpression(parent) && !ts.isReturnStatement(parent.parent);
	const before = isRow ? parent.elements : ts.isCallOrNewExpression(parent) ? parent.arguments : undefined;
	const index = before?.findIndex((one) => one === node) ?? 0;
	const isText = (one: ts.Node): boolean =>
		textOf(one) !== undefined || (ts.isIdentifier(one) && valuesOf(one, source).some(isText));
	return before?.slice(0, index).some(isText) ?? false;
}

/** The initial values of variables with that name. */
function valuesOf({ text }: ts.Identifier, source: ts.SourceFile): ts.Node[] {
	const values: ts.Node[] = [];
	const visit = (node: ts.Node): void => {
		if (ts.isVariableDeclaration(node) && node.name.getText() === text && node.initializer) {
			values.push(node.initializer);
		}
		ts.forEachChild(node, visit);
	};
	visit(source);
	return values;
}

function usesOf(name: ts.BindingName, source: ts.SourceFile): ts.Node[] {
	const uses: ts.Node[] = [];
	const visit = (node: ts.Node): void => {
		if (ts.isIdentifier(node) && node.text === name.getText() && node !== name) uses.push(node);
		ts.forEachChild(node, visit);
	};
	visit(source);
	return uses;
}

function isSame(a: string, b: string): boolean {
	return pattern(a, '^', '$').test(b) || pattern(b, '^', '$').test(a);
}

function pattern(text: string, start: string, end = ''): RegExp {
	const parts = text.split(VALUE).map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
	return new RegExp(`${start}${parts.join('.*')}${end}`);
}

if (require.main === module) {
	const root = join(__dirname, '..');
	const entries = documentedMessages(readFileSync(join(root, 'docs/troubleshooting.md'), 'utf8'));
	const { missing, stale } = compare(textsIn(packageFiles(root)), entries);
	for (const { place, text } of missing) process.stdout.write(`No entry: ${text} (${place})\n`);
	for (const text of stale) process.stdout.write(`No such message: ${text}\n`);
}
