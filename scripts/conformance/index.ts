/** `npx tsx scripts/conformance` writes docs/CONFORMANCE.md; `--check` fails if the file is out of date. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { renderConformance } from './render';
import { root } from './scan';

const file = join(root, 'docs', 'CONFORMANCE.md');

try {
	const text = renderConformance();
	if (!process.argv.includes('--check')) writeFileSync(file, text);
	else if (!existsSync(file) || readFileSync(file, 'utf8') !== text) {
		throw new Error('docs/CONFORMANCE.md is out of date. Run "npx tsx scripts/conformance" and commit it.');
	}
} catch (error) {
	console.error(error instanceof Error ? error.message : error);
	process.exitCode = 1;
}
