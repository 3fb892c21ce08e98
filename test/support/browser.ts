import { existsSync } from 'node:fs';
import { chromium, type Browser } from 'playwright-core';

const EXECUTABLE = process.env.CHROMIUM_PATH ?? '/usr/bin/chromium';

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

/**
 * Starts Debian's Chromium without a window.
 *
 * @throws Error that says in one sentence what is missing
 */
export async function launchBrowser(): Promise<Browser> {
	if (!existsSync(EXECUTABLE)) {
		throw new Error(
			`There is no browser at ${EXECUTABLE}: install Chromium (apt-get install chromium) or set CHROMIUM_PATH.`,
		);
	}
	return await chromium.launch({ executablePath: EXECUTABLE, args: FLAGS });
}
