/** `node scripts/houseRules.mjs`, a part of `npm run lint`: rules that no linter has. */
import { readdirSync, readFileSync } from 'node:fs';

const report = (problem) => {
	console.error(problem);
	process.exitCode = 1;
};

// npm would install a package without a checksum unchecked. The registry did not serve it when the lock file was written:
// lock the previous version.
const versions = ['harness/versions', 'test/versions'].flatMap((parent) =>
	readdirSync(parent).map((name) => `${parent}/${name}`),
);
for (const folder of ['.', ...versions]) {
	const { packages } = JSON.parse(readFileSync(`${folder}/package-lock.json`, 'utf8'));
	for (const [path, { integrity, version }] of Object.entries(packages))
		if (path !== '' && !integrity) report(`${folder} has no checksum for ${path} ${version}.`);
}

// No name stands for two things, so none is declared at the top of two files of `nodes/`, except what each node has of its own.
// A name says what is in a file, so no two files of `nodes/` have the same one.
const SAME = ['MINUTE_MS', 'properties', 'readSettings', 'resources'];
const DECLARATION = /^(?:export )?(?:abstract |async )?(?:class|const|function|interface|let|type) (\w+)/gm;
const fileOf = new Map();
for (const path of readdirSync('nodes', { recursive: true }).filter((name) => name.endsWith('.ts'))) {
	const declared = readFileSync(`nodes/${path}`, 'utf8').matchAll(DECLARATION);
	for (const name of [path.split('/').at(-1), ...[...declared].map(([, name]) => name)]) {
		const known = fileOf.get(name) ?? path;
		fileOf.set(name, known);
		if (known !== path && !SAME.includes(name)) report(`${known} and ${path} share the name ${name}.`);
	}
}
