// `node scripts/lines.mjs` counts the lines of TypeScript, JavaScript, CSS and HTML in git, by folder, with what is wanted.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

const WANTED = [
	[['nodes/', 'credentials/'], 10_500],
	[['test/nodes/'], 13_500],
	[['test/service/'], 2_100],
	[['test/n8n/'], 3_800],
	[['test/repo/'], 700],
	[['test/support/'], 1_700],
	[['sandbox/', 'harness/', 'bench/', 'scripts/', 'playground/'], 10_200],
];

const files = execFileSync('git', ['ls-files', '*.ts', '*.js', '*.mjs', '*.cjs', '*.css', '*.html'], {
	encoding: 'utf8',
});
const counts = files
	.trim()
	.split('\n')
	.map((file) => [file, readFileSync(file, 'utf8').split('\n').length - 1]);
const linesOf = (isCounted) =>
	counts.filter(([file]) => isCounted(file)).reduce((sum, [, lines]) => sum + lines, 0);
const isIn = (folders) => (file) => folders.some((folder) => file.startsWith(folder));
const row = (name, lines, wanted) =>
	console.log(`${String(lines).padStart(7)} ${String(wanted).padStart(7)}  ${name}`);

row('folder', 'lines', 'wanted');
for (const [folders, wanted] of WANTED) row(folders.join(' '), linesOf(isIn(folders)), wanted);
row(
	'all but nodes/ and credentials/',
	linesOf((file) => !isIn(WANTED[0][0])(file)),
	33_000,
);
