import { randomUUID } from 'node:crypto';
import { DateTime } from 'luxon';
import type { IDataObject } from 'n8n-workflow';
import type { Browser, Page } from 'playwright-core';
import { launchBrowser } from '../../harness/browser/launch';
import { SIGNING_SECRET } from '../../harness/credentials';
import { callingTools, toolResults, type ToolCall } from '../../harness/examples/completion';
import { LANGUAGE_MODEL_ANSWER } from '../../harness/examples/doubles';
import { AVA } from '../../harness/examples/visits';
import { itemsOf } from '../../harness/n8n/execution';
import { appointment, sendAppointment } from '../../harness/sendAppointment';
import { expectAccessible } from '../support/accessible';
import { ChatPage } from '../support/chatPage';
import { useDoublesTestbed, type DoublesTestbed } from '../support/doublesTestbed';
import { filled } from '../support/filled';
import { N8N_START_LIMIT_MS } from '../support/n8n';
import EXPECTED from './examplesMessages.json';

/** n8n's default, which applies to the imported examples. */
const ZONE = 'America/New_York';

/** What a conversation may contain, and how Slack and HTML show it as text. */
const HOSTILE = '<!channel> <https://evil.example|Open> & <img src=x onerror="alert(1)">';
const escaped = (signs: Record<string, string>) => HOSTILE.replace(/[<>&"]/g, (sign) => signs[sign] ?? sign);
const IN_SLACK = escaped({ '<': '&lt;', '>': '&gt;', '&': '&amp;' });
const IN_HTML = escaped({ '<': '&#60;', '>': '&#62;', '&': '&#38;', '"': '&#34;' });

interface Figures {
	teamId?: string;
	userId?: string;
	name: string | null;
	email?: string;
	conversationsRecorded: number;
}

interface Lost {
	conversationId: string;
	outcome: string | null;
}

jest.setTimeout(120_000);

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
	const linkTo = (id: string) => `${testbed.sandbox.url}/app/conversations/${id}`;
	const succeeded = async (workflowId: string, count: number) =>
		expect(await testbed.n8n.client.waitForAll(workflowId, count)).toEqual({ success: count });
	const inUtc = (time: DateTime) => time.toUTC().toISO()!;

	test('makes a HubSpot meeting and a Slack message of each conversation by the model, all words as text', async () => {
		const { n8n, sandbox, doubles } = testbed;
		const trigger = { 'Conversation Intelligence Trigger': {} };
		const publish = async () => await testbed.publish('conversation-to-crm-and-slack', trigger);
		// Another import has a path of its own; with the same one, n8n refuses to publish it.
		const [workflowId, other] = [await publish(), await publish()];
		await n8n.client.unpublish(other);
		const url = `${n8n.url}/webhook/${await n8n.client.webhookPath(workflowId)}`;
		const { id } = sandbox.webhooks.subscriptions.add({ url, secret: SIGNING_SECRET });

		doubles.hubSpot.owners.push({ id: '77', email: AVA });
		const [known] = EXPECTED.crmAndSlack.contacts;
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
		await succeeded(workflowId, 1);
		expect(JSON.stringify(doubles.modelRequests)).toMatch(/Customer: Sam Doe.*\[00:\d\d\] /);
		const output = { summary: HOSTILE, nextSteps: [HOSTILE, `Rep: ${HOSTILE}`] };
		doubles.script.push({ content: JSON.stringify({ output }) });
		await sandbox.webhooks.emit({ conversationIds: ids.slice(1) });
		await succeeded(workflowId, 2);
		sandbox.webhooks.subscriptions.remove(id);

		const { contacts, meetings } = doubles.hubSpot;
		const sent = {
			contacts: contacts.map(({ properties }) => properties),
			meetings: meetings.map(({ links, properties }) => [links.contacts, properties]),
			messages: doubles.messages,
		};
		const { summary, nextSteps } = LANGUAGE_MODEL_ANSWER;
		const [link, hostileLink] = ids.map(linkTo);
		const until = new Date(Date.parse(date) + 1_200_000).toISOString();
		const words = { summary, first: nextSteps[0], second: nextSteps[1], html: IN_HTML, slack: IN_SLACK };
		const values = { ...words, hostile: HOSTILE, date, until, link, hostileLink, contact: contacts[1].id };
		expect(sent).toEqual(filled(EXPECTED.crmAndSlack, values));
	});

	test('the coach is alerted to low checklists and to nothing else, whatever their names contain', async () => {
		const checklist = (checklistName: string, checklistScore: number, missed = 'Presented price') => {
			const trackers = { 'Set the agenda': true, [missed]: false, 'Not evaluated': null };
			const trackerData = Object.entries(trackers).map(([trackerName, trackerIsHit]) => ({
				...{ trackerName, trackerIsHit },
			}));
			return { checklistName, checklistScore, checklistDenominator: 4, trackerData };
		};
		const insert = (title: string, ...checklists: object[]) =>
			insertForAva({ fields: { title, checklists } });
		// With a start date, the first poll delivers when the workflow is published instead of five minutes later.
		const startDate = new Date(Date.now() - 1000).toISOString();
		const low = insert('Low', checklist('Closing', 1), checklist('Discovery', 4));
		insert('Half', checklist('Closing', 2));
		insert('None');
		const user = { name: HOSTILE, email: AVA };
		const checklists = [checklist(HOSTILE, 1, HOSTILE)];
		const hostile = insertForAva({ fields: { title: HOSTILE, user, checklists } });
		const workflowId = await testbed.publish('coaching-alert', {
			'Conversation Intelligence Poll Trigger': { parameters: { startFrom: 'date', startDate } },
		});
		await succeeded(workflowId, 1);

		const sent = testbed.doubles.messages.filter(({ text }) => /\|(Low|Half|None|&lt;.*)>/.test(text));
		const values = { low: linkTo(low), hostile: linkTo(hostile), slack: IN_SLACK };
		expect(sent).toHaveLength(2);
		expect(sent).toEqual(expect.arrayContaining(filled(EXPECTED.coaching, values)));
	});

	/** Runs an example that sends one mail, and shows it in the browser. */
	const openMail = async (slug: string, trigger: string) => {
		await testbed.run(slug, trigger);
		const [mail, ...more] = testbed.doubles.mailbox.mails;
		expect(more).toEqual([]);
		await page.setContent(mail.html ?? '');
		expect(await page.locator('body').innerText()).not.toMatch(/undefined|NaN|null/);
		for (const width of [390, 700]) await expectAccessible(page, width);
		return mail;
	};

	test('the Monday digest ranks last week’s teams and reps beside the week before, and shows any name as text', async () => {
		const week = DateTime.now().setZone(ZONE).minus({ weeks: 1 });
		const figuresOf = async (at: DateTime) => {
			const range = { fromDate: inUtc(at.startOf('week')), toDate: inUtc(at.endOf('week')) };
			const { teams } = await testbed.ask<{ teams: Figures[] }>('/export/teams', range);
			const { users } = await testbed.ask<{ users: Figures[] }>('/export/users', range);
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
		const hostile = '<img src=x onerror="alert(1)"> <a href="https://evil.example">Open</a>';
		const date = week.startOf('week').plus({ hours: 9 });
		const user = { name: hostile, email: AVA };
		const fields = { title: hostile, outcome: hostile, duration: 90_000, user };
		const id = insertForAva({ date: inUtc(date), fields });
		const mail = await openMail('weekly-team-digest', 'Every Monday');
		const days = [week.startOf('week').toFormat('d LLLL'), week.endOf('week').toFormat('d LLLL yyyy')];
		expect(mail.subject).toBe(`Conversations of ${days.join(' to ')}`);
		expect(mail.to).toEqual([expect.objectContaining({ address: 'team-leads@example.com' })]);

		const [now, before] = [await figuresOf(week), await figuresOf(week.minus({ weeks: 1 }))];
		testbed.sandbox.control.removeConversations(id);
		const expected = (rows: Figures[], earlier: Figures[]) =>
			rows.map(({ teamId, userId, name, email, conversationsRecorded }) => {
				const old = earlier.find((one) => one.teamId === teamId && one.userId === userId)!;
				const change = conversationsRecorded - old.conversationsRecorded;
				const sign = change === 0 ? '=' : `${change > 0 ? '▲' : '▼'} ${Math.abs(change)}`;
				return [name ?? email, String(conversationsRecorded), sign];
			});
		const ranked = (rows: Figures[]) =>
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
	});

	test('the mail about lost deals lists those processed yesterday, late uploads too, with all columns', async () => {
		const { control } = testbed.sandbox;
		const yesterday = DateTime.now().setZone(ZONE).minus({ days: 1 });
		const [from, to] = [yesterday.startOf('day'), yesterday.endOf('day')];
		const hostile = insertForAva({
			date: inUtc(from.plus({ hours: 9, minutes: 5 })),
			fields: {
				title: '<b>"Roof" & more</b>',
				outcome: 'Not Sold',
				jobSummary: 'Too expensive.\nHe may call <back>.',
				customer: { name: 'Sam Doe', email: null, phone: null, address: null },
			},
		});
		const [late] = control.insertConversations({
			date: inUtc(yesterday.minus({ days: 3 })),
			processedDate: inUtc(from.plus({ hours: 10 })),
			fields: { title: 'Uploaded late', outcome: 'Cancelled' },
		});
		const mail = await openMail('lost-deals-mail', 'Every Morning');
		const range = { fromDate: inUtc(from), toDate: inUtc(to), dateType: 'processedDate' };
		const { conversations } = await testbed.ask<{ conversations: Lost[] }>('/export/conversations', range);
		const lost = conversations
			.filter(({ outcome }) => /^(Not Sold|Cancelled)$/.test(outcome ?? ''))
			.map(({ conversationId }) => conversationId);
		expect(lost).toEqual(expect.arrayContaining([late, hostile]));
		expect(mail.subject).toBe(`Lost deals of ${yesterday.toFormat('d LLLL yyyy')}: ${lost.length}`);
		const found = page.getByRole('link');
		const links = await found.evaluateAll((all) => all.map((link) => link.getAttribute('href')));
		expect(links.sort()).toEqual(lost.map(linkTo).sort());

		const deal = page.locator('section').filter({ has: page.locator(`a[href="${linkTo(hostile)}"]`) });
		expect((await deal.innerText()).split(/\n+/)).toEqual([
			'<b>"Roof" & more</b>',
			`Ava Adams · ${yesterday.toFormat('ccc d LLL')}, 09:05 · Sam Doe · Not Sold`,
			'Too expensive.',
			'He may call <back>.',
		]);
		await page.getByRole('heading', { level: 1, name: /lost deals?$/ }).waitFor();
	});

	test('the mail about lost deals is not sent on a day without one', async () => {
		const none = { 'Lost Deals': { parameters: { filters: { outcome: 'No such outcome' } } } };
		const { status } = await testbed.run(
			await testbed.importExample('lost-deals-mail', none),
			'Every Morning',
		);
		expect([status, testbed.doubles.mailbox.mails]).toEqual(['success', []]);
	});

	test.each(['ask-your-calls', 'coaching-alert', 'conversation-to-crm-and-slack'])(
		'%s can be tried before it is published',
		async (slug) => {
			testbed.sandbox.requests.reset();
			expect((await testbed.run(slug, 'Try It')).status).toBe('success');
			expect(testbed.sandbox.requests.count('/data/export/conversations')).toBeGreaterThan(0);
		},
	);

	/** The store, the agent and its tools are n8n's; the model's calls are scripted, and its embeddings count words. */
	describe('the chat about recorded conversations', () => {
		/** Publishes the example with a public chat. Its first poll delivers what is processed from now on. */
		const publishChat = async () => {
			const webhookId = randomUUID();
			const startDate = new Date(Date.now() - 1000).toISOString();
			const workflowId = await testbed.publish('ask-your-calls', {
				'New Conversations': { parameters: { startFrom: 'date', startDate } },
				Ask: { parameters: { public: true }, webhookId },
				Approve: { webhookId: randomUUID() },
			});
			return { workflowId, webhookId };
		};
		/** Asks in the chat; the model makes these calls. */
		const ask = async (webhookId: string, ...calls: ToolCall[]) => {
			testbed.doubles.script.push(...callingTools(calls));
			return await ChatPage.say(testbed.n8n.url, webhookId, 'What was said?');
		};
		const expectEnd = async (chat: ChatPage) =>
			expect(await chat.next()).toEqual({ text: 'Done.', buttons: [] });
		/** What the model received for its calls. */
		const results = () => toolResults(testbed.doubles.modelRequests);
		const titled = (title: string) =>
			testbed.sandbox.control.appointments().filter((one) => one.title === title);

		test('finds a polled conversation by what was said, with its link and minute, and by its title', async () => {
			const [wanted] = ['Zephyr geothermal upgrade', 'Gutter cleaning'].map((title) =>
				insertForAva({ fields: { title } }),
			);
			const { workflowId, webhookId } = await publishChat();
			await succeeded(workflowId, 1);

			const execution = await testbed.n8n.client.latest(workflowId);
			const of = (node: string) =>
				itemsOf(execution, node).flatMap(({ json }) => (json.conversationId === wanted ? [json] : []));
			const windows = of('Windows');
			const turns = of('Conversation').flatMap(({ transcript }) => transcript as IDataObject[]);
			expect(windows.map(({ text }) => text).join('\n')).toBe(
				turns.map(({ speaker, text }) => `${String(speaker)}: ${String(text)}`).join('\n'),
			);
			const last = windows.at(-1)!;
			const clock = (seconds: unknown) => new Date(Number(seconds) * 1000).toISOString().slice(11, 19);
			const starts = turns.map(({ start }) => clock(start));
			expect(starts).toEqual(expect.arrayContaining(windows.map(({ from }) => from)));
			expect([windows[0].from, last.to]).toEqual([starts[0], clock(turns.at(-1)!.end)]);
			expect(last.from).not.toBe(windows[0].from);
			const now = DateTime.now().setZone(ZONE);
			const to_date = now.toISODate();
			const find = (input: IDataObject) => ({ tool: 'Find_Conversations', input: { to_date, ...input } });
			const said = { input: `Zephyr geothermal upgrade\n${String(last.text)}` };
			const chat = await ask(
				webhookId,
				{ tool: 'Search_Transcripts', input: said },
				find({ from_date: to_date, rep_emails: AVA, words: 'ZEPHYR' }),
				find({ from_date: now.minus({ days: 60 }).toISODate(), rep_emails: '' }),
			);
			await expectEnd(chat);
			const [passages, rows, newest] = results();
			const [{ response }] = JSON.parse(passages) as Array<{ response: Array<{ text: string }> }>;
			const metadata = { link: linkTo(wanted), from: last.from, to: last.to, rep: 'Ava Adams' };
			expect(JSON.parse(response[0].text)).toMatchObject({ metadata });
			expect(JSON.parse(rows)).toEqual([expect.objectContaining({ conversationId: wanted })]);
			expect(newest).toContain(wanted);
			expect(newest).toMatch(/The newest 10 of \d{4} conversations: ask for another date range/);
		});

		test('books a follow-up only after a person has approved it, under an ID that the model cannot choose', async () => {
			const { sandbox } = testbed;
			await sendAppointment(sandbox, appointment(sandbox, 0, { event_id: 'crm-1', title: 'Kept' }));
			const { webhookId } = await publishChat();
			const booking = (title: string): ToolCall => {
				const time = { start: '2026-03-01T10:00:00Z', end: '2026-03-01T11:00:00Z' };
				const customer = { customer_id: 'sam@example.com', customer_name: 'Sam Doe' };
				// A transcript may have told the model to overwrite an appointment.
				const toolParameters = { event_id: 'crm-1', rep_email: AVA, ...time, title, ...customer };
				return { tool: 'Book_Follow-Up', input: { toolParameters, hitlParameters: {} } };
			};
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
				await expectEnd(chat);
				ids.push(/"event_id":"(follow-up-[^"]+)"/.exec(results()[0])?.[1]);
			}
			expect(new Set(ids).size).toBe(2);
			expect(titled(hostile).map(({ event_id }) => event_id)).toEqual(ids);

			const refusal = await ask(webhookId, booking('Refused'));
			await refusal.click(await refusal.next(), 'Do Not Book');
			await expectEnd(refusal);
			expect(results()[0]).toContain('User rejected the tool call');

			const typed = await ask(webhookId, booking('Typed'));
			await typed.next();
			typed.type('yes, but at 11');
			await expectEnd(typed);
			expect(results()[0]).toContain('yes, but at 11');

			expect([titled('Refused'), titled('Typed')]).toEqual([[], []]);
			expect(titled('Kept')).toEqual([expect.objectContaining({ event_id: 'crm-1' })]);
		});
	});
});
