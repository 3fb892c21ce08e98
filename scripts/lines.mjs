// `node scripts/lines.mjs` counts the lines of TypeScript, JavaScript, CSS and HTML in git, by folder, with what is wanted.
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
const files = execFileSync('git', ['ls-files', ...patterns], { encoding: 'utf8' })
	.trim()
	.split('\n');
/** The lines of the files in some folders, separated by blanks. */
const linesIn = (folders) =>
	files
		.filter((file) => folders.split(' ').some((folder) => file.startsWith(folder)))
		.reduce((sum, file) => sum + readFileSync(file, 'utf8').split('\n').length - 1, 0);
const row = (name, lines, wanted) =>
	console.log(`${String(lines).padStart(7)} ${String(wanted).padStart(7)}  ${name}`);

row('folder', 'lines', 'wanted');
for (const [folders, wanted] of Object.entries(WANTED)) row(folders, linesIn(folders), wanted);
row('all but nodes/ and credentials/', linesIn('') - linesIn('nodes/ credentials/'), 25_000);
