// `node scripts/completeLock.mjs`: enters into the lock file the optional packages of other platforms that a registry did not
// serve when it was written. `npm ci` refuses a lock file that leaves any of them out, on every platform.
import { readFileSync, writeFileSync } from 'node:fs';

const FILE = 'package-lock.json';
const SYSTEMS = [
	'aix',
	'android',
	'darwin',
	'freebsd',
	'linux',
	'netbsd',
	'openbsd',
	'openharmony',
	'sunos',
	'win32',
];
const PROCESSORS = [
	'arm',
	'arm64',
	'ia32',
	'loong64',
	'mips64el',
	'ppc64',
	'riscv64',
	's390x',
	'wasm32',
	'x64',
];

const lock = JSON.parse(readFileSync(FILE, 'utf8'));

/** Whether a package that is needed at a path is there or in a folder above, as Node looks it up. */
function isLocked(path, name) {
	for (
		let folder = path;
		;
		folder = folder.slice(0, folder.lastIndexOf('node_modules/')).replace(/\/$/, '')
	) {
		if (`${folder}${folder && '/'}node_modules/${name}` in lock.packages) return true;
		if (folder === '') return false;
	}
}

/** The platform stands in the name, and keeps npm from fetching the package elsewhere. */
function entryOf(name, version, isDev) {
	const words = name.split(/[/-]/);
	const [system] = SYSTEMS.filter((one) => words.includes(one));
	const [processor] = PROCESSORS.filter((one) => words.includes(one));
	return {
		version: version.replace(/^[\^~]/, ''),
		...(processor && { cpu: [processor] }),
		...(isDev && { dev: true }),
		optional: true,
		...(system && { os: [system] }),
	};
}

let added = 0;
for (const [path, { optionalDependencies = {}, dev }] of Object.entries(lock.packages)) {
	for (const [name, version] of Object.entries(optionalDependencies)) {
		if (isLocked(path, name)) continue;
		lock.packages[`node_modules/${name}`] = entryOf(name, version, dev);
		added++;
	}
}
lock.packages = Object.fromEntries(Object.entries(lock.packages).sort(([a], [b]) => (a < b ? -1 : 1)));
writeFileSync(FILE, `${JSON.stringify(lock, null, '\t')}\n`);
console.log(`${added} optional packages of other platforms added to ${FILE}.`);
