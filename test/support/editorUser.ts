import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, Locator, Page } from 'playwright-core';
import { PATIENCE, signIn } from '../../harness/browser/editor';
import type { RunningN8n } from '../../harness/n8n/start';
import { progress } from './n8n';

/** How long a list may take to show an entry alone, and n8n to close a panel. */
const PICKER_LIMIT_MS = 6000 * PATIENCE;
const PANEL_LIMIT_MS = 1000 * PATIENCE;
/** A receiver has ten seconds to respond. */
const DELIVERY_LIMIT_MS = 12_000 * PATIENCE;

const exactly = (words: string) =>
	new RegExp(`^\\s*${words.replace(/[.()]/g, '\\$&')}( \\(\\d+\\))?\\s*$`, 'i');

/** Whether a wait ends before its time limit. */
const happens = async (wait: Promise<void>): Promise<boolean> =>
	await wait.then(
		() => true,
		() => false,
	);

/** Whether something appears before a list would. */
const isSoon = async (what: Locator) => await happens(what.waitFor({ timeout: PICKER_LIMIT_MS }));

/** The sections of a page by their headings. */
export function sectionsOf(file: string): Map<string, string> {
	const text = readFileSync(join(__dirname, '..', '..', file), 'utf8');
	return new Map(text.split(/^## /m).map((section) => [section.split('\n')[0], section]));
}

/** The name of a method of {@link EditorUser} with its arguments. */
export type Step = [
	does: keyof {
		[K in keyof EditorUser as EditorUser[K] extends (...args: string[]) => Promise<void> ? K : never]: K;
	},
	...args: string[],
];

/** A person at n8n's editor, on a small laptop, who only clicks and types. Parameters go by their internal names, which no new label changes. */
export class EditorUser {
	/** Of the mouse, since the last {@link createWorkflow}. */
	clicks = 0;
	/** Entries of lists that were typed and chosen with Enter; with the mouse, each is one click more. */
	entries = 0;

	private constructor(
		readonly page: Page,
		private readonly url: string,
	) {}

	static async signIn(browser: Browser, n8n: RunningN8n): Promise<EditorUser> {
		const permissions = ['clipboard-read', 'clipboard-write'];
		const page = await signIn(browser, n8n, { viewport: { width: 1280, height: 720 }, permissions });
		return new EditorUser(page, n8n.url);
	}

	/**
	 * Since the last {@link createWorkflow}. A step is a click, an entry chosen from a list, or a field that is filled in, with
	 * the click into it.
	 */
	get steps(): number {
		return this.clicks + this.entries;
	}

	/** Takes one step after the other. */
	async build(job: string, steps: Step[]): Promise<void> {
		for (const [does, ...args] of steps) await (this[does] as (...args: string[]) => Promise<void>)(...args);
		progress(`${job}: ${this.steps} steps, ${this.clicks} of them clicks`);
	}

	async click(what: Locator): Promise<void> {
		this.clicks++;
		await what.click();
	}

	button(name: string, on: Page | Locator = this.page): Locator {
		return on.getByRole('button', { name, exact: true });
	}

	text(words: string | RegExp): Locator {
		return this.page.getByText(words).first();
	}

	private part(testId: string): Locator {
		return this.page.getByTestId(testId);
	}

	/** From the list of workflows to an empty canvas, and to the nodes that it offers first. */
	async createWorkflow(): Promise<void> {
		await this.page.goto(`${this.url}/home/workflows`);
		this.clicks = 0;
		this.entries = 0;
		await this.click(this.button('Create workflow').first());
		await this.click(this.part('canvas-add-button'));
	}

	/** Types into the open list of nodes, whose field n8n may replace meanwhile. */
	async search(words: string): Promise<void> {
		const field = this.part('node-creator-search-bar');
		await field.waitFor();
		await this.page.keyboard.type(words);
		if ((await field.inputValue()) !== words) await field.fill(words);
	}

	/** A node, an action or a heading of the open list of nodes. */
	entry(name: string): Locator {
		return this.part('node-creator').getByText(exactly(name)).last();
	}

	/** Searches the open list of nodes and chooses one entry after the other with the arrow keys, until its panel opens. */
	async chooseNode(search: string, ...names: string[]): Promise<void> {
		await this.search(search);
		for (const name of names) {
			// Until the list has slid in.
			await this.entry(name).click({ trial: true });
			const active = this.part('node-creator').locator('[class*="_active_"]').getByText(exactly(name));
			for (
				let moves = 0;
				moves < 40 && !(await happens(active.waitFor({ timeout: 200 * PATIENCE })));
				moves++
			) {
				await this.page.keyboard.press('ArrowDown');
			}
			await this.page.keyboard.press('Enter');
			this.entries++;
		}
		await this.part('ndv').waitFor();
	}

	/** Creates a workflow, searches for its first node and clicks one entry after the other. */
	async clickThrough(search: string, ...names: string[]): Promise<void> {
		await this.createWorkflow();
		await this.search(search);
		for (const name of names) await this.click(this.entry(name));
	}

	/** Creates a workflow with a first node. */
	async startWith(search: string, ...names: string[]): Promise<void> {
		await this.createWorkflow();
		await this.chooseNode(search, ...names);
	}

	/** Creates a workflow with a chat, which n8n offers first. */
	async startWithChat(): Promise<void> {
		await this.createWorkflow();
		await this.click(this.text('On chat message'));
	}

	/** Closes the open panel and shows the whole workflow, with n8n's key for its button. */
	async zoomToFit(): Promise<void> {
		await this.closePanel();
		await this.page.keyboard.press('1');
		this.entries++;
	}

	/** Clicks a handle of the canvas; one that lies under n8n's buttons takes one step more, which is counted. */
	private async clickHandle(handle: Locator): Promise<void> {
		const isFree = await happens(handle.click({ trial: true, timeout: PICKER_LIMIT_MS }));
		if (!isFree) await this.zoomToFit();
		await this.click(handle);
	}

	/** Closes the open panel and adds a node after the last one, at its last output. */
	async add(search: string, ...names: string[]): Promise<void> {
		await this.closePanel();
		await this.clickHandle(this.part('canvas-handle-plus').last());
		await this.chooseNode(search, ...names);
	}

	/** Closes the open panel and adds a node at an input of an agent, such as its Tool. */
	async addAt(input: string, search: string, ...names: string[]): Promise<void> {
		await this.closePanel();
		const handle = this.part('canvas-node-input-handle').filter({ hasText: input });
		await this.clickHandle(handle.getByTestId('canvas-handle-plus').last());
		await this.chooseNode(search, ...names);
	}

	/** With Escape, which a field with the focus ignores. */
	async closePanel(): Promise<void> {
		const panel = this.part('ndv');
		for (let attempt = 1; attempt <= 4; attempt++) {
			await this.page.keyboard.press('Escape');
			// Meanwhile n8n takes in what was typed: a click at once would lose it.
			if (await happens(panel.waitFor({ state: 'hidden', timeout: PANEL_LIMIT_MS }))) return;
			await this.page.keyboard.press('Tab');
		}
		await this.click(this.part('ndv-close-button'));
		await panel.waitFor({ state: 'hidden' });
	}

	/** Opens the panel of a node on the canvas. */
	async open(name: string): Promise<void> {
		const node = this.page.locator(`[data-test-id=canvas-node][data-node-name="${name}"]`);
		const parameters = this.part('parameter-item').first();
		await node.dblclick();
		// n8n takes two clicks for none while it draws the canvas again.
		for (let attempt = 1; attempt < 5 && !(await isSoon(parameters)); attempt++) await node.dblclick();
		await parameters.waitFor();
	}

	/** Opens the chat below the canvas and sends a message. */
	async say(words: string): Promise<void> {
		await this.click(this.part('workflow-chat-button'));
		const chat = this.part('canvas-chat');
		await this.click(chat.locator('textarea'));
		await this.page.keyboard.type(words);
		const sent = chat.locator('.chat-message').getByText(words);
		await this.page.keyboard.press('Enter');
		// n8n takes Enter for none while the chat opens, and can lose keys.
		for (let attempt = 1; attempt < 5 && !(await isSoon(sent)); attempt++) {
			await chat.locator('textarea').fill(words);
			await this.page.keyboard.press('Enter');
		}
		await sent.waitFor();
	}

	parameter(name: string): Locator {
		return this.part(`parameter-input-${name}`);
	}

	/** Opens a parameter's list, types an entry and chooses it with Enter. */
	async choose(name: string, entry: string): Promise<void> {
		// A node's notes have a hidden field of this name, too.
		await this.chooseIn(this.parameter(name).filter({ visible: true }).first(), entry);
	}

	/** Adds an entry to the first collection, Filters. */
	async addFilter(entry: string): Promise<void> {
		await this.chooseIn(this.part('collection-parameter-add').first(), entry);
	}

	/** Adds an entry to the last collection, Options. */
	async addOption(entry: string): Promise<void> {
		await this.chooseIn(this.part('collection-parameter-add').last(), entry);
	}

	/** How the columns of a table are mapped: a list that cannot be searched. */
	async chooseMapping(entry: string): Promise<void> {
		const list = this.part('mapping-mode-select');
		const found = this.page.locator('.el-select-dropdown__item:visible').getByText(entry);
		await this.click(list);
		// It closes when the columns arrive.
		for (let attempt = 1; attempt < 5 && !(await isSoon(found)); attempt++) await list.click();
		await this.click(found);
	}

	/** Opens a list that takes several entries and ticks these, or unticks them. */
	async tick(name: string, ...entries: string[]): Promise<void> {
		const found = (entry: string) =>
			this.page.locator('.el-select-dropdown__item:visible').getByText(entry, { exact: true });
		await this.click(this.parameter(name));
		// When its entries arrive, n8n closes an open list.
		for (let attempt = 1; attempt < 5 && !(await isSoon(found(entries[0]))); attempt++) {
			await this.parameter(name).click();
		}
		for (const entry of entries) await this.click(found(entry));
		// It stays open over the fields below.
		await this.page.keyboard.press('Tab');
		this.entries++;
	}

	/** When data arrives, n8n closes an open list, which is opened again, or forgets what Enter would choose. */
	private async chooseIn(list: Locator, entry: string): Promise<void> {
		this.clicks++;
		this.entries++;
		const entries = this.page.locator('.el-select-dropdown__item:visible');
		for (let attempt = 1; attempt < 5; attempt++) {
			await list.click();
			await this.page.keyboard.type(entry);
			const others = entries.filter({ hasNotText: new RegExp(`^${entry.replace(/[()]/g, '\\$&')}`) });
			const found = entries.getByText(entry, { exact: true });
			const alone = async () => await others.first().waitFor({ state: 'hidden', timeout: PICKER_LIMIT_MS });
			if (!(await happens(found.waitFor({ timeout: PICKER_LIMIT_MS }).then(alone)))) continue;
			await this.page.keyboard.press('ArrowDown');
			await this.page.keyboard.press('Enter');
			const closed = entries.first().waitFor({ state: 'hidden', timeout: PICKER_LIMIT_MS });
			if (!(await happens(closed))) await found.click();
			return;
		}
		throw new Error(`The list offers no ${entry}.`);
	}

	/** Types and chooses an entry of a list that n8n looks up, such as calendars. */
	async lookUp(name: string, entry: string): Promise<void> {
		await this.click(this.parameter(name).getByTestId('rlc-input-container').last());
		await this.page.keyboard.type(entry);
		await this.part('rlc-item').getByText(entry, { exact: true }).waitFor();
		await this.page.keyboard.press('ArrowDown');
		await this.page.keyboard.press('Enter');
		this.entries++;
		await this.part('rlc-item').first().waitFor({ state: 'hidden' });
	}

	/** In the settings of the open panel's node. */
	async onError(entry: string): Promise<void> {
		await this.click(this.part('ndv').getByText('Settings', { exact: true }).first());
		await this.choose('onError', entry);
	}

	/** Turns a switch on, or off when it is on. */
	async toggle(name: string): Promise<void> {
		const field = this.parameter(name).locator('.el-switch');
		await field.waitFor();
		const isOn = field.and(this.page.locator('.is-checked'));
		const state = (await isOn.count()) > 0 ? 'hidden' : 'visible';
		await this.click(field);
		const toggled = async () => await isOn.waitFor({ state, timeout: PICKER_LIMIT_MS });
		// n8n takes a click for none while it draws the field again.
		for (let attempt = 1; attempt < 5 && !(await happens(toggled())); attempt++) await field.click();
		await toggled();
	}

	/** Types over what a field has; n8n can lose keys while it draws the field again. */
	async type(name: string, value: string): Promise<void> {
		const field = this.parameter(name).locator('input, textarea').first();
		await this.click(field);
		await this.page.keyboard.press('ControlOrMeta+a');
		await this.page.keyboard.type(value);
		if ((await field.inputValue()) !== value) await field.fill(value);
	}

	/** Pastes an expression, which n8n knows by its braces; a date and a looked-up list have no room for text, but a switch. */
	async paste(name: string, expression: string): Promise<void> {
		const field = this.parameter(name);
		const switched = field.locator('.el-date-editor, [data-test-id=rlc-input-container]');
		if ((await switched.count()) === 0) {
			await this.click(field.locator('input, textarea').first());
		} else {
			const label = this.part('input-label').filter({ has: field }).last();
			await label.hover();
			await this.click(label.getByTestId('radio-button-expression').first());
			await field.locator('.cm-focused').waitFor();
		}
		await this.page.keyboard.insertText(expression);
		await field.locator('.cm-content').getByText(expression).waitFor();
	}

	/** The button of the open panel that executes its node. */
	get executeStep(): Locator {
		return this.part('node-execute-button').first();
	}

	/** Lets the trigger of the open panel listen at its Test URL. */
	async listen(): Promise<void> {
		await this.click(this.executeStep);
		const listening = this.text('Listening for test event');
		// n8n takes a click for none while it takes in what was typed.
		if (!(await happens(listening.waitFor({ timeout: PICKER_LIMIT_MS })))) await this.executeStep.click();
		await listening.waitFor();
	}

	/** The Test URL of the open webhook trigger, by a click that copies it. */
	async testUrl(): Promise<string> {
		await this.click(this.text('Webhook URLs'));
		// n8n takes a click for none while it draws the panel.
		if (!(await isSoon(this.text('/webhook-test/')))) await this.text('Webhook URLs').click();
		await this.click(this.text('/webhook-test/'));
		return String(await this.page.evaluate('navigator.clipboard.readText()'));
	}

	/** Adds a subscription on the local service's page and clicks Send test there. Returns the page with the result. */
	async sendTest(service: string, url: string, fields: Record<string, string> = {}): Promise<Page> {
		const webApp = await this.page.context().newPage();
		await webApp.goto(service);
		await this.click(webApp.getByText('Add a subscription'));
		for (const [label, value] of Object.entries({ 'Endpoint URL': url, ...fields })) {
			await webApp.getByLabel(label).fill(value);
		}
		await this.click(this.button('Add subscription', webApp));
		const subscription = webApp.getByRole('article').filter({ hasText: url }).last();
		await this.click(this.button('Send test', subscription));
		const result = subscription.getByRole('status');
		// The page draws its subscriptions again when one was added.
		if (!(await happens(result.waitFor({ timeout: DELIVERY_LIMIT_MS })))) {
			await this.button('Send test', subscription).click();
			await result.waitFor();
		}
		return webApp;
	}

	/** Closes the open panel and publishes the workflow, with the name that n8n suggests. */
	async publish(): Promise<void> {
		await this.closePanel();
		await this.click(this.part('workflow-open-publish-modal-button'));
		await this.click(this.part('workflow-publish-button'));
		await this.text('Workflow published').waitFor();
	}

	/** Closes the open panel and runs the workflow. */
	async execute(): Promise<void> {
		await this.closePanel();
		await this.click(this.part('execute-workflow-button'));
		await this.text('Workflow executed successfully').waitFor();
	}
}
