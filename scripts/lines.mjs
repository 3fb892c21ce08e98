// `node scripts/lines.mjs` counts the files and lines of TypeScript, JavaScript, CSS and HTML in git, by folder, with what is wanted.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

const WANTED = {
	'nodes/ credentials/': 10_900,
	'test/nodes/': 10_000,
	'test/service/': 900,
	'test/n8n/': 3_800,
	'test/repo/': 600,
	'test/support/': 1_600,
	'sandbox/': 3_300,
	'harness/': 2_300,
	'bench/': 1_000,
	'scripts/': 1_000,
	'playground/': 400,
};

const patterns = ['*.ts', '*.js', '*.mjs', '*.cjs', '*.css', '*.html'];
const all = execFileSync('git', ['ls-files', ...patterns], { encoding: 'utf8' })
	.trim()
	.split('\n');
const isIn = (folders) => (file) => folders.split(' ').some((folder) => file.startsWith(folder));
const linesOf = (file) => readFileSync(file, 'utf8').split('\n').length - 1;
const count = (files, wanted) => {
	const lines = files.map(linesOf).reduce((sum, more) => sum + more, 0);
	return { files: files.length, lines, wanted };
};

const rows = Object.entries(WANTED).map(([folders, wanted]) => [
	folders,
	count(all.filter(isIn(folders)), wanted),
]);
const [own] = Object.keys(WANTED);
const around = all.filter((file) => !isIn(own)(file));
console.table(Object.fromEntries([...rows, [`all but ${own}`, count(around, 25_000)]]));
