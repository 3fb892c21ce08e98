import { chromium, type Browser } from 'playwright-core';
import { CHROMIUM, ensureTools } from '../tools';

/** Avoids background network requests, because the machine may be offline. */
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
 * Starts headless Chromium. Installs it first if needed and possible, which can take minutes.
 *
 * @throws {HarnessProblem} that names what is missing
 */
export async function launchBrowser(): Promise<Browser> {
	await ensureTools([CHROMIUM]);
	return await chromium.launch({ executablePath: CHROMIUM.find(), args: FLAGS });
}
