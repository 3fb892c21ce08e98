/** `npx tsx scripts/conformance.ts D1-EXP-05` lists the tests of a rule of docs/reference/api. `npm run lint` checks that tests name them all. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { rules, tagsIn } from './apiReference';

const ROOT = join(__dirname, '..');

/** Tests of the service; all others test the nodes. */
const OF_SERVICE = /^test\/(service\/|n8n\/page)/;

/** Comment lines right above `test(…)`, `it(…)` or their `.each`, but not above skipped or planned tests. */
const COMMENTED_TEST = /((?:^\s*\/\/.*\n)+)\s*(?:test|it)(?:\.each)?\b(?!\.)/gm;

/** The rules that the comments above tests name, each with the test's `path:line`. */
function taggedTests(): Array<{ at: string; rule: string }> {
	return readdirSync(join(ROOT, 'test'), { recursive: true, encoding: 'utf8' })
		.filter((path) => path.endsWith('.test.ts'))
		.sort()
		.flatMap((path) => {
			const text = readFileSync(join(ROOT, 'test', path), 'utf8');
			return [...text.matchAll(COMMENTED_TEST)].flatMap(({ 0: { length }, 1: comment, index }) => {
				const line = text.slice(0, index + length).split('\n').length;
				return tagsIn(comment).map((rule) => ({ at: `test/${path}:${line}`, rule }));
			});
		});
}

/** Compares the tests with docs/reference/api. */
export function checkConformance(): void {
	const tests = taggedTests();
	const ids = new Set(rules.map(({ id }) => id));
	const unknown = tests.find(({ rule }) => !ids.has(rule));
	if (unknown)
		throw new Error(`${unknown.at} has the tag ${unknown.rule}, which docs/reference/api does not list.`);
	const proven = new Set(tests.filter(({ at }) => !OF_SERVICE.test(at)).map(({ rule }) => rule));
	const owed = rules.filter(({ role }) => role === 'kept' || role === 'relied on').map(({ id }) => id);
	const unproven = owed.filter((id) => !proven.has(id));
	if (unproven.length > 0) throw new Error(`No node test names these rules: ${unproven.join(', ')}.`);
}

if (require.main === module) {
	for (const { at, rule } of taggedTests()) if (rule === process.argv[2]) console.log(at);
}
