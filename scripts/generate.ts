/**
 * `npm run generate` writes what is made from the nodes: the parameters, errors and tables of docs/reference, the output schemas,
 * and what identity.json says. With `--check`, it fails if one of them is out of date. It always fails if a rule of docs/reference/api has no
 * test, and if a promise of a release is broken.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, relative } from 'node:path';
import { checkPromises } from './compat';
import { checkConformance } from './conformance';
import { errorsPage } from './errorTables';
import { identified } from './identity';
import { outputSchemas } from './outputSchemas';
import { parametersPage } from './parametersPage';
import { tablesPage } from './tables';

/** Writes the files, or checks them. */
function main(check: boolean): void {
	checkConformance();
	checkPromises();
	const files = new Map([
		...parametersPage(),
		...outputSchemas(),
		...errorsPage(),
		...tablesPage(),
		...identified(),
	]);
	const stale = [...files].filter(([path, text]) => !existsSync(path) || readFileSync(path, 'utf8') !== text);
	if (check && stale.length > 0) {
		const names = stale.map(([path]) => relative(process.cwd(), path)).join(', ');
		throw new Error(`Out of date: ${names}. Run "npm run generate" and commit what it writes.`);
	}
	for (const [path, text] of stale) {
		mkdirSync(dirname(path), { recursive: true });
		writeFileSync(path, text);
	}
}

try {
	main(process.argv.includes('--check'));
} catch (error) {
	console.error(error instanceof Error ? error.message : error);
	process.exitCode = 1;
}
