import { chromium, type Browser } from 'playwright-core';
import { CHROMIUM, ensureTools } from '../tools';

/** Avoids background network requests, because the machine may be offline. */
const OFFLINE = '--disable-quic --disable-background-networking --disable-component-update --disable-sync';
const FLAGS = ['--no-sandbox', '--disable-gpu', '--no-first-run', ...OFFLINE.split(' ')];

/**
 * Starts headless Chromium. Installs it first if needed and possible, which can take minutes.
 * @throws {HarnessProblem} that names what is missing
 */
export async function launchBrowser(): Promise<Browser> {
	await ensureTools([CHROMIUM]);
	return await chromium.launch({ executablePath: CHROMIUM.find(), args: FLAGS });
}
