/**
 * `npx tsx scripts/screenshots.ts [node, example, credential or sandbox-page …]` takes the pictures in docs/images, light and dark, at
 * 2×: the local service's page, and in a real n8n's editor each node's panel, the canvas of each example that docs/examples.md shows, the
 * credential's test, and results: a mail, messages, a sheet.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { signIn } from '../harness/browser/editor';
import { launchBrowser } from '../harness/browser/launch';
import { saveSandboxCredentials, SIGNING_SECRET } from '../harness/credentials';
import { startDoubles, type Doubles } from '../harness/examples/doubles';
import { AVA, SALESFORCE_EVENT_ID, writeSampleVisits } from '../harness/examples/visits';
import { saveDoubleCredentials } from '../harness/examples/credentials';
import { installPackage, packPackage } from '../harness/n8n/package';
import { startN8n, type RunningN8n } from '../harness/n8n/start';
import { exampleWorkflows, importExample, startedByHand } from '../harness/workflows';
import { startSandbox } from '../sandbox';
import { photographCanvas } from './screenshots/canvas';
import { PANELS, photographCredential, photographPanel } from './screenshots/panels';
import { photographDocument, sheetTable, slackMessages, type Document } from './screenshots/results';
import { photographServicePage } from './screenshots/servicePage';

const DAY_MS = 86_400_000;

const COLORS = [
	['light', ''],
	['dark', '.dark'],
] as const;

/** The page that shows examples. */
const SHOWN = readFileSync(join(__dirname, '../docs/examples.md'), 'utf8');

/** Examples whose result says more than their canvas, and what the doubles received of it. */
const RESULTS: Record<string, (doubles: Doubles) => Document> = {
	'weekly-team-digest': ({ mailbox }) => ({
		html: mailbox.mails.find(({ subject }) => subject?.startsWith('Conversations of'))!.html!,
		width: 680,
		end: 'Teams',
	}),
	'coaching-alert': ({ messages }) => ({
		html: slackMessages(messages.slice(0, 3).map(({ text }) => text)),
		width: 680,
	}),
	'conversations-to-google-sheets': ({ sheet }) => ({ html: sheetTable(sheet.slice(0, 10)), width: 1000 }),
};

async function main(only: string[]): Promise<void> {
	const userFolder = mkdtempSync(join(tmpdir(), 'screenshots-'));
	const sandbox = await startSandbox({ to: 'now', signingSecret: SIGNING_SECRET });
	const address = {
		street: '12 Elm Street',
		unit: null,
		city: 'Austin',
		state: 'TX',
		zip: '78701',
		country: 'US',
	};
	// The first of the last 30 days has a customer for HubSpot, and the last one matches the sample appointment.
	for (const minutesAgo of [30 * 24 * 60 - 20, 10]) {
		sandbox.control.insertConversations({
			userEmail: 'ben.hansen@example.com',
			date: new Date(Date.now() - minutesAgo * 60_000).toISOString(),
			fields: {
				crmEventID: null,
				customer: { name: 'Ada Kim', email: 'ada.kim@example.com', phone: '+15550100200', address },
			},
		});
	}
	sandbox.control.insertConversations({
		userEmail: AVA,
		date: new Date(Date.now() - DAY_MS).toISOString(),
		fields: { crmEventID: SALESFORCE_EVENT_ID },
	});
	const doubles = await startDoubles();
	writeSampleVisits(doubles);
	let n8n: RunningN8n | undefined;
	let browser: Browser | undefined;
	const isWanted = (name: string) => only.length === 0 || only.includes(name);
	try {
		browser = await launchBrowser();
		if (isWanted('sandbox-page')) await photographServicePage(browser);
		installPackage(userFolder, await packPackage(userFolder, console.log));
		n8n = await startN8n({ userFolder, env: doubles.n8nEnvironment, report: console.log });
		await saveSandboxCredentials(n8n.client, sandbox);
		await saveDoubleCredentials(n8n.client, doubles);
		for (const { slug, workflow } of exampleWorkflows())
			if (isWanted(slug) && slug in RESULTS) {
				const id = await importExample(n8n.client, slug);
				await n8n.client.run(id, { trigger: startedByHand(workflow)!.name });
			}
		for (const [colorScheme, ending] of COLORS) {
			const page = await signIn(browser, n8n, { colorScheme, deviceScaleFactor: 2 });
			const stage = { page, n8n, sandbox, ending };
			for (const panel of PANELS) if (isWanted(panel.type)) await photographPanel(stage, panel);
			if (isWanted('credential')) await photographCredential(stage);
			for (const example of exampleWorkflows())
				if (isWanted(example.slug) && SHOWN.includes(`/example-${example.slug}.png`))
					await photographCanvas(stage, example);
			for (const [slug, result] of Object.entries(RESULTS))
				if (isWanted(slug)) {
					const name = `result-${slug}${ending}`;
					await photographDocument(browser, { ...result(doubles), name, colorScheme });
				}
			await page.context().close();
		}
	} finally {
		await browser?.close();
		await n8n?.stop();
		await doubles.close();
		await sandbox.close();
		rmSync(userFolder, { recursive: true, force: true });
	}
}

main(process.argv.slice(2)).catch((error: unknown) => {
	console.error(error);
	process.exitCode = 1;
});
