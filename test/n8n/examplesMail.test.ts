import { readFileSync } from 'node:fs';
import { DateTime } from 'luxon';
import type { Browser, Page } from 'playwright-core';
import { launchBrowser } from '../../harness/browser/launch';
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
	name: string | null;
	email: string;
	conversationsRecorded: number;
}

interface Long {
	serviceUrl: string;
	duration: number;
	date: string;
}

interface Lost {
	conversationId: string;
	outcome: string | null;
}

const idOf = (row: Team | User) => ('teamId' in row ? row.teamId : row.userId);
const TRIGGERS = { 'weekly-team-digest': 'Every Monday', 'lost-deals-mail': 'Every Morning' };
const titleOf = (slug: keyof typeof TRIGGERS) =>
	slug === 'lost-deals-mail' ? /lost deals?$/ : /week in conversations/;

describe('Examples that send a mail, in a real n8n', () => {
	let testbed: ExamplesTestbed;
	let browser: Browser;
	let page: Page;

	beforeAll(async () => {
		testbed = await startExamplesTestbed();
		browser = await launchBrowser();
		page = await browser.newPage();
	}, N8N_START_LIMIT_MS);
	afterAll(async () => {
		await browser?.close();
		await testbed?.stop();
	}, 60_000);
	beforeEach(() => testbed.doubles.reset());

	/** Runs an example and opens the one mail that it sent. */
	const openMail = async (slug: keyof typeof TRIGGERS) => {
		const execution = await testbed.run(slug, TRIGGERS[slug]);
		expect(errorOf(execution)).toBeUndefined();
		const [mail, ...more] = testbed.doubles.mailbox.mails;
		expect(more).toEqual([]);
		await page.setContent(mail.html ?? '');
		return mail;
	};

	describe('the Monday digest', () => {
		const week = DateTime.now().setZone(ZONE).minus({ weeks: 1 });
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
			const mail = await openMail('weekly-team-digest');
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
					return [row.name ?? ('email' in row && row.email), String(row.conversationsRecorded), sign];
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

		test('shows whatever a title, an outcome or a name contains as text', async () => {
			const hostile = '<img src=x onerror="alert(1)"> <a href="https://evil.example">Open</a>';
			const date = week.startOf('week').plus({ hours: 9 });
			const [id] = testbed.sandbox.control.insertConversations({
				date: date.toUTC().toISO()!,
				userEmail: 'ava.adams@example.com',
				fields: {
					title: hostile,
					outcome: hostile,
					duration: 90_000,
					user: { name: hostile, email: 'ava.adams@example.com' },
				},
			});
			await openMail('weekly-team-digest');
			testbed.sandbox.control.removeConversations(id);
			const longest = page.locator('section', { hasText: 'longest' }).locator('p').first();
			expect((await longest.innerText()).split(/\n+/)).toEqual([
				hostile,
				`${date.toFormat('ccc d LLL, HH:mm')} · ${hostile} · 1500 min · ${hostile}`,
			]);
			expect(await page.locator('img, a[href*="evil"]').count()).toBe(0);
		}, 120_000);

		test('links to the five longest conversations, with their date in the workflow’s zone', async () => {
			await openMail('weekly-team-digest');
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
	});

	describe('the mail about lost deals', () => {
		const yesterday = DateTime.now().setZone(ZONE).minus({ days: 1 });

		test('lists conversations processed yesterday with a lost outcome, late uploads too, with person, date, summary and link', async () => {
			const { sandbox } = testbed;
			const [hostile] = sandbox.control.insertConversations({
				userEmail: 'ava.adams@example.com',
				date: yesterday.startOf('day').plus({ hours: 9, minutes: 5 }).toUTC().toISO()!,
				fields: {
					title: '<b>"Roof" & more</b>',
					outcome: 'Not Sold',
					jobSummary: 'Too expensive.\nHe may call <back>.',
					customer: { name: 'Sam Doe', email: null, phone: null, address: null },
				},
			});
			const [late] = sandbox.control.insertConversations({
				date: yesterday.minus({ days: 3 }).toUTC().toISO()!,
				processedDate: yesterday.startOf('day').plus({ hours: 10 }).toUTC().toISO()!,
				fields: { title: 'Uploaded late', outcome: 'Cancelled' },
			});
			const mail = await openMail('lost-deals-mail');
			const rows = await testbed.ask<{ conversations: Lost[] }>('/export/conversations', {
				fromDate: yesterday.startOf('day').toUTC().toISO(),
				toDate: yesterday.endOf('day').toUTC().toISO(),
				dateType: 'processedDate',
			});
			expect(rows.conversations.map(({ conversationId }) => conversationId)).toContain(late);
			const lost = rows.conversations.filter(({ outcome }) => /^(Not Sold|Cancelled)$/.test(outcome ?? ''));
			expect(lost.length).toBeGreaterThan(1);
			expect(mail.subject).toBe(`Lost deals of ${yesterday.toFormat('d LLLL yyyy')}: ${lost.length}`);
			const links = await page
				.getByRole('link')
				.evaluateAll((found) => found.map((link) => link.getAttribute('href')));
			const linkTo = (id: string) => `${sandbox.url}/app/conversations/${id}`;
			expect(links.sort()).toEqual(lost.map(({ conversationId }) => linkTo(conversationId)).sort());

			const deal = page.locator('section').filter({ has: page.locator(`a[href="${linkTo(hostile)}"]`) });
			expect((await deal.innerText()).split(/\n+/)).toEqual([
				'<b>"Roof" & more</b>',
				`Ava Adams · ${yesterday.toFormat('ccc d LLL')}, 09:05 · Sam Doe · Not Sold`,
				'Too expensive.',
				'He may call <back>.',
			]);
			expect(await page.locator('body').innerText()).not.toMatch(/undefined|NaN|null/);
		}, 120_000);

		test('is not sent on a day without one', async () => {
			const workflowId = await testbed.importExample('lost-deals-mail', {
				'Lost Deals': { filters: { outcome: 'Nobody says this' } },
			});
			const execution = await testbed.n8n.client.run(workflowId, { trigger: 'Every Morning' });
			expect(errorOf(execution)).toBeUndefined();
			expect(itemsOf(execution, 'Lost Deals')).toEqual([]);
			expect(testbed.doubles.mailbox.mails).toEqual([]);
		}, 120_000);
	});

	describe.each(['weekly-team-digest', 'lost-deals-mail'] as const)('the mail of %s', (slug) => {
		test.each([
			[390, 'light'],
			[390, 'dark'],
			[700, 'light'],
			[700, 'dark'],
		] as const)(
			'fits a window of %i pixels and is accessible in %s colours',
			async (width, colorScheme) => {
				await openMail(slug);
				await page.setViewportSize({ width, height: 900 });
				await page.emulateMedia({ colorScheme });
				await page.getByRole('heading', { level: 1, name: titleOf(slug) }).waitFor();
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
});
