/**
 * `npx tsx scripts/conformance` writes test/CONFORMANCE.md. With `--check`, it fails if the file is out of date or a kept or
 * relied-on rule has no node test.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { renderConformance } from './render';
import { root } from './scan';

const file = join(root, 'test', 'CONFORMANCE.md');

try {
	const text = renderConformance();
	if (!process.argv.includes('--check')) writeFileSync(file, text);
	else if (!existsSync(file) || readFileSync(file, 'utf8') !== text) {
		throw new Error('test/CONFORMANCE.md is out of date: run "npx tsx scripts/conformance" and commit it.');
	}
} catch (error) {
	console.error(error instanceof Error ? error.message : error);
	process.exitCode = 1;
}
