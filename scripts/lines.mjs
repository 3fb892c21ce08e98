// `node scripts/lines.mjs` counts the lines of TypeScript, JavaScript, CSS and HTML in git, by folder, with what is wanted.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

const WANTED = {
	'nodes/ credentials/': 10_500,
	'test/nodes/': 13_500,
	'test/service/': 2_100,
	'test/n8n/': 3_800,
	'test/repo/': 700,
	'test/support/': 1_700,
	'sandbox/ harness/ bench/ scripts/ playground/': 10_200,
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
row('all but nodes/ and credentials/', linesIn('') - linesIn('nodes/ credentials/'), 33_000);
