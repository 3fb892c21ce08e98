import type { Browser, BrowserContextOptions, Locator, Page } from 'playwright-core';
import { signIn } from '../../harness/browser/editor';
import type { RunningN8n } from '../../harness/n8n/start';

/** How long an entry of an open list may take to appear. */
const LIST_LIMIT_MS = 6000;

/** A person at n8n's editor who only clicks and types. Parameters go by their internal names, which no new label changes. */
export class EditorUser {
	/** Since the last {@link createWorkflow}; a drag is one too. */
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

	/** Opens a list and clicks an entry. */
	async choose(list: Locator, entry: string): Promise<void> {
		this.clicks++;
		await this.inList(list, async () => await this.entry(entry).click({ timeout: LIST_LIMIT_MS }));
	}

	/** Opens a list and chooses the first entry with these words by typing them. */
	async search(list: Locator, words: string): Promise<void> {
		await this.inList(list, async () => {
			await this.page.keyboard.type(words);
			await this.entry(new RegExp(words)).waitFor({ timeout: LIST_LIMIT_MS });
			await this.page.keyboard.press('ArrowDown');
			await this.page.keyboard.press('Enter');
		});
	}

	private entry(words: string | RegExp): Locator {
		return this.page.locator('.el-select-dropdown__item:visible').getByText(words, { exact: true });
	}

	/** n8n closes an open list when a response arrives that it waited for. Then it is opened again. */
	private async inList(list: Locator, act: () => Promise<void>): Promise<void> {
		await this.click(list);
		for (let attempt = 1; attempt < 5; attempt++) {
			try {
				return await act();
			} catch {
				await list.click();
			}
		}
		await act();
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

	/** Drags a field of the input into a parameter. */
	async dragField(field: string, name: string): Promise<void> {
		this.clicks++;
		const names = this.part('run-data-schema-node-name');
		await names
			.filter({ hasText: new RegExp(`^${field}$`) })
			.first()
			.hover();
		await this.page.mouse.down();
		const { x, y } = (await this.parameter(name).boundingBox())!;
		await this.page.mouse.move(x + 50, y + 20, { steps: 10 });
		await this.page.mouse.move(x + 60, y + 10, { steps: 5 });
		await this.page.mouse.up();
	}

	async executeStep(): Promise<void> {
		await this.click(this.part('node-execute-button').first());
	}
}
