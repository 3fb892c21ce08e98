import { readFileSync } from 'node:fs';
import type { Browser, Locator, Page } from 'playwright-core';
import { type Sandbox, startSandbox } from '../../sandbox';
import { launchBrowser } from '../../harness/browser/launch';
import { type Receiver, startReceiver } from '../../harness/webhook/receiver';
import { appointment, sendAppointment } from '../../harness/sendAppointment';

const axe = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');

let browser: Browser;
let sandbox: Sandbox;
let receiver: Receiver;
let page: Page;
/** The statuses of the receiver's next responses, then 200. */
let statuses: number[];
let problems: string[];
let foreign: string[];

beforeAll(async () => {
	browser = await launchBrowser();
}, 300_000);
afterAll(() => browser?.close());

beforeEach(async () => {
	statuses = [];
	problems = [];
	foreign = [];
	sandbox = await startSandbox({ conversations: 20, webhookRetryDelaysMs: [50] });
	receiver = await startReceiver(
		(response) => void response.writeHead(statuses.shift() ?? 200).end('Body of the receiver'),
	);
	page = await browser.newPage();
	page.setDefaultTimeout(10_000);
	page.on('pageerror', (error) => problems.push(error.message));
	page.on('request', (request) => {
		if (!request.url().startsWith(`${sandbox.url}/`)) foreign.push(request.url());
	});
	await page.goto(sandbox.url);
	await page.getByText(sandbox.exportUrl).waitFor();
});
afterEach(async () => {
	await page.close();
	await sandbox.close();
	await receiver.close();
	expect(problems).toEqual([]);
});

const section = (name: string): Locator => page.getByRole('region', { name, exact: true });
const button = (name: string): Locator => page.getByRole('button', { name, exact: true });
const message = (text: string) => page.getByRole('status').filter({ hasText: text }).waitFor();

function addMail(subject: string, html: string) {
	const to = [{ name: '', address: 'lead@example.com' }];
	sandbox.mails.push({
		subject,
		to,
		html,
		date: new Date().toISOString(),
		attachments: [],
		headers: [],
	} as never);
}

/** Waits until a field has the focus and is described by its error. */
async function expectError(field: Locator, text: string) {
	const id = (await field.getAttribute('id')) ?? '';
	await page.locator(`[id="${id}-error"]`).filter({ hasText: text }).waitFor();
	expect(await field.getAttribute('aria-describedby')).toContain(`${id}-error`);
	expect(await field.getAttribute('aria-invalid')).toBe('true');
	await expect(page.evaluate('document.activeElement.id')).resolves.toBe(id);
}

async function addSubscription(header: [string, string] = ['X-Receiver-Key', 'abc']) {
	await page.getByText('Add a subscription').click();
	await page.getByLabel('Endpoint URL').fill(receiver.url);
	await page.getByLabel('Signing secret (optional)').fill('top secret');
	await page.getByLabel('Custom headers (optional').fill(header.join(': '));
	await button('Add subscription').click();
}

