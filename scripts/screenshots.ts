/**
 * `npx tsx scripts/screenshots.ts [node, example or credential …]` takes the pictures in docs/images in a real n8n's editor, light and
 * dark, at 2×: each node's panel, the canvas of each example that docs/examples.md shows, the credential's test, and the mail of the digest.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { signIn } from '../harness/browser/editor';
import { launchBrowser } from '../harness/browser/launch';
import { saveSandboxCredentials, SIGNING_SECRET } from '../harness/credentials';
import { startDoubles } from '../harness/examples/doubles';
import { AVA, SALESFORCE_EVENT_ID, writeSampleVisits } from '../harness/examples/visits';
import { saveDoubleCredentials } from '../harness/examples/credentials';
import { installPackage, packPackage } from '../harness/n8n/package';
import { startN8n, type RunningN8n } from '../harness/n8n/start';
import { exampleWorkflows } from '../harness/workflows';
import { startSandbox } from '../sandbox';
import { photographCanvas } from './screenshots/canvas';
import { photographCredential } from './screenshots/credential';
import { photographMail } from './screenshots/mail';
import { PANELS, photographPanel } from './screenshots/panels';

const DAY_MS = 86_400_000;

const COLORS = [
	['light', ''],
	['dark', '.dark'],
] as const;

/** The page that shows examples. */
const SHOWN = readFileSync(join(__dirname, '../docs/examples.md'), 'utf8');

/** The example whose mail is the README's picture. */
const MAIL_OF = 'weekly-team-digest';

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
		installPackage(userFolder, await packPackage(userFolder, console.log));
		n8n = await startN8n({ userFolder, env: doubles.n8nEnvironment, report: console.log });
		await saveSandboxCredentials(n8n.client, sandbox);
		await saveDoubleCredentials(n8n.client, doubles);
		browser = await launchBrowser();
		for (const [colorScheme, ending] of COLORS) {
			const page = await signIn(browser, n8n, { colorScheme, deviceScaleFactor: 2 });
			const stage = { page, n8n, sandbox, ending };
			for (const panel of PANELS) if (isWanted(panel.type)) await photographPanel(stage, panel);
			if (isWanted('credential')) await photographCredential(stage);
			for (const example of exampleWorkflows())
				if (isWanted(example.slug) && SHOWN.includes(`/example-${example.slug}.png`))
					await photographCanvas(stage, example);
			if (isWanted(MAIL_OF)) {
				const html = doubles.mailbox.mails.find(({ subject }) =>
					subject?.startsWith('Conversations of'),
				)!.html!;
				await photographMail(browser, { html, name: `result-${MAIL_OF}${ending}`, colorScheme });
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
