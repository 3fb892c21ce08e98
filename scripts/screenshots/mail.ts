import type { Browser } from 'playwright-core';
import { save } from './save';

/** As wide as the mail's text, with a margin. */
const WIDTH = 680;

/** Takes a picture of the top of a mail, up to the end of its section about teams, as its reader sees it. */
export async function photographMail(
	browser: Browser,
	{ html, name, colorScheme }: { html: string; name: string; colorScheme: 'light' | 'dark' },
): Promise<void> {
	const viewport = { width: WIDTH, height: 1200 };
	const page = await browser.newPage({ colorScheme, deviceScaleFactor: 2, viewport });
	await page.setContent(html);
	const { y, height } = (await page.locator('section', { hasText: 'Teams' }).boundingBox())!;
	await save(page, name, { x: 0, y: 0, width: WIDTH, height: Math.ceil(y + height) + 16 });
	await page.close();
}
