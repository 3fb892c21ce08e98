import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as fc from 'fast-check';
import ts from 'typescript';
import { conversationReference } from '../../../nodes/shared/exportApi/conversationId';

/** While a pattern runs, n8n and everyone who uses it wait. */
const LONG = { length: 1_000_000, limitMs: 200 };
/** Enough to recognize a bad pattern, which would never end on a long text. */
const SHORT = { length: 10_000, limitMs: 5 };
/** So many units, those that were the slowest in short texts, are tried in long ones as well. */
const TRIED_LONG = 4;

const CHARACTERS = Array.from('1aA zé屋\u0301 \t\r\n-_.,:;/?&=%@+*#!\'"\\()[]{}<>|~\0\u2800');

/** Units of texts that people and attackers send. */
const UNITS = [
	'http://a',
	'https%3a%2f%2fa',
	'x-amz-',
	'a.a.',
	'a@',
	'a@a.',
	'[]',
	'[a',
	'"a',
	'\\"',
	'(a',
	'<a',
];
const MORE = [
	'1.',
	'1e',
	'-1',
	'a,',
	', ',
	'a b ',
	'\r\n',
	'\n ',
	'2026-01-01 ',
	'/custom/appointment/',
	'a=1&',
];

/** What makes a pattern fail after all that it has read. */
const ENDINGS = ['', '\0', '\n', ']x'];

/** A run of a text, with something before and after it. */
type Hostile = [before: string, unit: string, after: string];

/** One character for each set of a pattern's atoms that accept it: the pattern treats all others like one of these. */
function charactersOf({ source, flags }: RegExp): string[] {
	const atoms = [...source.matchAll(/\[(?:\\.|[^\]\\])*\]|\\p\{[^}]*\}|\\u[\da-f]{4}|\\x[\da-f]{2}|\\?./gi)];
	const sets = atoms.flatMap(([atom]) => {
		try {
			return [new RegExp(`^${atom}$`, flags.replace('g', ''))];
		} catch {
			return [];
		}
	});
	const byAtoms = new Map(
		CHARACTERS.map((character) => [sets.map((set) => set.test(character)).join(), character]),
	);
	return [...byAtoms.values()];
}

/** The words of a pattern, such as `x-amz-`: what it looks for before it reads on. */
function wordsOf({ source }: RegExp): string[] {
	const words = source
		.replace(/\\[pP]\{[^}]*\}|\\u[\da-f]{4}|\\\w|\(\?<?\w*[>:=!]?/g, '|')
		.replace(/\\/g, '');
	return [...new Set(words.match(/[\w%/:-]{2,}/g) ?? [])];
}

