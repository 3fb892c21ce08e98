/**
 * `npm run release`: the first job of the release workflow. Refuses what must not be published, then packs the tarball,
 * scans it and lists what it ships. With `--dry-run` it also goes on where it would refuse, and needs no tag.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';

const isDryRun = process.argv.includes('--dry-run');
const tag = process.env.GITHUB_REF_NAME;
const run = (...command) => execFileSync(command[0], command.slice(1), { encoding: 'utf8' });
const { name, version } = JSON.parse(readFileSync('package.json', 'utf8'));
const { published, ...identity } = JSON.parse(readFileSync('identity.json', 'utf8'));
const placeholders = Object.entries(identity)
	.filter(([, value]) => /\bexample\b/i.test(value))
	.map(([key]) => key);
const changes = readFileSync('CHANGELOG.md', 'utf8').split(/^## /m);
const section = changes.find((text) => text.startsWith(`[${version}]`)) ?? '';
const fails = (...command) => spawnSync(command[0], command.slice(1), { stdio: 'inherit' }).status !== 0;

const refusals = Object.entries({
	[`identity.json has placeholders: ${placeholders.join(', ')}.`]: placeholders.length > 0,
	[`The tag is ${tag}, the package is ${version}.`]: !isDryRun && tag !== `v${version}`,
	[`CHANGELOG.md does not say what users must do for ${version}: it needs a heading and "**To do:**".`]:
		!section.includes('**To do:**'),
	'identity.json says that the package is not published, so its pages would say it, too: set "published" to true.':
		!published,
	'What pages say is out of date: run "npm run generate".': fails(
		'npx',
		'tsx',
		'scripts/generate.ts',
		'--check',
	),
	'Benchmarks are of older code: measure those that "npm run bench -- check" names.': fails(
		'npm',
		'run',
		'--silent',
		'bench',
		'--',
		'check',
	),
	'There are changes that are not committed.': run('git', 'status', '--porcelain') !== '',
})
	.filter(([, isRefused]) => isRefused)
	.map(([reason]) => reason);

for (const reason of refusals) console.error(isDryRun ? `A release would be refused: ${reason}` : reason);
if (refusals.length > 0 && !isDryRun) process.exit(1);

const tarball = run('node', 'scripts/pack.mjs').trim().split('\n').at(-1);
console.log(run('node', 'scripts/gate.mjs', tarball).trim());
// Lists what the package ships: only itself. n8n provides the rest.
const sbom = 'sbom --package-lock-only --omit dev --omit peer --sbom-format cyclonedx'.split(' ');
writeFileSync('release/sbom.cdx.json', run('npm', ...sbom));
// Without the heading, which names the version again.
writeFileSync('release/notes.md', section.slice(section.indexOf('\n')).trim());
const sha256 = createHash('sha256').update(readFileSync(tarball)).digest('hex');
// A pre-release is installed only by those who ask for it.
const distTag = version.includes('-') ? 'next' : 'latest';
console.log(`${tarball}\nsha256 ${sha256}\n${name}@${version} would get the dist-tag "${distTag}".`);
if (process.env.GITHUB_OUTPUT) {
	appendFileSync(process.env.GITHUB_OUTPUT, `sha256=${sha256}\ndist-tag=${distTag}\nversion=${version}\n`);
}
