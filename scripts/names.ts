/** `tsx scripts/names.ts`: no name stands for two things, so none is declared at the top of two files of `nodes/`. */
import { readdirSync, readFileSync } from 'node:fs';
import ts from 'typescript';

/** What each node has of its own. */
const SAME = new Set('MINUTE_MS properties readSettings resources'.split(' '));

/** The names that a file declares at its top. */
function namesIn(file: string): string[] {
	const source = ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest);
	const names = source.statements.flatMap((one) => {
		if (ts.isVariableStatement(one)) return one.declarationList.declarations.map(({ name }) => name);
		const isNamed =
			ts.isFunctionDeclaration(one) ||
			ts.isClassDeclaration(one) ||
			ts.isInterfaceDeclaration(one) ||
			ts.isTypeAliasDeclaration(one);
		return isNamed && one.name ? [one.name] : [];
	});
	// Overloads have one name.
	return [...new Set(names.flatMap((name) => (ts.isIdentifier(name) ? [name.text] : [])))];
}

const filesOf = new Map<string, string[]>();
for (const path of readdirSync('nodes', { recursive: true, encoding: 'utf8' })) {
	if (!path.endsWith('.ts')) continue;
	for (const name of namesIn(`nodes/${path}`)) filesOf.set(name, [...(filesOf.get(name) ?? []), path]);
}
for (const [name, files] of filesOf) {
	if (files.length === 1 || SAME.has(name)) continue;
	console.error(`${name} is declared in ${files.join(' and ')}`);
	process.exitCode = 1;
}