/** Texts that match, but for a long run of one of their characters. */
function runsIn({ source, flags }: RegExp): Hostile[] {
	const withoutSupport = /\\p\{|\\b|\(\?<?[!=]|\(\?<\w/.test(source);
	if (withoutSupport) return [];
	const texts = fc.stringMatching(new RegExp(source, flags.replace(/[gi]/g, '')));
	return fc
		.sample(texts, { numRuns: 2, seed: 37 })
		.flatMap((sample) =>
			Array.from(
				sample.slice(0, 40),
				(unit, at): Hostile => [sample.slice(0, at), unit, sample.slice(at + 1)],
			),
		);
}

/** Milliseconds of this process, so that other processes do not count. */
function timeOf(use: () => unknown): number {
	const began = process.cpuUsage();
	use();
	const { user, system } = process.cpuUsage(began);
	return (user + system) / 1000;
}

/** Milliseconds of the slowest use of a pattern; the best of three, because memory may be cleaned up meanwhile. */
function slowest(regex: RegExp, text: string, limitMs: number): number {
	const uses = [() => regex.test(text)];
	if (regex.global) {
		uses.push(() => text.replace(regex, '') === '');
		uses.push(() => text.matchAll(regex).next().done === true && text.match(regex) === null);
	}
	const best = (use: () => boolean) => {
		let ms = Infinity;
		for (let tries = 0; tries < 3 && ms > limitMs && (tries === 0 || ms < 5 * limitMs); tries++) {
			regex.lastIndex = 0;
			ms = Math.min(ms, timeOf(use));
		}
		return ms;
	};
	return Math.max(...uses.map(best));
}

/** The first hostile text that a pattern takes too long for; undefined for a good pattern. */
function slowText(regex: RegExp) {
	const measure = ([before, unit, after]: Hostile, { length, limitMs }: typeof SHORT) => {
		const ms = slowest(regex, before + unit.repeat(length / unit.length) + after, limitMs);
		return { text: `${before}${unit}…${after}`, length, ms, isSlow: ms > limitMs };
	};
	const characters = charactersOf(regex);
	const units = [...characters, ...UNITS, ...wordsOf(regex)];
	const pairs = characters.flatMap((one) => characters.map((other) => one + other));
	const runs = [...[...units, ...MORE].map((unit): Hostile => ['', unit, '']), ...runsIn(regex)];
	const texts = [
		...runs.flatMap(([before, unit, after]) => ENDINGS.map((end): Hostile => [before, unit, after + end])),
		...pairs.map((unit): Hostile => ['', unit, '\0']),
	];
	for (const text of texts) {
		const short = measure(text, SHORT);
		if (short.isSlow) return short;
	}
	const slowestUnits = units
		.map((unit) => [unit, measure(['', unit, '\0'], SHORT).ms] as const)
		.sort(([, one], [, other]) => other - one)
		.slice(0, TRIED_LONG);
	return slowestUnits.map(([unit]) => measure(['', unit, '\0'], LONG)).find(({ isSlow }) => isSlow);
}

/** A regular expression of the package, and where it is. */
interface Pattern {
	place: string;
	regex: RegExp;
}

/** The literals of a file. Patterns that are put together see at most 1,000 characters. */
function patternsIn(path: string): Pattern[] {
	const file = ts.createSourceFile(path, readFileSync(path, 'utf8'), ts.ScriptTarget.Latest);
	const patterns: Pattern[] = [];
	const visit = (node: ts.Node): void => {
		if (ts.isRegularExpressionLiteral(node)) {
			const [, source, flags] = /^\/(.*)\/(\w*)$/.exec(node.text)!;
			const { line } = file.getLineAndCharacterOfPosition(node.pos);
			patterns.push({
				place: `${path}:${line + 1} ${source.slice(0, 50)}`,
				regex: new RegExp(source, flags),
			});
		}
		ts.forEachChild(node, visit);
	};
	visit(file);
	return patterns;
}

/** What n8n itself runs on the link of a conversation. */
const [{ extractValue, validation }] = conversationReference.modes;
const BY_N8N = [extractValue!.regex, validation![0].properties.regex].map((regex) => ({
	place: `conversationId.ts ${regex.slice(0, 50)}`,
	regex: new RegExp(regex),
}));

const FILES = ['nodes', 'credentials'].flatMap((folder) =>
	readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((file) => join(folder, file)),
);
const PATTERNS = [...BY_N8N, ...FILES.filter((file) => file.endsWith('.ts')).flatMap(patternsIn)];

test('finds the patterns of nodes and credentials', () => {
	expect(PATTERNS.length).toBeGreaterThan(75);
});

// Each was in this package, and held n8n for seconds.
test.each([
	/^\s*[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?\s*$/i,
	/^\s*(undefined|null|nan|\[object Object\])?\s*$/i,
	/^(.*?)\s*((?:\[[^[\]]*\])+)$/s,
	/(https?:(?:\\?\/){2}[^\s"'?]+\?|https?%3a%2f%2f[^\s"'?]+?%3f)[^\s"']*/gi,
	/\b((?:x-(?:amz|goog)-[a-z-]+|signature|sig)(?:=|%3d))[^\s"'&]+/gi,
	/\/+$/,
	/[?#].*$/,
])('recognizes a slow pattern: %s', (pattern) => {
	expect(slowText(pattern)).toMatchObject({ length: SHORT.length });
});

test.each(PATTERNS)('reads a megabyte within 200 ms: $place', ({ regex }) => {
	expect(slowText(regex)).toBeUndefined();
});
