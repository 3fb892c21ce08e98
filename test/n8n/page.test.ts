import type { Browser, Locator, Page } from 'playwright-core';
import { type Sandbox, startSandbox } from '../../sandbox';
import { launchBrowser } from '../../harness/browser/launch';
import { Receiver } from '../../harness/webhook/receiver';
import { appointment, sendAppointment } from '../../harness/sendAppointment';
import { expectAccessible } from '../support/accessible';
import { useServers } from '../support/testbed';

let browser: Browser;
let sandbox: Sandbox;
let page: Page;
/** The statuses of the receiver's next responses, then 200. */
let statuses: number[];
/** Errors of the page, and addresses of other hosts that it asks. */
let problems: string[];
const [receiver] = useServers(
	new Receiver((response) => response.writeHead(statuses.shift() ?? 200).end('Body of the receiver')),
);

beforeAll(async () => void (browser = await launchBrowser()), 300_000);
afterAll(() => browser?.close());

beforeEach(async () => {
	statuses = [];
	problems = [];
	receiver.received = [];
	sandbox = await startSandbox({ conversations: 20, webhookRetryDelaysMs: [50] });
	page = await browser.newPage();
	page.setDefaultTimeout(10_000);
	page.on('pageerror', (error) => problems.push(error.message));
	page.on('request', (request) => {
		if (!request.url().startsWith(`${sandbox.url}/`)) problems.push(request.url());
	});
	await page.goto(sandbox.url);
	await page.getByText(sandbox.exportUrl).waitFor();
});
afterEach(async () => {
	await page.close();
	await sandbox.close();
	expect(problems).toEqual([]);
});

const section = (name: string): Locator => page.getByRole('region', { name, exact: true });
const button = (name: string): Locator => page.getByRole('button', { name, exact: true });
const message = (text: string) => page.getByRole('status').filter({ hasText: text }).waitFor();

function addMail(subject: string, html: string) {
	const to = [{ name: '', address: 'lead@example.com' }];
	const date = new Date().toISOString();
	const attachments = [{ filename: 'week & more.csv', content: new TextEncoder().encode('id;title') }];
	sandbox.mails.push({ subject, to, html, date, attachments, headers: [] } as never);
}

