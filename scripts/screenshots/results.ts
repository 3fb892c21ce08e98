import type { Browser } from 'playwright-core';
import { save } from './stage';

/** What a picture shows of an HTML document. */
export interface Document {
	html: string;
	width: number;
	/** Text of the last section in it; without one, all of it. */
	end?: string;
}

interface Picture extends Document {
	/** Of the file, without `.png`. */
	name: string;
	colorScheme: 'light' | 'dark';
}

const escaped = (text: unknown) =>
	`${text ?? ''}`.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;');

const COLORS =
	'color-scheme: light dark; background: light-dark(#fff, #1a1d21); color: light-dark(#1d1c1d, #d1d2d3)';
const LINK = 'color: light-dark(#1264a3, #1d9bd1); text-decoration: none';

/** Messages of a bot in Slack, as their readers see them; the text is mrkdwn. */
export function slackMessages(texts: string[]): string {
	const messages = texts.map((text) => {
		const html = escaped(text)
			.replace(/&lt;[^|]+?\|(.+?)&gt;/g, `<a style="${LINK}">$1</a>`)
			.replace(/\*(.+?)\*/g, '<b>$1</b>');
		return `<p style="display: flex; gap: 12px; margin: 0; padding: 10px 20px">
			<span style="flex: none; width: 40px; height: 40px; border-radius: 8px; background: #ea4b71"></span>
			<span style="white-space: pre-line"><b>n8n</b> <small style="opacity: 0.7">APP  9:05</small>\n${html}</span></p>`;
	});
	return `<!doctype html><body style="${COLORS}; margin: 0; padding: 6px 0; font: 15px/1.5 Lato, Helvetica, Arial, sans-serif">${messages.join('')}`;
}

/** Takes a picture of the top of a document, as its reader sees it. */
export async function photographDocument(
	browser: Browser,
	{ html, width, end, name, colorScheme }: Picture,
): Promise<void> {
	const viewport = { width, height: 1200 };
	const page = await browser.newPage({ colorScheme, deviceScaleFactor: 2, viewport });
	await page.setContent(html);
	const last = end === undefined ? page.locator('body') : page.locator('section', { hasText: end });
	const { y, height } = (await last.boundingBox())!;
	const margin = end === undefined ? 0 : 16;
	await save(page, name, { x: 0, y: 0, width, height: Math.ceil(y + height) + margin });
	await page.close();
}
