import { gunzipSync } from 'node:zlib';
import { readFileSync } from 'node:fs';
import { DateTime } from 'luxon';
import type { Browser, Page } from 'playwright-core';
import { launchBrowser } from '../../harness/browser/launch';
import { SIGNING_SECRET } from '../../harness/credentials';
import { LANGUAGE_MODEL_ANSWER } from '../../harness/examples/doubles';
import { errorOf, itemsOf } from '../../harness/n8n/execution';
import { N8N_START_LIMIT_MS } from '../support/n8n';
import { startExamplesTestbed, type ExamplesTestbed } from '../support/examplesTestbed';

const axe = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');

/** n8n's default, which applies to the imported examples. */
const ZONE = 'America/New_York';

interface Team {
	teamId: string;
	name: string;
	conversationsRecorded: number;
}

interface User {
	userId: string;
	name: string;
	conversationsRecorded: number;
}

interface Long {
	serviceUrl: string;
	duration: number;
	date: string;
}

const idOf = (row: Team | User) => ('teamId' in row ? row.teamId : row.userId);

interface Row {
	conversationId: string;
	date: string;
}

/**
 * n8n's own nodes reach the language model, mail and storage, with credentials for local doubles.
 * `harness/examples/rewire.ts` replaces two things: the placeholder address of the user's CRM, and the Slack nodes,
 * whose host is fixed, with HTTP Request nodes that send the same channel and text.
 */
