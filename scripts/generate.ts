/**
 * `npm run generate` writes what is made from the nodes: the output schemas, what identity.json says, and the figures and lists
 * that pages quote. With `--check`, it fails if one of them is out of date. It always fails if a rule of docs/reference/api has no
 * test, and if a promise of a release is broken.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, relative } from 'node:path';
import { checkPromises } from './compat';
import { checkConformance } from './conformance';
import { identified } from './identity';
import { outputSchemas } from './outputSchemas';
import { quotingPages } from './quotes';

async function main(check: boolean): Promise<void> {
	checkConformance();
	checkPromises();
	const files = new Map([...outputSchemas(), ...identified(), ...(await quotingPages())]);
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

main(process.argv.includes('--check')).catch((error: unknown) => {
	console.error(error instanceof Error ? error.message : error);
	process.exitCode = 1;
});