describe("The local service's page in a browser", () => {
	it('shows the addresses and keys, and sends requests only to the local service', async () => {
		await expect(page.title()).resolves.toBe('Local Service');
		const text = await section('Connect').innerText();
		const { signingSecret } = sandbox.options;
		for (const value of [sandbox.crmUrl, signingSecret, ...Object.values(sandbox.keys)])
			expect(text).toContain(value);
		expect(foreign).toEqual([]);
	});

	it('shows the range of the data, and extends it when data is added', async () => {
		await page.getByText(/^20 conversations from .* 2023 to .* 2025/).waitFor();
		sandbox.control.insertConversations({ date: '2026-03-04T12:00:00Z' });
		const extent = page.locator('#totals');
		await extent.getByText('21 conversations').waitFor();
		expect(await extent.innerText()).toMatch(/^21 conversations from .* 2023 to Mar 4, 2026/);
	});

	it('fills in the signing secret that Connect shows', async () => {
		await page.getByText('Add a subscription').click();
		expect(await page.getByLabel('Signing secret (optional)').inputValue()).toBe('sandbox-signing-secret');
	});

	it('shows a message in its section without covering anything, until a later failure replaces it', async () => {
		await button('Add fault').click();
		await message('The fault was added.');
		const visible = page.locator('output:not(:empty)');
		expect(await visible.evaluateAll((found) => found.map(({ textContent }) => textContent))).toEqual([
			'The fault was added.',
		]);
		await page.getByRole('textbox', { name: 'API key' }).fill('nobody');
		await button('Show events').click();
		await message('This key is not known.');
		await expect(visible.count()).resolves.toBe(1);
		await button('Clear all').click();
		await message('All faults were removed.');
		await expect(visible.count()).resolves.toBe(1);
		const position = await page.evaluate("getComputedStyle(document.querySelector('output')).position");
		expect(position).toBe('static');
	});

	it('adds a subscription, sends a signed test with its header, and shows the status', async () => {
		statuses = [202, 401];
		await addSubscription();
		await message('The subscription was added.');
		await button('Send test').click();
		await message('HTTP 202');
		await button('Send test').click();
		await message('HTTP 401');
		const [{ headers, json }] = receiver.received;
		expect(json.event_type).toBe('test');
		expect(headers).toMatchObject({
			'x-receiver-key': 'abc',
			'x-service-signature': expect.stringMatching(/^sha256=[0-9a-f]{64}$/),
		});
		expect(await page.content()).not.toContain('top secret');
	});

	it('removes the result of an earlier test when the next one cannot be sent', async () => {
		statuses = [202];
		await addSubscription();
		await button('Send test').click();
		await message('HTTP 202');
		await page.route('**/test', async (route) => await route.abort());
		await button('Send test').click();
		await message('Failed to fetch');
		await page.getByText('HTTP 202').waitFor({ state: 'detached' });
		expect(await page.getByText('Test succeeded').count()).toBe(0);
	});

	it('says which rule a custom header breaks, beside its field, and keeps the input', async () => {
		await addSubscription(['Host', 'x']);
		await message('The header "Host" is reserved and cannot be set.');
		await expectError(page.getByLabel('Custom headers (optional'), 'The header "Host" is reserved');
		expect(await page.getByLabel('Endpoint URL').inputValue()).toBe(receiver.url);
		expect(sandbox.webhooks.subscriptions.list()).toEqual([]);
	});

	it('shows the error of each other field beside it, until it is corrected', async () => {
		sandbox.webhooks.subscriptions.add({ url: 'https://example.com/' });
		await page.getByText('Edit headers').click();
		const editor = page.locator('#subscriptions').getByLabel('Custom headers');
		await editor.fill('Host: x');
		await button('Save headers').click();
		await expectError(editor, 'The header "Host" is reserved');
		const key = page.getByRole('textbox', { name: 'API key' });
		await key.fill('nobody');
		await button('Show events').click();
		await expectError(key, 'This key is not known.');
		expect(await editor.getAttribute('aria-invalid')).toBeNull();
		await page.getByText('Add a subscription').click();
		const url = page.getByLabel('Endpoint URL');
		await url.fill('http://example.com/');
		await button('Add subscription').click();
		await expectError(url, 'The URL must begin with https://');
		await url.fill('https://example.com/');
		await button('Add subscription').click();
		await message('The subscription was added.');
		await expect(page.locator('[aria-invalid]').count()).resolves.toBe(0);
	});

	it('marks the subscription of a Test URL', async () => {
		for (const path of ['webhook-test', 'webhook'])
			sandbox.webhooks.subscriptions.add({ url: `${receiver.url}/${path}/id/conversation` });
		const cards = page.locator('#subscriptions article');
		await cards.nth(1).waitFor();
		const marked = cards.filter({ has: page.getByText('Test URL', { exact: true }) });
		expect(await marked.locator('code').allInnerTexts()).toEqual([
			`${receiver.url}/webhook-test/id/conversation`,
		]);
	});

	it('disables, enables, edits headers and deletes', async () => {
		await addSubscription();
		await button('Disable').click();
		await message('The subscription was disabled.');
		expect(sandbox.webhooks.subscriptions.enabled()).toEqual([]);
		await button('Enable').click();
		await message('The subscription was enabled.');
		await page.getByText('Edit headers').click();
		await page.locator('#subscriptions').getByLabel('Custom headers').fill('X-Receiver-Key: other');
		await button('Save headers').click();
		await message('The custom headers were saved.');
		expect(sandbox.webhooks.subscriptions.list()[0]).toMatchObject({
			enabled: true,
			customHeaders: { 'X-Receiver-Key': 'other' },
		});
		await button('Delete').click();
		await page.getByText('No subscriptions yet.').waitFor();
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

	it('lists mails, newest first, and opens each as a mail client would show it', async () => {
		await section('Mails').getByText('No mails yet.').waitFor();
		addMail('First', '<p>First</p>');
		addMail(
			'Second',
			'<p style="color: rgb(0, 128, 0)">Second</p><script>document.body.append("run")</script>',
		);
		const links = section('Mails').getByRole('link');
		await links.nth(1).waitFor();
		expect(await links.allInnerTexts()).toEqual(['Second', 'First']);
		await section('Mails').getByText('lead@example.com').first().waitFor();
		const [mail] = await Promise.all([page.waitForEvent('popup'), links.first().click()]);
		const text = mail.getByText('Second');
		expect(await text.evaluate('getComputedStyle(document.querySelector("p")).color')).toBe('rgb(0, 128, 0)');
		expect(await mail.locator('body').innerText()).toBe('Second');
		await mail.close();
	});

	it('sets a fault and clears it', async () => {
		await page.locator('#fault-form [name=fault]').selectOption('Server error (500)');
		await page.locator('#fault-form [name=path]').selectOption('appointments');
		await button('Add fault').click();
		await message('The fault was added.');
		await expect(sendAppointment(sandbox, appointment(sandbox, 1))).rejects.toThrow(
			'refused the appointment (500)',
		);
		await button('Clear all').click();
		await page.getByText('No faults yet.').waitFor();
		expect(sandbox.faults.list()).toEqual([]);
	});

	/** Shows everything that the page can show, in a window of this width. */
	async function fillPage(width: number, subject = 'Subject'.repeat(30)) {
		await page.setViewportSize({ width, height: 900 });
		sandbox.webhooks.subscriptions.add({ url: receiver.url, customHeaders: { 'X-Key': '1' } });
		await sandbox.webhooks.emit({ count: 2 });
		await sendAppointment(sandbox, appointment(sandbox, 1, { title: 'Window'.repeat(30) }));
		addMail(subject, '');
		await button('Add fault').click();
		await page.locator('#delivery-list table').waitFor();
		await page.locator('#appointment-list table').waitFor();
		await page.locator('#mail-list table').waitFor();
		await page.locator('#fault-list table').waitFor();
	}

	it.each([390, 760, 1180])('fits a window of %i pixels without cutting off a column', async (width) => {
		await fillPage(width);
		await expect(page.evaluate('document.documentElement.scrollWidth')).resolves.toBe(width);
		const tooWide =
			"[...document.querySelectorAll('section, section :is(div, table, td)')].filter((each) => each.scrollWidth > each.clientWidth + 1).length";
		await expect(page.evaluate(tooWide)).resolves.toBe(0);
	});

	it('shows each value below its label in a window of 390 pixels', async () => {
		await fillPage(390);
		const beside = (await page.evaluate(`[
			...[...document.querySelectorAll('.copyable')].map(({ children: [label, value] }) => [label, value]),
			...[...document.querySelectorAll('label')].map((label) => [label, label.control]),
		].filter(([label, value]) => {
			const words = document.createRange();
			words.selectNodeContents(label.contains(value) ? label.firstChild : label);
			return value.checkVisibility() && value.getBoundingClientRect().top < words.getBoundingClientRect().bottom - 1;
		}).map(([label]) => label.textContent)`)) as string[];
		expect(beside).toEqual([]);
		// A cell's label is generated content, which has no box of its own.
		const heads =
			"[...document.querySelectorAll('td')].map((td) => getComputedStyle(td, '::before').display)";
		expect(new Set((await page.evaluate(heads)) as string[])).toEqual(new Set(['block']));
	});

	it.each([390, 1280])('has targets of at least 24 pixels in a window of %i pixels', async (width) => {
		await fillPage(width, 'A');
		await page.getByText('Add a subscription').click();
		await page.getByText('Edit headers').click();
		const small: string[] = [];
		for (const target of await page.locator('a, button, input, select, textarea, summary').all()) {
			const box = await target.boundingBox();
			if (box === null || Math.min(box.width, box.height) < 24) small.push(await target.innerText());
		}
		expect(small).toEqual([]);
	});

	it.each(['light', 'dark'] as const)('is accessible in %s colours', async (colorScheme) => {
		await page.emulateMedia({ colorScheme });
		sandbox.webhooks.subscriptions.add({ url: receiver.url, customHeaders: { 'X-Key': '1' } });
		await sandbox.webhooks.emit({ count: 2 });
		await sendAppointment(sandbox, appointment(sandbox, 1));
		addMail('Subject', '');
		await page.getByText('Add a subscription').click();
		await page.locator('#appointment-list').getByText('visit-1001').waitFor();
		await page.locator('#mail-list table').waitFor();
		await page.evaluate(axe);
		const violations = await page.evaluate(
			'axe.run().then(({ violations }) => violations.map(({ id, nodes }) => id + ": " + nodes[0].html))',
		);
		expect(violations).toEqual([]);
	});
});
