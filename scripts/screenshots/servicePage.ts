import type { Browser } from 'playwright-core';
import { startReceiver } from '../../harness/webhook/receiver';
import { startSandbox } from '../../sandbox';
import { save } from './stage';

const VIEWPORT = { width: 1180, height: 1700 };

/** Takes the pictures of the local service's page, light and dark, from the top to the deliveries. */
export async function photographServicePage(browser: Browser): Promise<void> {
	const sandbox = await startSandbox({ port: 8790, webhookRetryDelaysMs: [100] });
	// Refuses the first live event to show a retry.
	const receiver = await startReceiver((response) =>
		response.writeHead(receiver.received.length === 2 ? 503 : 200).end(),
	);
	const url = `${receiver.url}/webhook/conversation`;
	const { webhooks } = sandbox;
	try {
		webhooks.subscriptions.add({ url, secret: 'secret', customHeaders: { 'X-Receiver-Key': 'key' } });
		webhooks.subscriptions.add({ url: 'https://example.com/crm/notes', enabled: false });
		const page = await browser.newPage({ viewport: VIEWPORT, deviceScaleFactor: 2, bypassCSP: true });
		await page.goto(sandbox.url);
		await page.getByRole('button', { name: 'Send test' }).first().click();
		await page.getByText('Test succeeded').waitFor();
		await webhooks.emit({ count: 4, concurrency: 1 });
		await page.locator('#delivery-list summary', { hasText: '503, 200' }).waitFor();
		await page.evaluate('scrollTo(0, 0)');
		const { y, height } = (await page.locator('#deliveries').boundingBox())!;
		for (const [colorScheme, name] of [
			['light', 'sandbox-page'],
			['dark', 'sandbox-page.dark'],
		] as const) {
			await page.emulateMedia({ colorScheme });
			await save(page, name, { x: 0, y: 0, width: VIEWPORT.width, height: y + height + 16 });
		}
		await page.close();
	} finally {
		await receiver.close();
		await sandbox.close();
	}
}
