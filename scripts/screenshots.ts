/**
 * `npx tsx scripts/screenshots.ts [node, example or sandbox-page …]` takes the pictures in docs/images, light and dark, at
 * 2×: the local service's page, and in a real n8n's editor each node's panel, the canvas of each example that docs/examples.md
 * shows, and results: a mail, messages.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { signIn } from '../harness/browser/editor';
import { launchBrowser } from '../harness/browser/launch';
import type { Doubles } from '../harness/examples/doubles';
import { exampleWorkflows, importExample, startedByHand } from '../harness/workflows';
import { readOptions } from '../playground/options';
import { Shutdown } from '../playground/shutdown';
import { startStage, temporaryFolder } from '../playground/stage';
import type { Sandbox } from '../sandbox';
import { photographCanvas } from './screenshots/canvas';
import { PANELS, photographPanel } from './screenshots/panels';
import { photographDocument, slackMessages, type Document } from './screenshots/results';
import { photographServicePage } from './screenshots/servicePage';
import { recordSource } from './screenshots/stage';

const COLORS = [
	['light', ''],
	['dark', '.dark'],
] as const;

/** The pages that show examples. */
const SHOWN = ['docs/examples.md', 'README.md']
	.map((page) => readFileSync(join(__dirname, '..', page), 'utf8'))
	.join('');

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
};

/** The first conversation of the last 30 days, with a customer for HubSpot. */
function insertCustomer({ control }: Sandbox): void {
	const place = { street: '12 Elm Street', unit: null, city: 'Austin', state: 'TX' };
	const address = { ...place, zip: '78701', country: 'US' };
	const customer = { name: 'Ada Kim', email: 'ada.kim@example.com', phone: '+15550100200', address };
	control.insertConversations({
		userEmail: 'ben.hansen@example.com',
		date: new Date(Date.now() - (30 * 24 * 60 - 20) * 60_000).toISOString(),
		fields: { crmEventID: null, customer },
	});
}

async function main(only: string[]): Promise<void> {
	const shutdown = new Shutdown();
	const isWanted = (name: string) => only.length === 0 || only.includes(name);
	try {
		const browser = await launchBrowser();
		shutdown.add(() => browser.close());
		if (isWanted('sandbox-page')) await photographServicePage(browser);
		const options = readOptions(['--once']);
		const userFolder = temporaryFolder(shutdown);
		const { sandbox, doubles, n8n } = await startStage(options, userFolder, shutdown, console.log);
		insertCustomer(sandbox);
		for (const { slug, workflow } of exampleWorkflows())
			if (isWanted(slug) && slug in RESULTS) {
				const id = await importExample(n8n.client, slug);
				await n8n.client.run(id, { trigger: startedByHand(workflow)!.name });
			}
		for (const [colorScheme, ending] of COLORS) {
			const page = await signIn(browser, n8n, { colorScheme, deviceScaleFactor: 2 });
			const stage = { page, n8n, sandbox, ending };
			for (const panel of PANELS) if (isWanted(panel.type)) await photographPanel(stage, panel);
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
		for (const { slug, workflow } of exampleWorkflows())
			if (isWanted(slug) && SHOWN.includes(`-${slug}.png`)) recordSource(slug, workflow);
	} finally {
		await shutdown.run();
	}
}

main(process.argv.slice(2)).catch((error: unknown) => {
	console.error(error);
	process.exitCode = 1;
});
