// `node scripts/completeLock.mjs` adds optional packages for other platforms that are missing from the lock file because
// the registry lacked them. Without them, `npm ci` refuses the lock file on every platform.
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

/** Whether a package is locked at a path or in a folder above, where Node would find it. */
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

/** Takes the platform from the name, so that npm does not install the package on others. */
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
console.log(`Added ${added} optional packages for other platforms to ${FILE}.`);
