import type { Browser, BrowserContextOptions, Locator, Page } from 'playwright-core';
import { signIn } from '../../harness/browser/editor';
import type { RunningN8n } from '../../harness/n8n/start';

/** How long an entry of an open list may take to appear. */
const LIST_LIMIT_MS = 6000;

/** A person at n8n's editor who only clicks and types. Parameters go by their internal names, which no new label changes. */
export class EditorUser {
	/** Since the last {@link createWorkflow}. */
	clicks = 0;

	private constructor(
		readonly page: Page,
		private readonly url: string,
	) {}

	static async signIn(
		browser: Browser,
		n8n: RunningN8n,
		options?: BrowserContextOptions,
	): Promise<EditorUser> {
		const page = await signIn(browser, n8n, options);
		page.setDefaultTimeout(30_000);
		return new EditorUser(page, n8n.url);
	}

	async click(what: Locator): Promise<void> {
		this.clicks++;
		await what.click();
	}

	button(name: string, on = this.page): Locator {
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
		await this.click(this.button('Create workflow').first());
		await this.click(this.part('canvas-add-button'));
	}

	/** Searches the open list of nodes and chooses one, which n8n opens unless it offers actions first. */
	async chooseNode(search: string, name: string): Promise<void> {
		await this.part('node-creator-search-bar').fill(search);
		const names = this.part('node-creator-item-name');
		await this.click(names.filter({ hasText: new RegExp(`^${name}$`, 'i') }).first());
	}

	/** Adds a node after the last one, or at an input of an agent, such as its Tool. */
	async addNode(search: string, name: string, { action, input }: { action?: string; input?: string } = {}) {
		const on = input ? this.part('canvas-node-input-handle').filter({ hasText: input }) : this.page;
		await this.click(on.getByTestId('canvas-handle-plus').last());
		await this.chooseNode(search, name);
		if (action) await this.click(this.page.getByText(action, { exact: true }).last());
		await this.part('ndv').waitFor();
	}

	/** With Escape, or with a click while a field has the focus, which ignores Escape. */
	async closePanel(): Promise<void> {
		const panel = this.part('ndv');
		await panel.waitFor();
		await this.page.keyboard.press('Escape');
		// Meanwhile n8n takes in what was typed: a click at once would lose it.
		const isOpen = await panel.waitFor({ state: 'hidden', timeout: 2000 }).then(
			() => false,
			() => true,
		);
		if (isOpen) await this.click(this.part('ndv-close-button'));
		await panel.waitFor({ state: 'hidden' });
	}

	parameter(name: string): Locator {
		return this.part(`parameter-input-${name}`);
	}

	/** Opens a list and clicks an entry. n8n closes an open list when data arrives; then it is opened again. */
	async choose(list: Locator, entry: string): Promise<void> {
		this.clicks += 2;
		const entries = this.page.locator('.el-select-dropdown__item:visible');
		const choice = entries.getByText(entry, { exact: true });
		for (let attempt = 1; attempt < 5; attempt++) {
			await list.click();
			const isChosen = await choice.click({ timeout: LIST_LIMIT_MS }).then(
				() => true,
				() => false,
			);
			if (isChosen) return;
		}
		throw new Error(`The list offers no ${entry}.`);
	}

	async toggle(name: string): Promise<void> {
		await this.click(this.parameter(name).locator('.el-switch'));
	}

	async type(name: string, value: string): Promise<void> {
		await this.click(this.parameter(name).locator('input'));
		await this.page.keyboard.type(value);
	}

	/** Adds an entry to a collection such as Filters. */
	async addFilter(entry: string): Promise<void> {
		await this.choose(this.part('collection-parameter-add').first(), entry);
	}

	/** Switches a field to an expression and types it; the editor closes its braces. */
	async typeExpression(name: string, expression: string): Promise<void> {
		await this.page.locator(`label[for=${name}]`).hover();
		const modes = this.part(`${name}-parameter-input-options-container`);
		await this.click(modes.getByTestId('radio-button-expression'));
		await this.parameter(name).locator('.cm-focused').waitFor();
		await this.page.keyboard.type(`{{ ${expression}`);
	}

	async executeStep(): Promise<void> {
		await this.click(this.part('node-execute-button').first());
	}
}
