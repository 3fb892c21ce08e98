import { selectors, type Browser, type BrowserContextOptions, type Page } from 'playwright-core';
import type { RunningN8n } from '../n8n/start';
import { OWNER } from '../n8n/session';

/** How many times as long as on an idle machine everything in the browser may take. */
export const PATIENCE = Number(process.env.PATIENCE ?? 1);
const PAGE_LIMIT_MS = 30_000 * PATIENCE;

selectors.setTestIdAttribute('data-test-id');

/** Signs the owner in to the editor. Uses the form, because n8n ties its cookie to the browser. */
export async function signIn(
	browser: Browser,
	n8n: RunningN8n,
	options: BrowserContextOptions = {},
): Promise<Page> {
	const context = await browser.newContext({ viewport: { width: 1280, height: 860 }, ...options });
	context.setDefaultTimeout(PAGE_LIMIT_MS);
	const page = await context.newPage();
	await page.goto(`${n8n.url}/signin`);
	await page.locator('input[name=emailOrLdapLoginId]').fill(OWNER.email);
	await page.locator('input[type=password]').fill(n8n.password);
	await page.getByTestId('form-submit-button').click();
	await page.waitForURL((url) => !url.pathname.includes('signin'));
	return page;
}

/** Opens a workflow and the panel of a node, by default its first. */
export async function openNode(
	page: Page,
	n8n: RunningN8n,
	workflowId: string,
	nodeName?: string,
): Promise<void> {
	await page.goto(`${n8n.url}/workflow/${workflowId}`);
	const nodes = page.getByTestId('canvas-node');
	await (nodeName === undefined ? nodes : nodes.filter({ hasText: nodeName })).first().dblclick();
	await page.getByTestId('parameter-input').first().waitFor();
}
