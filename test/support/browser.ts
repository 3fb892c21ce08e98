import { existsSync } from 'node:fs';
import { chromium, type Browser } from 'playwright-core';
import { runCommand } from '../../playground/processes/command';

/** Where Debian, Ubuntu and its runners keep a Chromium. */
const PLACES = [
	process.env.CHROMIUM_PATH,
	'/usr/bin/chromium',
	'/usr/bin/chromium-browser',
	'/usr/bin/google-chrome',
];

/** Quiet, and without a look outside: the machine may have no network. */
const FLAGS = [
	'--no-sandbox',
	'--disable-gpu',
	'--disable-quic',
	'--no-first-run',
	'--disable-background-networking',
	'--disable-component-update',
	'--disable-sync',
];

const findBrowser = () => PLACES.find((place) => place !== undefined && existsSync(place));

/** Installs Debian's Chromium where that may be done: as root on a system with apt-get. */
async function installBrowser(): Promise<void> {
	if (process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) return;
	const options = { cwd: '/', env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' } };
	await runCommand('apt-get', ['update', '-qq'], options);
	await runCommand('apt-get', ['install', '-y', '-qq', '--no-install-recommends', 'chromium'], options);
}

/**
 * Starts a Chromium without a window; installs it first where that may be done (allow minutes).
 *
 * @throws Error that says in one sentence what is missing
 */
export async function launchBrowser(): Promise<Browser> {
	if (!findBrowser()) await installBrowser();
	const executablePath = findBrowser();
	if (!executablePath) {
		throw new Error(
			'There is no Chromium: install it (on Debian: apt-get install chromium) or set CHROMIUM_PATH to one.',
		);
	}
	return await chromium.launch({ executablePath, args: FLAGS });
}
