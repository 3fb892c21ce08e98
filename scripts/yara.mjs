/**
 * `node scripts/yara.mjs <folder of rules> <folder of the package>` scans every file of the unpacked package with YARA rules for
 * threats (`threat-*.yar`), as n8n's own scanner does. The nightly run takes the rules that GuardDog publishes.
 */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Compiler, initSync } from '@virustotal/yara-x';

const [rulesFolder, packageFolder] = process.argv.slice(2);
const wasm = join(fileURLToPath(import.meta.resolve('@virustotal/yara-x')), '../yara_x_js_bg.wasm');
initSync({ module: readFileSync(wasm) });

const filesIn = (folder) =>
	readdirSync(folder, { recursive: true })
		.map((name) => join(folder, name))
		.filter((path) => statSync(path).isFile());

const compiler = new Compiler();
const sources = filesIn(rulesFolder).filter((path) => /threat-[^/]*\.yara?$/.test(path));
if (sources.length === 0) throw new Error(`${rulesFolder} has no file threat-*.yar.`);
for (const path of sources) {
	compiler.newNamespace(path);
	compiler.addSource(readFileSync(path, 'utf8'));
}
const rules = compiler.build();

/** Whether a rule is about a file: GuardDog's rules name the endings that they are about. */
const isAbout = ({ metadata }, path) => {
	const { value } = metadata.find(({ identifier }) => identifier === 'path_include') ?? {};
	return !value || value.split(',').some((pattern) => path.endsWith(pattern.replace('*', '')));
};
const files = filesIn(packageFolder);
const found = files.flatMap((path) =>
	rules
		.scan(readFileSync(path))
		.matches.filter((match) => isAbout(match, path))
		.map(({ identifier }) => `${identifier}: ${path}`),
);
console.log(`${sources.length} files of rules found ${found.length} threats in ${files.length} files.`);
for (const threat of found) console.log(threat);
if (found.length > 0) process.exitCode = 1;
