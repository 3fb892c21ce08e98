// Runs before the programs that users start first, and explains why they cannot run on this system. Plain JavaScript for
// Node 12 without packages, because it must run where nothing else does.
import { readFileSync } from 'fs';
import { fileURLToPath, URL } from 'url';

const { engines } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));

/** Explains why the repository's programs cannot run on a system; undefined if they can. */
export function objection(version, platform) {
	// Windows lacks process groups, without which processes could be left running.
	if (platform === 'win32') return 'On Windows, run this inside the Windows Subsystem for Linux.';
	const oldest = engines.node.replace('>=', '');
	const [have, need] = [version, oldest].map((text) => text.split('.').map(Number));
	const place = need.findIndex((number, at) => have[at] !== number);
	if (place < 0 || have[place] > need[place]) return undefined;
	return `Node ${version} is too old. Install Node ${oldest} or newer and run the command again.`;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
	const message = objection(process.versions.node, process.platform);
	if (message) {
		console.error(message);
		process.exitCode = 1;
	}
}
