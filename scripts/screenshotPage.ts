/**
 * `npx tsx scripts/screenshotPage.ts` takes the screenshot of the sandbox's page in
 * docs/images/sandbox-page.png.
 */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { startSandbox } from '../sandbox';
import { launchBrowser } from '../playground/browser/launch';
import { startReceiver } from '../playground/webhook/receiver';
import { appointment, sendAppointment } from '../playground/sandboxStory';

const IMAGES = join(__dirname, '..', 'docs', 'images');

async function main(): Promise<void> {
	mkdirSync(IMAGES, { recursive: true });
	const sandbox = await startSandbox({ port: 8790, mediaPort: 8791, webhookRetryDelaysMs: [100] });
	// Refuses the first live event to show a retry.
	const receiver = await startReceiver((response) =>
		response.writeHead(receiver.received.length === 2 ? 503 : 200).end(),
	);
	const url = `${receiver.url}/webhook/conversation`;
	const browser = await launchBrowser();
	try {
		sandbox.webhooks.subscriptions.add({ url, secret: 'secret', customHeaders: { 'X-Receiver-Key': 'key' } });
		sandbox.webhooks.subscriptions.add({ url: 'https://example.com/crm/notes', enabled: false });
		const page = await browser.newPage({ viewport: { width: 1180, height: 1700 }, colorScheme: 'light' });
		await page.goto(sandbox.url);
		await page.getByRole('button', { name: 'Send test' }).first().click();
		await page.getByText('Test succeeded').waitFor();
		await sandbox.webhooks.emit({ count: 4, concurrency: 1 });
		await sendAppointment(sandbox, appointment(sandbox, 0, { result: 'Sold', price: 12_400 }));
		await sendAppointment(sandbox, appointment(sandbox, 1));
		await sendAppointment(sandbox, appointment(sandbox, 2));
		await page.getByRole('textbox', { name: 'API key' }).fill(sandbox.keys.organization);
		await page.getByRole('button', { name: 'Show events' }).click();
		await page.locator('#event-list summary').first().click();
		await page.locator('#delivery-list summary', { hasText: '503, 200' }).waitFor();
		await page.locator('#appointment-list').getByText('visit-1002').waitFor();
		await page.evaluate('scrollTo(0, 0)');
		await page.screenshot({ path: join(IMAGES, 'sandbox-page.png'), fullPage: true });
		console.log('docs/images/sandbox-page.png');
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
