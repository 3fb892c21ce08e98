import { chromium, type Browser } from 'playwright-core';
import { ensureTools } from '../tools/install';
import { CHROMIUM } from '../tools/systemTools';

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
 * Starts a Chromium without a window; installs it first where that may be done (allow minutes).
 *
 * @throws {PlaygroundProblem} that says what is missing
 */
export async function launchBrowser(): Promise<Browser> {
	await ensureTools([CHROMIUM]);
	return await chromium.launch({ executablePath: CHROMIUM.find(), args: FLAGS });
}
