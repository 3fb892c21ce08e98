/**
 * `npx tsx scripts/screenshotPage.ts` takes the pictures of the sandbox's page from the top to the deliveries:
 * docs/images/sandbox-page.png and sandbox-page.dark.png.
 */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { startSandbox } from '../sandbox';
import { launchBrowser } from '../harness/browser/launch';
import { startReceiver } from '../harness/webhook/receiver';

const IMAGES = join(__dirname, '..', 'docs', 'images');

async function main(): Promise<void> {
	mkdirSync(IMAGES, { recursive: true });
	const sandbox = await startSandbox({ port: 8790, webhookRetryDelaysMs: [100] });
	// Refuses the first live event to show a retry.
	const receiver = await startReceiver((response) =>
		response.writeHead(receiver.received.length === 2 ? 503 : 200).end(),
	);
	const url = `${receiver.url}/webhook/conversation`;
	const browser = await launchBrowser();
	try {
		sandbox.webhooks.subscriptions.add({ url, secret: 'secret', customHeaders: { 'X-Receiver-Key': 'key' } });
		sandbox.webhooks.subscriptions.add({ url: 'https://example.com/crm/notes', enabled: false });
		const page = await browser.newPage({ viewport: { width: 1180, height: 1700 }, deviceScaleFactor: 2 });
		await page.goto(sandbox.url);
		await page.getByRole('button', { name: 'Send test' }).first().click();
		await page.getByText('Test succeeded').waitFor();
		await sandbox.webhooks.emit({ count: 4, concurrency: 1 });
		await page.locator('#delivery-list summary', { hasText: '503, 200' }).waitFor();
		await page.evaluate('scrollTo(0, 0)');
		const box = await page.locator('#deliveries').boundingBox();
		if (box === null) throw new Error('The page shows no deliveries');
		for (const [colorScheme, name] of [
			['light', 'sandbox-page'],
			['dark', 'sandbox-page.dark'],
		] as const) {
			await page.emulateMedia({ colorScheme });
			const clip = { x: 0, y: 0, width: 1180, height: box.y + box.height + 16 };
			await page.screenshot({ path: join(IMAGES, `${name}.png`), clip });
			console.log(`docs/images/${name}.png`);
		}
	} finally {
		await browser.close();
		await receiver.close();
		await sandbox.close();
	}
}

main().catch((error: unknown) => {
	console.error(error);
	process.exitCode = 1;
});
