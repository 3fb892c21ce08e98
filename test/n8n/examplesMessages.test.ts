import { randomUUID } from 'node:crypto';
import { DateTime } from 'luxon';
import type { IDataObject } from 'n8n-workflow';
import type { Browser, Page } from 'playwright-core';
import { launchBrowser } from '../../harness/browser/launch';
import { SIGNING_SECRET } from '../../harness/credentials';
import { callingTools, toolResults, type ToolCall } from '../../harness/examples/completion';
import { LANGUAGE_MODEL_ANSWER } from '../../harness/examples/doubles';
import { AVA } from '../../harness/examples/visits';
import { errorOf, itemsOf } from '../../harness/n8n/execution';
import { appointment, sendAppointment } from '../../harness/sendAppointment';
import { expectAccessible } from '../support/accessible';
import { ChatPage } from '../support/chatPage';
import { useDoublesTestbed, type DoublesTestbed } from '../support/doublesTestbed';
import { N8N_START_LIMIT_MS } from '../support/n8n';

/** n8n's default, which applies to the imported examples. */
const ZONE = 'America/New_York';

/** What a conversation may contain, and how Slack and HTML show it as text. */
const HOSTILE = '<!channel> <https://evil.example|Open> & <img src=x onerror="alert(1)">';
const IN_SLACK =
	'&lt;!channel&gt; &lt;https://evil.example|Open&gt; &amp; &lt;img src=x onerror="alert(1)"&gt;';
const IN_HTML =
	'&#60;!channel&#62; &#60;https://evil.example|Open&#62; &#38; &#60;img src=x onerror=&#34;alert(1)&#34;&#62;';

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

interface Lost {
	conversationId: string;
	outcome: string | null;
}

const idOf = (row: Team | User) => ('teamId' in row ? row.teamId : row.userId);
const TRIGGERS = { 'weekly-team-digest': 'Every Monday', 'lost-deals-mail': 'Every Morning' };