describe('Examples that write to outside services, in a real n8n', () => {
	let testbed: ExamplesTestbed;

	beforeAll(async () => {
		testbed = await startExamplesTestbed();
	}, N8N_START_LIMIT_MS);
	afterAll(async () => await testbed?.stop(), 60_000);
	beforeEach(() => {
		testbed.doubles.reset();
		testbed.sandbox.requests.reset();
	});

	/** Yesterday in the workflow's time zone, and the conversations that the service processed then. */
	const yesterday = async () => {
		const day = DateTime.now().setZone(ZONE).minus({ days: 1 });
		const { conversations } = await testbed.ask<{ conversations: Row[] }>('/export/conversations', {
			fromDate: day.startOf('day').toUTC().toISO(),
			toDate: day.endOf('day').toUTC().toISO(),
			dateType: 'processedDate',
			limit: 50,
		});
		return { day, rows: conversations };
	};

	test('a conversation from the webhook becomes a CRM note and a Slack message that the language model writes', async () => {
		const { n8n, sandbox, doubles } = testbed;
		const workflowId = await testbed.importExample('conversation-to-crm-and-slack');
		await n8n.client.publish(workflowId);
		const path = await n8n.client.webhookPath(workflowId);
		// Another import has a path of its own; with the same one, n8n refuses to publish it.
		const secondId = await testbed.importExample('conversation-to-crm-and-slack');
		await n8n.client.publish(secondId);
		expect(await n8n.client.webhookPath(secondId)).not.toBe(path);
		await n8n.client.unpublish(secondId);
		const url = `${n8n.url}/webhook/${path}`;
		const { id } = sandbox.webhooks.subscriptions.add({ url, secret: SIGNING_SECRET });
		const customer = { name: 'Sam Doe', email: 'sam@example.com', phone: null, address: null };
		const [conversationId] = sandbox.control.insertConversations({
			userEmail: 'ava.adams@example.com',
			fields: { title: 'Roof inspection', crmEventID: 'evt-1', customer },
		});
		await sandbox.webhooks.emit({ conversationIds: [conversationId] });
		sandbox.webhooks.subscriptions.remove(id);

		expect(await n8n.client.settled(workflowId, 1)).toEqual({ success: 1 });
		await n8n.client.unpublish(workflowId);
		const link = `${sandbox.url}/app/conversations/${conversationId}`;
		expect([...doubles.notes]).toEqual([
			[
				conversationId,
				{
					appointment: 'evt-1',
					rep: 'ava.adams@example.com',
					customer: 'sam@example.com',
					...LANGUAGE_MODEL_ANSWER,
					link,
				},
			],
		]);
		expect(doubles.messages).toEqual([
			{
				channel: '#sales',
				text: [
					'*Roof inspection* – Ava Adams',
					LANGUAGE_MODEL_ANSWER.summary,
					...LANGUAGE_MODEL_ANSWER.nextSteps.map((step) => `• ${step}`),
					`<${link}|Open the conversation>`,
				].join('\n'),
			},
		]);
		expect(doubles.prompts).toEqual([expect.stringMatching(/Customer: Sam Doe.*\[00:\d\d\] /s)]);
	}, 120_000);

	test('Try It sends one conversation to the language model', async () => {
		const execution = await testbed.run('conversation-to-crm-and-slack', 'Try It');
		expect(errorOf(execution)).toBeUndefined();
		expect([
			testbed.doubles.prompts.length,
			testbed.doubles.notes.size,
			testbed.doubles.messages.length,
		]).toEqual([1, 1, 1]);
	}, 120_000);

	describe('the Monday digest', () => {
		const week = DateTime.now().setZone(ZONE).minus({ weeks: 1 });
		let browser: Browser;
		let page: Page;

		beforeAll(async () => {
			browser = await launchBrowser();
			page = await browser.newPage();
		}, 300_000);
		afterAll(async () => await browser?.close());

		/** Runs the example and opens the one mail that it sent. */
		const openMail = async (trigger: string) => {
			const execution = await testbed.run('weekly-team-digest', trigger);
			expect(errorOf(execution)).toBeUndefined();
			const [mail, ...more] = testbed.doubles.mailbox.mails;
			expect(more).toEqual([]);
			await page.setContent(mail.html ?? '');
			return mail;
		};
		const figuresOf = async (at: DateTime) => {
			const range = {
				fromDate: at.startOf('week').toUTC().toISO(),
				toDate: at.endOf('week').toUTC().toISO(),
			};
			const { teams } = await testbed.ask<{ teams: Team[] }>('/export/teams', range);
			const { users } = await testbed.ask<{ users: User[] }>('/export/users', range);
			return { teams, users };
		};
		/** The lines of a section: name, value and the difference to the week before. */
		const linesOf = async (title: string) =>
			await page
				.locator('section', { hasText: title })
				.locator('tr')
				.evaluateAll((rows) =>
					rows.map(({ cells }) => [cells[0].innerText, ...cells[1].innerText.split(/\s(.*)/, 2)]),
				);

		test('ranks last week’s teams and reps and compares them with the week before', async () => {
			const mail = await openMail('Every Monday');
			const [from, to] = [week.startOf('week'), week.endOf('week')];
			expect(mail.subject).toBe(
				`Conversations of ${from.toFormat('d LLLL')} to ${to.toFormat('d LLLL yyyy')}`,
			);
			expect(mail.to).toEqual([expect.objectContaining({ address: 'team-leads@example.com' })]);

			const [now, before] = [await figuresOf(week), await figuresOf(week.minus({ weeks: 1 }))];
			const expected = (rows: Array<Team | User>, earlier: Array<Team | User>) =>
				rows.map((row) => {
					const old = earlier.find((one) => idOf(one) === idOf(row))!;
					const change = row.conversationsRecorded - old.conversationsRecorded;
					const sign = change === 0 ? '=' : `${change > 0 ? '▲' : '▼'} ${Math.abs(change)}`;
					return [row.name, String(row.conversationsRecorded), sign];
				});
			const ranked = <Row extends Team | User>(rows: Row[]) =>
				rows.toSorted((a, b) => b.conversationsRecorded - a.conversationsRecorded);
			expect(await linesOf('Teams')).toEqual(expected(ranked(now.teams), before.teams));
			const active = now.users.filter(({ conversationsRecorded }) => conversationsRecorded > 0);
			expect(active.length).toBeGreaterThan(0);
			expect(await linesOf('Reps who recorded most')).toEqual(
				expected(ranked(active).slice(0, 10), before.users),
			);
			expect(await page.locator('body').innerText()).not.toMatch(/undefined|NaN|null/);
		}, 120_000);

		test('links to the five longest conversations, with their date in the workflow’s zone', async () => {
			await openMail('Try It');
			const pages = [1, 2, 3, 4, 5].map(async (at) => {
				const { conversations } = await testbed.ask<{ conversations: Long[] }>('/export/conversations', {
					fromDate: week.startOf('week').toUTC().toISO(),
					toDate: week.endOf('week').toUTC().toISO(),
					page: at,
				});
				return conversations;
			});
			const recorded = (await Promise.all(pages)).flat();
			const longest = recorded.toSorted((a, b) => b.duration - a.duration).slice(0, 5);
			const section = page.locator('section', { hasText: 'longest' });
			const links = section.getByRole('link');
			expect(await links.evaluateAll((found) => found.map((link) => link.getAttribute('href')))).toEqual(
				longest.map(({ serviceUrl }) => serviceUrl),
			);
			const shown = await section.innerText();
			for (const { date } of longest) {
				expect(shown).toContain(DateTime.fromISO(date).setZone(ZONE).toFormat('ccc d LLL, HH:mm'));
			}
		}, 120_000);

		test.each([
			[390, 'light'],
			[390, 'dark'],
			[700, 'light'],
			[700, 'dark'],
		] as const)(
			'fits a mail window of %i pixels and is accessible in %s colours',
			async (width, colorScheme) => {
				if (testbed.doubles.mailbox.mails.length === 0) await openMail('Try It');
				await page.setViewportSize({ width, height: 900 });
				await page.emulateMedia({ colorScheme });
				await expect(page.evaluate('document.documentElement.scrollWidth')).resolves.toBe(width);
				await page.evaluate(axe);
				const violations = await page.evaluate(
					'axe.run().then(({ violations }) => violations.map(({ id, nodes }) => id + ": " + nodes[0].html))',
				);
				expect(violations).toEqual([]);
			},
			120_000,
		);
	});

	test('the coach is alerted to a low checklist and to nothing else', async () => {
		const { n8n, sandbox, doubles } = testbed;
		const tracker = (trackerName: string, trackerIsHit: boolean | null) => ({ trackerName, trackerIsHit });
		const checklist = (checklistName: string, checklistScore: number) => ({
			checklistName,
			checklistScore,
			checklistDenominator: 4,
			trackerData: [
				tracker('Set the agenda', true),
				tracker('Presented price', false),
				tracker('Not evaluated', null),
			],
		});
		const insert = (title: string, ...checklists: object[]) =>
			sandbox.control.insertConversations({
				userEmail: 'ava.adams@example.com',
				fields: { title, checklists },
			});
		// With a start date, the first poll delivers when the workflow is published instead of five minutes later.
		const startDate = new Date(Date.now() - 1000).toISOString();
		const [low] = insert('Low', checklist('Closing', 1), checklist('Discovery', 4));
		insert('Half', checklist('Closing', 2));
		insert('None');
		const workflowId = await testbed.importExample('coaching-alert', {
			'Conversation Intelligence Poll Trigger': { startFrom: 'date', startDate },
		});
		await n8n.client.publish(workflowId);
		expect(await n8n.client.settled(workflowId, 1)).toEqual({ success: 1 });
		await n8n.client.unpublish(workflowId);

		expect(doubles.messages.filter(({ text }) => /\|(Low|Half|None)>/.test(text))).toEqual([
			{
				channel: '#coaching',
				text: `*Ava Adams* – <${sandbox.url}/app/conversations/${low}|Low>\n• Closing: 1 of 4, missed Presented price`,
			},
		]);
	}, 120_000);

	test('every conversation processed yesterday is in one compressed file in the storage, even after a second run', async () => {
		const { day, rows } = await yesterday();
		expect(rows.length).toBeGreaterThan(10);
		for (const attempt of [1, 2]) {
			const execution = await testbed.run('daily-export-to-s3', 'Every Night');
			expect([attempt, errorOf(execution)]).toEqual([attempt, undefined]);
		}
		expect([...testbed.doubles.files.keys()]).toEqual([
			`conversations/${day.toFormat('yyyy/MM/yyyy-MM-dd')}.ndjson.gz`,
		]);
		const [file] = testbed.doubles.files.values();
		const lines = gunzipSync(file).toString('utf8').trimEnd().split('\n');
		expect(lines.map((line) => (JSON.parse(line) as Row).conversationId)).toEqual(
			rows.map(({ conversationId }) => conversationId),
		);
	}, 120_000);

	test('audio and transcript of every conversation processed yesterday are archived, and the media host never receives a key', async () => {
		const { rows } = await yesterday();
		const execution = await testbed.run('archive-recordings', 'Every Night');
		expect(errorOf(execution)).toBeUndefined();
		const { files } = testbed.doubles;
		const name = ({ conversationId, date }: Row) => `recordings/${date.slice(0, 10)}/${conversationId}`;
		const expected = rows.flatMap((row) => [`${name(row)}.json`, `${name(row)}.wav`]);
		expect([...files.keys()].sort()).toEqual(expected.sort());

		const media = testbed.sandbox.requests.list().filter(({ host }) => host === 'media');
		expect(media).toHaveLength(2 * rows.length);
		expect(media.some(({ headersSeen }) => headersSeen.authorization || headersSeen.xApiKey)).toBe(false);
		for (const row of rows) {
			expect(
				files
					.get(`${name(row)}.wav`)!
					.subarray(0, 4)
					.toString(),
			).toBe('RIFF');
			const { transcriptUrl } = await conversation(row.conversationId);
			const transcript = Buffer.from(await (await fetch(transcriptUrl)).arrayBuffer());
			expect(files.get(`${name(row)}.json`)).toEqual(transcript);
		}
		expect(itemsOf(execution, 'Ten at a Time')).toHaveLength(rows.length);
	}, 120_000);

	const conversation = async (id: string): Promise<{ transcriptUrl: string }> => {
		const response = await fetch(`${testbed.sandbox.exportUrl}/export/conversations/${id}`, {
			headers: { authorization: testbed.sandbox.keys.organization },
		});
		return JSON.parse(await response.text());
	};
});
