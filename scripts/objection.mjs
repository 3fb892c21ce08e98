// Plain JavaScript without packages, in words that Node 12 understands: it must run where nothing else here does.
import { readFileSync } from 'fs';
import { URL } from 'url';

const { engines } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));

/**
 * What speaks against running the repository's programs here, as a sentence; undefined when nothing does.
 *
 * @param {string} version - of Node, e.g. `20.18.1`
 * @param {string} platform - as `process.platform` has it
 */
export function objection(version, platform) {
	// Process groups are needed to leave nothing running.
	if (platform === 'win32') return 'On Windows, run this inside the Windows Subsystem for Linux.';
	const oldest = engines.node.replace('>=', '');
	const [have, need] = [version, oldest].map((text) => text.split('.').map(Number));
	const place = need.findIndex((number, at) => have[at] !== number);
	if (place < 0 || have[place] > need[place]) return undefined;
	return `Node ${version} is too old: ${oldest} or newer is needed. Install it and run the command again.`;
}
