import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';

/** An advice that loses something if what it names is worth keeping. */
const RISKY =
	/(?:^|[.:;] |\b(?:or|and) )(?:leave|clear|delete|empty|omit|remove|turn off|do without)\b(?! [=a-z]*means| =)|\bleave\b[^.]*\bempty\b/i;

/** Each such advice, and why following it loses neither attendees, links nor appointments. */
const HARMLESS: Record<string, string> = {
	'Choose other teams, or remove the filter.': 'reads more',
	'Choose other teams or users, or remove one of the two filters.': 'reads more',
	'Remove the prefix and save the credential again: the service takes the raw key.': 'no part of the key',
	'Nothing was sent, because Preview Only is on{items}. Remove the option to send.': 'only then it is sent',
	'Leave out rows with this outcome; rows without an outcome stay': 'a filter of a list',
	"It is clear only if a speaker of the transcript has the rep's name. Remove Said By to get the passage.":
		'reads more',
	'Remove it from one of the two lists.': 'the status stays in the other',
	'Delete an appointment that has no linked recording': 'the description of the operation',
	'Create, update or delete each appointment, depending on its status': 'the same of another',
};

const NODES = join(__dirname, '../../../../nodes');

/** All texts of the shipped code, with `…` for values. */
function textsIn(file: string): string[] {
	const texts: string[] = [];
	const visit = (node: ts.Node): void => {
		if (ts.isStringLiteralLike(node)) texts.push(node.text);
		if (ts.isTemplateExpression(node)) {
			texts.push([node.head.text, ...node.templateSpans.map(({ literal }) => literal.text)].join('…'));
		}
		ts.forEachChild(node, visit);
	};
	visit(ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest));
	return texts;
}

test('no text advises to leave out, clear, delete or turn off something unless nothing is lost by it', () => {
	const files = readdirSync(NODES, { recursive: true, encoding: 'utf8' }).filter((file) =>
		file.endsWith('.ts'),
	);
	const sentences = files
		.flatMap((file) => textsIn(join(NODES, file)))
		.filter((text) => text.split(' ').length > 2);
	const risky = sentences.filter((text) => RISKY.test(text));
	expect([...new Set(risky)].sort()).toEqual(Object.keys(HARMLESS).sort());
});
