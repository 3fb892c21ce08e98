// `node scripts/checkTag.mjs v1.2.3` fails unless a release's tag matches the package's version.
import { readFileSync } from 'node:fs';
import { URL } from 'node:url';

const [tag] = process.argv.slice(2);
const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
if (tag !== `v${version}`) {
	console.error(`The tag is "${tag}", but package.json has version ${version}. Use the tag v${version}.`);
	process.exitCode = 1;
}
