import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { parse } from 'yaml';
import { signIn } from '../../harness/browser/editor';
import { launchBrowser } from '../../harness/browser/launch';
import { startN8n, type RunningN8n } from '../../harness/n8n/start';
import { N8N_START_LIMIT_MS, progress, TARBALL } from '../support/n8n';
import { NpmRegistry } from '../support/npmRegistry';
import { version } from '../../package.json';

const PACKAGE = 'n8n-nodes-conversation-intelligence';
const NEXT = '99.0.0';
const LIMIT_MS = 3 * 60_000;
const EXAMPLES = join(__dirname, '../../workflows');

/** Everything that n8n makes of the package. */
const NODES = ['', 'Appointments', 'AppointmentsTool', 'PollTrigger', 'Tool', 'Trigger'].map(
	(name) => `${PACKAGE}.conversationIntelligence${name}`,
);

/** What n8n 2.41 says of the way to n8n 3.0. */
interface MigrationReport {
	report: Record<'instanceResults' | 'workflowResults', object[]>;
}

let registry: NpmRegistry;
let userFolder: string;
let n8n: RunningN8n | undefined;

/** Starts n8n without the package; as often as needed with the same data. */
async function start(env: Record<string, string>): Promise<RunningN8n> {
	await n8n?.stop();
	n8n = await startN8n({ userFolder, report: progress, env: { ...registry.environment(), ...env } });
	return n8n;
}

/** The nodes of the package that n8n offers. */
async function nodesOf(client: RunningN8n['client']): Promise<string[]> {
	const names = (await client.nodeTypes()).map(({ name }) => name);
	return names.filter((name) => name.startsWith(PACKAGE)).sort();
}

beforeEach(async () => {
	userFolder = mkdtempSync(join(tmpdir(), 'n8n-install-'));
	registry = await NpmRegistry.start();
	registry.publish(process.env[TARBALL] ?? '', version);
}, N8N_START_LIMIT_MS);
afterEach(async () => {
	await n8n?.stop();
	n8n = undefined;
	await registry.stop();
	rmSync(userFolder, { recursive: true, force: true });
});

describe('Settings → Community Nodes', () => {
	let browser: Browser;
	beforeAll(async () => {
		browser = await launchBrowser();
	}, N8N_START_LIMIT_MS);
	afterAll(async () => await browser?.close());

	const card = (page: Page) => page.getByTestId('community-package-card').filter({ hasText: PACKAGE });

	test(
		'installs, updates and uninstalls the package',
		async () => {
			const running = await start({});
			const page = await signIn(browser, running);
			await page.goto(`${running.url}/settings/community-nodes`);
			await page.getByRole('button', { name: 'Install a community node' }).click();
			await page.getByPlaceholder('e.g. n8n-nodes-chatwork').fill(PACKAGE);
			await page.getByTestId('user-agreement-checkbox').click();
			await page.getByTestId('install-community-package-button').click();
			await card(page).waitFor({ timeout: LIMIT_MS });
			expect(await card(page).innerText()).toContain(version);
			expect(await nodesOf(running.client)).toEqual(NODES);

			registry.publish(process.env[TARBALL] ?? '', NEXT);
			await page.reload();
			await card(page).getByRole('button', { name: 'Update' }).click();
			await page.getByRole('button', { name: 'Confirm' }).click();
			await card(page).filter({ hasText: NEXT }).waitFor({ timeout: LIMIT_MS });
			expect(await nodesOf(running.client)).toEqual(NODES);

			await card(page).getByTestId('action-toggle').click();
			await page.getByRole('menuitem', { name: 'Uninstall package' }).click();
			await page.getByRole('button', { name: 'Confirm uninstall' }).click();
			await card(page).waitFor({ state: 'detached', timeout: LIMIT_MS });
			expect(await nodesOf(running.client)).toEqual([]);
		},
		N8N_START_LIMIT_MS,
	);
});

describe('The environment of docs/compose.yaml', () => {
	const file = readFileSync(join(__dirname, '../../docs/compose.yaml'), 'utf8');
	const environment: Record<string, string> = parse(file).services.n8n.environment;

	test(
		'installs, updates and removes the package at the start of n8n, whose report on 3.0 names no example',
		async () => {
			expect(JSON.parse(environment.N8N_COMMUNITY_PACKAGES)).toEqual([{ name: PACKAGE, version }]);
			const { client } = await start(environment);
			expect(await nodesOf(client)).toEqual(NODES);
			for (const file of readdirSync(EXAMPLES)) await client.importWorkflow(join(EXAMPLES, file));
			const path = '/breaking-changes/report/refresh?version=v3';
			const { report } = await client.session.rest<MigrationReport>('POST', path);
			expect(report.instanceResults).not.toEqual([]);
			expect(report.workflowResults).toEqual([]);

			const next = JSON.stringify([{ name: PACKAGE, version: NEXT }]);
			registry.publish(process.env[TARBALL] ?? '', NEXT);
			const updated = await start({ ...environment, N8N_COMMUNITY_PACKAGES: next });
			expect(updated.log).toContain(`Updated community package '${PACKAGE}' from ${version} to ${NEXT}`);
			expect(await nodesOf(updated.client)).toEqual(NODES);

			const removed = await start({ ...environment, N8N_COMMUNITY_PACKAGES: '[]' });
			expect(await nodesOf(removed.client)).toEqual([]);

			// As by default in n8n 3.0.
			const unverified = { ...environment, N8N_UNVERIFIED_PACKAGES_ENABLED: 'false' };
			await expect(start(unverified)).rejects.toThrow(/unverified packages are disabled/);
		},
		N8N_START_LIMIT_MS,
	);
});