describe("The local service's page in a browser", () => {
	it('shows the addresses and keys, and sends requests only to the local service', async () => {
		await expect(page.title()).resolves.toBe('Local Service');
		const text = await section('Connect').innerText();
		const { signingSecret } = sandbox.options;
		for (const value of [sandbox.crmUrl, signingSecret, ...Object.values(sandbox.keys)])
			expect(text).toContain(value);
	});

	it('says which rule a custom header breaks, adds a subscription, sends it a test, and shows the status', async () => {
		statuses = [202, 401];
		await page.getByText('Add a subscription').click();
		await page.getByLabel('Endpoint URL').fill(receiver.url);
		await page.getByLabel('Signing secret (optional)').fill('top secret');
		const headers = page.getByLabel('Custom headers (optional');
		await headers.fill('Host: x');
		await button('Add subscription').click();
		await message('The header "Host" is reserved and cannot be set.');
		// The field has the focus and is described by its error.
		const id = (await headers.getAttribute('id')) ?? '';
		await page.locator(`[id="${id}-error"]`).filter({ hasText: 'The header "Host" is reserved' }).waitFor();
		expect(await headers.getAttribute('aria-describedby')).toContain(`${id}-error`);
		expect(await headers.getAttribute('aria-invalid')).toBe('true');
		await expect(page.evaluate('document.activeElement.id')).resolves.toBe(id);
		expect(sandbox.webhooks.subscriptions.list()).toEqual([]);

		// The other fields have kept their values.
		await headers.fill('X-Receiver-Key: abc');
		await button('Add subscription').click();
		await message('The subscription was added.');
		for (const status of [202, 401]) {
			await button('Send test').click();
			await message(`HTTP ${status}`);
		}
		const [{ headers: sent, json }] = receiver.received;
		const signature = expect.stringMatching(/^sha256=[0-9a-f]{64}$/);
		expect(json.event_type).toBe('test');
		expect(sent).toMatchObject({ 'x-receiver-key': 'abc', 'x-service-signature': signature });
		expect(await page.content()).not.toContain('top secret');

		for (const name of ['Disable', 'Enable', 'Delete']) {
			await button(name).click();
			await message(`The subscription was ${name.toLowerCase()}d.`);
		}
		expect(sandbox.webhooks.subscriptions.list()).toEqual([]);
	});

	it('announces conversations, and shows deliveries with their attempts and dead letters', async () => {
		statuses = [500, 200, 503, 503];
		sandbox.webhooks.subscriptions.add({ url: receiver.url });
		await button('Announce as processed').click();
		const rows = page.locator('#delivery-list tbody > tr');
		await rows.filter({ hasText: 'Delivered' }).filter({ hasText: '500, 200' }).waitFor();
		await button('Announce as processed').click();
		await rows.filter({ hasText: 'Failed' }).filter({ hasText: '503, 503' }).waitFor();
		await page.getByText('Every subscription failed 2 times.').waitFor();
		await rows.last().getByText('500, 200').click();
		await page.getByText('Round 2: 200').getByText('Body of the receiver').waitFor();
		await rows.last().getByRole('link').click();
		const id: string = receiver.received[0].json.data.conversation_id;
		await page.waitForURL(`${sandbox.url}/app/conversations/${id}`);
		await page.getByText('"conversationId"').waitFor();
		expect(receiver.received).toHaveLength(4);
	});

	it('shows appointments, and the events of a pasted key', async () => {
		await sendAppointment(sandbox, appointment(sandbox, 1, { custom_fields: { 'Gate code': '<b>7</b>' } }));
		await page.locator('#appointment-list').getByText('visit-1001').waitFor();
		await page.getByRole('textbox', { name: 'API key' }).fill('nobody');
		await button('Show events').click();
		await message('This key is not known.');
		await page.getByRole('textbox', { name: 'API key' }).fill(sandbox.keys.organization);
		await button('Show events').click();
		await page.locator('#event-list summary').click();
		await page.getByText('"Gate code": "<b>7</b>"').first().waitFor();
		expect(await page.locator('#event-list b').count()).toBe(0);
	});

	it('does not show a Test URL that nobody listens to as a failure', async () => {
		statuses = [404, 404, 404, 404, 404, 404];
		sandbox.webhooks.subscriptions.add({ url: `${receiver.url}/webhook-test/x` });
		await sandbox.webhooks.emit({ count: 1 });
		await page.locator('#delivery-list').getByText('Test URL, not listening').waitFor();
		expect(await page.locator('#delivery-list .bad').count()).toBe(0);
	});

	it('lists mails, newest first, and opens each as a mail client would show it', async () => {
		await section('Mails').getByText('No mails yet.').waitFor();
		addMail('First', '<p>First</p>');
		const green = '<p style="color: rgb(0, 128, 0)">Second</p>';
		addMail('Second', `${green}<script>document.body.append("run")</script>`);
		const links = section('Mails').getByRole('link');
		await links.nth(1).waitFor();
		expect(await links.allInnerTexts()).toEqual(['Second', 'First']);
		await section('Mails').getByText('lead@example.com').first().waitFor();
		const [mail] = await Promise.all([page.waitForEvent('popup'), links.first().click()]);
		const text = mail.locator('p');
		expect(await text.evaluate('getComputedStyle(document.querySelector("p")).color')).toBe('rgb(0, 128, 0)');
		expect(await mail.locator('body').innerText()).toMatch(
			/^To: lead@example.com\nSubject: Second\nAttachments: week & more\.csv\s+Second$/,
		);
		const attachment = await page.request.get(`${mail.url()}/0`);
		expect(await attachment.text()).toBe('id;title');
		expect(attachment.headers()['content-disposition']).toBe(
			"attachment; filename*=UTF-8''week%20%26%20more.csv",
		);
		await mail.close();
	});

	it.each([390, 1180])('fits a window of %i pixels and is accessible in both colours', async (width) => {
		sandbox.webhooks.subscriptions.add({ url: receiver.url, customHeaders: { 'X-Key': '1' } });
		await sandbox.webhooks.emit({ count: 2 });
		await sendAppointment(sandbox, appointment(sandbox, 1, { title: 'Window'.repeat(30) }));
		addMail('Subject'.repeat(30), '');
		await button('Add fault').click();
		await page.getByText('Add a subscription').click();
		for (const list of ['delivery', 'appointment', 'mail', 'fault']) {
			await page.locator(`#${list}-list table`).waitFor();
		}
		await expectAccessible(page, width);
	});
});