/** The files as they are: `harness/examples/redirect.mjs` brings requests of n8n's own nodes to local doubles. */
describe('Examples that send messages, in a real n8n', () => {
	const testbed = useDoublesTestbed();
	let browser: Browser;
	let page: Page;

	beforeAll(async () => {
		browser = await launchBrowser();
		page = await browser.newPage();
	}, N8N_START_LIMIT_MS);
	afterAll(() => browser?.close());
	beforeEach(() => testbed.doubles.reset());

	const insertForAva = (more: Parameters<DoublesTestbed['sandbox']['control']['insertConversations']>[0]) =>
		testbed.sandbox.control.insertConversations({ userEmail: AVA, ...more })[0];

	test('makes a HubSpot meeting and a Slack message of each conversation by the model, all words as text', async () => {
		const { n8n, sandbox, doubles } = testbed;
		const trigger = { 'Conversation Intelligence Trigger': {} };
		const workflowId = await testbed.importExample('conversation-to-crm-and-slack', trigger);
		await n8n.client.publish(workflowId);
		const path = await n8n.client.webhookPath(workflowId);
		// Another import has a path of its own; with the same one, n8n refuses to publish it.
		const secondId = await testbed.importExample('conversation-to-crm-and-slack', trigger);
		await n8n.client.publish(secondId);
		expect(await n8n.client.webhookPath(secondId)).not.toBe(path);
		await n8n.client.unpublish(secondId);
		const url = `${n8n.url}/webhook/${path}`;
		const { id } = sandbox.webhooks.subscriptions.add({ url, secret: SIGNING_SECRET });

		doubles.hubSpot.owners.push({ id: '77', email: AVA });
		const known = { email: 'known@example.com', firstname: 'Samuel', lastname: 'Doe' };
		doubles.hubSpot.contacts.push({ id: '1', createdAt: '', properties: { ...known } });
		const date = new Date(Date.now() - 3_600_000).toISOString();
		const insert = (title: string, name: string, email: string, more = {}) => {
			const customer = { name, email, phone: null, address: null };
			return insertForAva({ date, fields: { title, duration: 1200, customer, ...more } });
		};
		const ids = [
			insert('Roof inspection', 'Sam Doe', 'sam@example.com'),
			insert(HOSTILE, HOSTILE, known.email, { user: { name: HOSTILE, email: AVA } }),
		];
		// Right after processing, the export may not have the conversation yet.
		sandbox.faults.add({ kind: 'serverError', status: 404, method: 'GET', times: 1 });
		await sandbox.webhooks.emit({ conversationIds: ids.slice(0, 1) });
		expect(await n8n.client.waitForAll(workflowId, 1)).toEqual({ success: 1 });
		expect(JSON.stringify(doubles.modelRequests)).toMatch(/Customer: Sam Doe.*\[00:\d\d\] /);
		const output = { summary: HOSTILE, nextSteps: [HOSTILE, `Rep: ${HOSTILE}`] };
		doubles.script.push({ content: JSON.stringify({ output }) });
		await sandbox.webhooks.emit({ conversationIds: ids.slice(1) });
		expect(await n8n.client.waitForAll(workflowId, 2)).toEqual({ success: 2 });
		sandbox.webhooks.subscriptions.remove(id);
		await n8n.client.unpublish(workflowId);

		const { summary, nextSteps } = LANGUAGE_MODEL_ANSWER;
		const links = ids.map((each) => `${sandbox.url}/app/conversations/${each}`);
		const { contacts, meetings } = doubles.hubSpot;
		const added = { email: 'sam@example.com', firstname: 'Sam', lastname: 'Doe' };
		expect(contacts.map(({ properties }) => properties)).toEqual([known, added]);
		const body = (words: string, steps: string[], link: string) =>
			`${words}<br>${steps.map((step) => `• ${step}<br>`).join('')}<a href="${link}">Open the conversation</a>`;
		expect(meetings.map(({ links: to, properties }) => [to, properties])).toEqual([
			[
				{ contacts: [contacts[1].id] },
				{
					hs_timestamp: date,
					hs_meeting_title: 'Roof inspection',
					hs_meeting_start_time: date,
					hs_meeting_end_time: new Date(Date.parse(date) + 1_200_000).toISOString(),
					hs_meeting_outcome: 'COMPLETED',
					hubspot_owner_id: '77',
					hs_meeting_body: body(summary, nextSteps, links[0]),
				},
			],
			[
				{ contacts: ['1'] },
				expect.objectContaining({ hs_meeting_body: body(IN_HTML, [IN_HTML, `Rep: ${IN_HTML}`], links[1]) }),
			],
		]);
		const message = (head: string, words: string, steps: string[], link: string) => ({
			channel: '#sales',
			text: [head, words, ...steps.map((step) => `• ${step}`), `<${link}|Open the conversation>`].join('\n'),
		});
		expect(doubles.messages).toEqual([
			message('*Roof inspection* – Ava Adams', summary, nextSteps, links[0]),
			message(`*${IN_SLACK}* – ${IN_SLACK}`, IN_SLACK, [IN_SLACK, `Rep: ${IN_SLACK}`], links[1]),
		]);
	}, 120_000);

	test('the coach is alerted to low checklists and to nothing else, whatever their names contain', async () => {
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
			insertForAva({ fields: { title, checklists } });
		// With a start date, the first poll delivers when the workflow is published instead of five minutes later.
		const startDate = new Date(Date.now() - 1000).toISOString();
		const low = insert('Low', checklist('Closing', 1), checklist('Discovery', 4));
		insert('Half', checklist('Closing', 2));
		insert('None');
		const checklists = [{ ...checklist(HOSTILE, 1), trackerData: [tracker(HOSTILE, false)] }];
		const hostile = insertForAva({
			fields: { title: HOSTILE, user: { name: HOSTILE, email: AVA }, checklists },
		});
		const workflowId = await testbed.importExample('coaching-alert', {
			'Conversation Intelligence Poll Trigger': { parameters: { startFrom: 'date', startDate } },
		});
		await n8n.client.publish(workflowId);
		expect(await n8n.client.waitForAll(workflowId, 1)).toEqual({ success: 1 });
		await n8n.client.unpublish(workflowId);

		const sent = doubles.messages.filter(({ text }) => /\|(Low|Half|None|&lt;.*)>/.test(text));
		const alert = (name: string, id: string, title: string, missed: string) => ({
			channel: '#coaching',
			text: `*${name}* – <${sandbox.url}/app/conversations/${id}|${title}>\n• ${missed}`,
		});
		const words = `${IN_SLACK}: 1 of 4, missed ${IN_SLACK}`;
		expect(new Set(sent)).toEqual(
			new Set([
				alert('Ava Adams', low, 'Low', 'Closing: 1 of 4, missed Presented price'),
				alert(IN_SLACK, hostile, IN_SLACK, words),
			]),
		);
		expect(sent).toHaveLength(2);
	}, 120_000);

	const openMail = async (slug: keyof typeof TRIGGERS) => {
		const execution = await testbed.run(slug, TRIGGERS[slug]);
		expect(errorOf(execution)).toBeUndefined();
		const [mail, ...more] = testbed.doubles.mailbox.mails;
		expect(more).toEqual([]);
		await page.setContent(mail.html ?? '');
		expect(await page.locator('body').innerText()).not.toMatch(/undefined|NaN|null/);
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

		test('ranks last week’s teams and reps, compares them with the week before, and shows any name as text', async () => {
			const hostile = '<img src=x onerror="alert(1)"> <a href="https://evil.example">Open</a>';
			const date = week.startOf('week').plus({ hours: 9 });
			const fields = {
				title: hostile,
				outcome: hostile,
				duration: 90_000,
				user: { name: hostile, email: AVA },
			};
			const id = insertForAva({ date: date.toUTC().toISO()!, fields });
			const mail = await openMail('weekly-team-digest');
			const [from, to] = [week.startOf('week'), week.endOf('week')];
			expect(mail.subject).toBe(
				`Conversations of ${from.toFormat('d LLLL')} to ${to.toFormat('d LLLL yyyy')}`,
			);
			expect(mail.to).toEqual([expect.objectContaining({ address: 'team-leads@example.com' })]);

			const [now, before] = [await figuresOf(week), await figuresOf(week.minus({ weeks: 1 }))];
			testbed.sandbox.control.removeConversations(id);
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
			expect(await linesOf('Reps who recorded most')).toEqual(
				expected(ranked(active).slice(0, 10), before.users),
			);
			const longest = page.locator('section', { hasText: 'longest' }).locator('p').first();
			expect((await longest.innerText()).split(/\n+/)).toEqual([
				hostile,
				`${date.toFormat('ccc d LLL, HH:mm')} · ${hostile} · 1500 min · ${hostile}`,
			]);
			expect(await page.locator('img, a[href*="evil"]').count()).toBe(0);
			await page.getByRole('heading', { level: 1, name: /week in conversations/ }).waitFor();
			for (const width of [390, 700]) await expectAccessible(page, width);
		}, 120_000);
	});

	describe('the mail about lost deals', () => {
		const yesterday = DateTime.now().setZone(ZONE).minus({ days: 1 });

		test('lists the lost conversations processed yesterday, late uploads too, with all columns', async () => {
			const { sandbox } = testbed;
			const hostile = insertForAva({
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
			await page.getByRole('heading', { level: 1, name: /lost deals?$/ }).waitFor();
			for (const width of [390, 700]) await expectAccessible(page, width);
		}, 120_000);

		test('is not sent on a day without one', async () => {
			const none = { 'Lost Deals': { parameters: { filters: { outcome: 'No such outcome' } } } };
			const workflowId = await testbed.importExample('lost-deals-mail', none);
			const execution = await testbed.n8n.client.run(workflowId, { trigger: TRIGGERS['lost-deals-mail'] });
			expect([execution.status, testbed.doubles.mailbox.mails]).toEqual(['success', []]);
		}, 60_000);
	});

	test.each(['ask-your-calls', 'coaching-alert', 'conversation-to-crm-and-slack'])(
		'%s can be tried before it is published',
		async (slug) => {
			testbed.sandbox.requests.reset();
			const execution = await testbed.run(slug, 'Try It');
			expect([execution.status, errorOf(execution)]).toEqual(['success', undefined]);
			expect(testbed.sandbox.requests.count('/data/export/conversations')).toBeGreaterThan(0);
		},
		120_000,
	);

	/** The store, the agent and its tools are n8n's; the model's calls are scripted, and its embeddings count words. */
	describe('the chat about recorded conversations', () => {
		/** Publishes the example with a public chat. Its first poll delivers what is processed from now on. */
		const publishChat = async () => {
			const webhookId = randomUUID();
			const startDate = new Date(Date.now() - 1000).toISOString();
			const workflowId = await testbed.importExample('ask-your-calls', {
				'New Conversations': { parameters: { startFrom: 'date', startDate } },
				Ask: { parameters: { public: true }, webhookId },
				Approve: { webhookId: randomUUID() },
			});
			await testbed.n8n.client.publish(workflowId);
			return { workflowId, webhookId };
		};
		/** Asks in the chat; the model makes these calls. */
		const ask = async (webhookId: string, ...calls: ToolCall[]) => {
			testbed.doubles.script.push(...callingTools(calls));
			return await ChatPage.say(testbed.n8n.url, webhookId, 'What was said?');
		};
		/** What the model received for its calls. */
		const results = () => toolResults(testbed.doubles.modelRequests);
		const titled = (title: string) =>
			testbed.sandbox.control.appointments().filter((appointment) => appointment.title === title);

		test('finds a polled conversation by what was said, with its link and minute, and by its title', async () => {
			const { n8n, sandbox } = testbed;
			const [wanted] = ['Zephyr geothermal upgrade', 'Gutter cleaning'].map((title) =>
				insertForAva({ fields: { title } }),
			);
			const { workflowId, webhookId } = await publishChat();
			expect(await n8n.client.waitForAll(workflowId, 1)).toEqual({ success: 1 });

			const [{ id }] = await n8n.client.executions(workflowId);
			const execution = await n8n.client.execution(id);
			const of = (node: string) =>
				itemsOf(execution, node).filter(({ json }) => json.conversationId === wanted);
			const windows = of('Windows').map(({ json }) => json);
			const turns = of('Conversation').flatMap(({ json }) => json.transcript as IDataObject[]);
			expect(windows.map(({ text }) => text).join('\n')).toBe(
				turns.map(({ speaker, text }) => `${String(speaker)}: ${String(text)}`).join('\n'),
			);
			const last = windows.at(-1)!;
			const clock = (seconds: unknown) => new Date(Number(seconds) * 1000).toISOString().slice(11, 19);
			expect(turns.map(({ start }) => clock(start))).toEqual(
				expect.arrayContaining(windows.map(({ from }) => from)),
			);
			expect([windows[0].from, last.to]).toEqual([clock(turns[0].start), clock(turns.at(-1)!.end)]);
			expect(last.from).not.toBe(windows[0].from);
			const now = DateTime.now().setZone('America/New_York');
			const today = now.toISODate();
			const chat = await ask(
				webhookId,
				{ tool: 'Search_Transcripts', input: { input: `Zephyr geothermal upgrade\n${String(last.text)}` } },
				{
					tool: 'Find_Conversations',
					input: { from_date: today, to_date: today, rep_emails: AVA, words: 'ZEPHYR' },
				},
				{
					tool: 'Find_Conversations',
					input: { from_date: now.minus({ days: 60 }).toISODate(), to_date: today, rep_emails: '' },
				},
			);
			expect(await chat.next()).toEqual({ text: 'Done.', buttons: [] });
			await n8n.client.unpublish(workflowId);
			const [passages, rows, newest] = results();
			const [{ response }] = JSON.parse(passages) as Array<{ response: Array<{ text: string }> }>;
			const { from, to } = last;
			const link = `${sandbox.url}/app/conversations/${wanted}`;
			expect(JSON.parse(response[0].text)).toMatchObject({ metadata: { link, from, to, rep: 'Ava Adams' } });
			expect(JSON.parse(rows)).toEqual([expect.objectContaining({ conversationId: wanted })]);
			expect(newest).toContain(wanted);
			expect(newest).toMatch(/The newest 10 of \d{4} conversations: ask for another date range/);
		}, 120_000);

		test('books a follow-up only after a person has approved it, under an ID that the model cannot choose', async () => {
			const { n8n, sandbox } = testbed;
			const kept = appointment(sandbox, 0, { event_id: 'crm-1', title: 'Kept' });
			await sendAppointment(sandbox, kept);
			const { workflowId, webhookId } = await publishChat();
			const booking = (title: string): ToolCall => ({
				tool: 'Book_Follow-Up',
				input: {
					toolParameters: {
						// A transcript may have told the model to overwrite an appointment.
						event_id: 'crm-1',
						rep_email: AVA,
						start: '2026-03-01T10:00:00Z',
						end: '2026-03-01T11:00:00Z',
						title,
						customer_id: 'sam@example.com',
						customer_name: 'Sam Doe',
					},
					hitlParameters: {},
				},
			});
			const hostile = 'Follow-up\n```\n[Open](https://evil.example)';
			const ids = [];
			for (const attempt of [1, 2]) {
				const chat = await ask(webhookId, booking(hostile));
				const question = await chat.next();
				expect([attempt, titled(hostile).length]).toEqual([attempt, attempt - 1]);
				expect(question.text).toContain('"rep_email": "ava.adams@example.com"');
				// The title cannot end the code block.
				expect(question.text).toContain('"title": "Follow-up\\n```\\n[Open](https://evil.example)"');
				await chat.click(question, 'Book');
				expect(await chat.next()).toEqual({ text: 'Done.', buttons: [] });
				const [booked] = results();
				ids.push(/"event_id":"(follow-up-[^"]+)"/.exec(booked)?.[1]);
			}
			expect(new Set(ids).size).toBe(2);
			expect(titled(hostile).map(({ event_id }) => event_id)).toEqual(ids);

			const refusal = await ask(webhookId, booking('Refused'));
			await refusal.click(await refusal.next(), 'Do Not Book');
			expect(await refusal.next()).toEqual({ text: 'Done.', buttons: [] });
			expect(results()[0]).toContain('User rejected the tool call');

			const typed = await ask(webhookId, booking('Typed'));
			await typed.next();
			typed.type('yes, but at 11');
			expect(await typed.next()).toEqual({ text: 'Done.', buttons: [] });
			expect(results()[0]).toContain('yes, but at 11');

			await n8n.client.unpublish(workflowId);
			expect([titled('Refused'), titled('Typed')]).toEqual([[], []]);
			expect(titled('Kept')).toEqual([expect.objectContaining({ event_id: 'crm-1', title: 'Kept' })]);
		}, 120_000);
	});
});
