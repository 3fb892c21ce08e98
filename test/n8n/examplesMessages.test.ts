import { randomUUID } from 'node:crypto';
import { gunzipSync } from 'node:zlib';
import { DateTime, type DurationLikeObject } from 'luxon';
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
import { useDoublesTestbed } from '../support/doublesTestbed';
import { filled } from '../support/filled';
import { N8N_START_LIMIT_MS } from '../support/n8n';
import EXPECTED from './examplesMessages.json';

/** What a conversation may contain, and how Slack and HTML show it as text. */
const HOSTILE = '<!channel> <https://evil.example|Open> & <img src=x onerror="alert(1)">';
const escaped = (signs: Record<string, string>) => HOSTILE.replace(/[<>&"]/g, (sign) => signs[sign] ?? sign);
const IN_SLACK = escaped({ '<': '&lt;', '>': '&gt;', '&': '&amp;' });
const IN_HTML = escaped({ '<': '&#60;', '>': '&#62;', '&': '&#38;', '"': '&#34;' });

/** Now in n8n's default zone, which applies to the imported examples. */
const now = () => DateTime.now().setZone('America/New_York');
const WORDS: Record<string, string> = {
	...{ hostile: HOSTILE, slack: IN_SLACK, html: IN_HTML },
	monday: now().minus({ weeks: 1 }).startOf('week').toFormat('d LLLL'),
	sunday: now().minus({ weeks: 1 }).endOf('week').toFormat('d LLLL yyyy'),
	mondayShort: now().minus({ weeks: 1 }).startOf('week').toFormat('ccc d LLL'),
	wednesdayShort: now().minus({ weeks: 1 }).startOf('week').plus({ days: 2 }).toFormat('ccc d LLL'),
	sundayShort: now().minus({ weeks: 1 }).endOf('week').toFormat('ccc d LLL'),
	yesterday: now().minus({ days: 1 }).toFormat('d LLLL yyyy'),
	yesterdayLong: now().minus({ days: 1 }).toFormat('cccc, d LLLL yyyy'),
	yesterdayShort: now().minus({ days: 1 }).toFormat('ccc d LLL'),
	earlierShort: now().minus({ days: 4 }).toFormat('ccc d LLL'),
	yesterdayFile: now().minus({ days: 1 }).toFormat('yyyy/MM/yyyy-MM-dd'),
};

/** An example, what the service is told, and what must come out. The rates of a digest depend on its place: it is the first. */
interface Row {
	title: string;
	slug: string;
	/** The node from which it is run; otherwise it is published, and this node polls. */
	trigger?: string;
	poll?: string;
	executions?: number;
	/** Conversations, by default of Ava, at times from the start of this day or week, or from now. */
	told: Array<{
		of?: 'day' | 'week';
		at: DurationLikeObject;
		processed?: DurationLikeObject;
		email?: string;
		count?: number;
		fields?: IDataObject;
		said?: string[];
	}>;
	mails?: Array<Record<'to' | 'subject', string> & Record<'text' | 'links', string[]>>;
	messages?: object[];
	files?: unknown[];
}

jest.setTimeout(120_000);

/** The files as they are: `harness/examples/redirect.mjs` brings requests of n8n's own nodes to local doubles. */
describe('Examples that send messages and files, in a real n8n', () => {
	const testbed = useDoublesTestbed();
	let browser: Browser;
	let page: Page;

	beforeAll(async () => {
		browser = await launchBrowser();
		page = await browser.newPage();
	}, N8N_START_LIMIT_MS);
	afterAll(() => browser?.close());
	beforeEach(() => {
		testbed.doubles.reset();
		testbed.sandbox.requests.reset();
		const { control } = testbed.sandbox;
		control.removeConversations(...control.conversationIds(0, control.extent().conversations));
	});

	const insertForAva = (more: Parameters<typeof testbed.sandbox.control.insertConversations>[0]) =>
		testbed.sandbox.control.insertConversations({ userEmail: AVA, ...more })[0];
	const linkTo = (id: string) => `${testbed.sandbox.url}/app/conversations/${id}`;
	const succeeded = async (workflowId: string, count: number) =>
		expect(await testbed.n8n.client.waitForAll(workflowId, count)).toEqual({ success: count });

	/** A mail as the browser shows it. */
	const shown = async ({ to, subject, html = '' }: (typeof testbed.doubles.mailbox.mails)[0]) => {
		await page.setContent(html);
		for (const width of [390, 700]) await expectAccessible(page, width);
		expect(await page.locator('img').count()).toBe(0);
		await page.getByRole('heading', { level: 1 }).waitFor();
		const links = await page.locator('a').evaluateAll((all) => all.map((link) => link.getAttribute('href')));
		const text = (await page.locator('body').innerText()).split(/\s*\n\s*/);
		return { to: to![0].address, subject, links, text };
	};
	/** What a stored file is: the IDs of an export, or the transcript or audio of the conversation in its name. */
	const contentOf = async (path: string, bytes: Buffer) => {
		if (path.endsWith('.gz')) {
			const lines = gunzipSync(bytes).toString().trimEnd().split('\n');
			return lines.map((line) => (JSON.parse(line) as IDataObject).conversationId);
		}
		const [, id, type] = /([^/]+)\.(json|wav)$/.exec(path)!;
		const one = await testbed.ask<Record<string, string>>(`/export/conversations/${id}`);
		const media = await fetch(type === 'wav' ? one.audioUrl : one.transcriptUrl);
		return bytes.equals(Buffer.from(await media.arrayBuffer())) ? 'its media' : bytes.toString();
	};

	test.each(EXPECTED.rows as unknown as Row[])('$title', async (row) => {
		const { slug, trigger, poll, executions = 1, told, mails = [], messages = [], files = [] } = row;
		const { sandbox, doubles } = testbed;
		const words = { ...WORDS };
		let inserted = 0;
		for (const { of, at, processed = at, email = AVA, ...more } of filled(told, WORDS)) {
			const time = (span: DurationLikeObject) => (of ? now().startOf(of) : now()).plus(span).toUTC().toISO()!;
			const times = { date: time(at), processedDate: time(processed) };
			for (const id of sandbox.control.insertConversations({ userEmail: email, ...times, ...more })) {
				const index = inserted++;
				words[`id${index}`] = id;
				words[`link${index}`] = linkTo(id);
				words[`date${index}`] = time(at).slice(0, 10);
			}
		}
		const parameters = { startFrom: 'date', startDate: now().minus({ days: 60 }).toISO() };
		if (poll) await succeeded(await testbed.publish(slug, { [poll]: { parameters } }), executions);
		else await testbed.run(slug, trigger!);

		const hasKey = ({ host, headersSeen }: ReturnType<typeof sandbox.requests.list>[0]) =>
			host === 'media' && (headersSeen.authorization || headersSeen.xApiKey);
		expect(sandbox.requests.list().filter(hasKey)).toEqual([]);
		const got = { mails: [] as unknown[], messages: doubles.messages, files: [] as unknown[] };
		for (const mail of doubles.mailbox.mails) got.mails.push(await shown(mail));
		for (const file of [...doubles.files].sort()) got.files.push([file[0], await contentOf(...file)]);
		const expected = filled({ mails, messages, files }, words);
		expect(got).toEqual({ ...expected, files: expected.files.sort() });
	});

	test('archive-recordings: a recording that is gone does not hold up the others', async () => {
		const { sandbox, doubles } = testbed;
		const date = now().startOf('day').minus({ days: 2 }).toUTC().toISO()!;
		const ids = sandbox.control.insertConversations({ count: 3, date, processedDate: date });
		const { audioUrl } = await testbed.ask<Record<string, string>>(`/export/conversations/${ids[1]}`);
		sandbox.faults.add({ kind: 'serverError', status: 404, path: new URL(audioUrl).pathname });
		const execution = await testbed.run('archive-recordings', 'Every Night');
		sandbox.faults.clear();
		const stored = (id: string) => [...doubles.files.keys()].filter((path) => path.includes(id)).length;
		expect(ids.map(stored)).toEqual([2, 1, 2]);
		expect(itemsOf(execution, 'Not Archived').map(({ json }) => json.details)).toEqual([
			expect.objectContaining({ conversationId: ids[1], status: 404 }),
		]);
	}, 60_000);

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
		const words = { ...WORDS, summary, first: nextSteps[0], second: nextSteps[1] };
		const values = { ...words, date, until, link, hostileLink, contact: contacts[1].id };
		expect(sent).toEqual(filled(EXPECTED.crmAndSlack, values));
	});

	test.each(['ask-your-calls', 'coaching-alert', 'conversation-to-crm-and-slack'])(
		'%s can be tried before it is published',
		async (slug) => {
			testbed.sandbox.control.insertConversations();
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
				'Question in Chat': { parameters: { public: true }, webhookId },
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
			testbed.sandbox.control.insertConversations({
				count: 20,
				date: now().minus({ days: 30 }).toUTC().toISO()!,
			});
			const { workflowId, webhookId } = await publishChat();
			await succeeded(workflowId, 1);

			const execution = await testbed.n8n.client.latest(workflowId);
			const of = (node: string) =>
				itemsOf(execution, node).flatMap(({ json }) => (json.conversationId === wanted ? [json] : []));
			const chunks = of('Split into Chunks');
			const turns = of('Get Transcript').flatMap(({ transcript }) => transcript as IDataObject[]);
			expect(chunks.map(({ text }) => text).join('\n')).toBe(
				turns.map(({ speaker, text }) => `${String(speaker)}: ${String(text)}`).join('\n'),
			);
			const last = chunks.at(-1)!;
			const clock = (seconds: unknown) => new Date(Number(seconds) * 1000).toISOString().slice(11, 19);
			const starts = turns.map(({ start }) => clock(start));
			expect(starts).toEqual(expect.arrayContaining(chunks.map(({ from }) => from)));
			expect([chunks[0].from, last.to]).toEqual([starts[0], clock(turns.at(-1)!.end)]);
			expect(last.from).not.toBe(chunks[0].from);
			const to_date = now().toISODate();
			const find = (input: IDataObject) => ({ tool: 'Find_Conversations', input: { to_date, ...input } });
			const said = { input: `Zephyr geothermal upgrade\n${String(last.text)}` };
			const chat = await ask(
				webhookId,
				{ tool: 'Search_Transcripts', input: said },
				find({ from_date: to_date, rep_emails: AVA, words: 'ZEPHYR' }),
				find({ from_date: now().minus({ days: 60 }).toISODate(), rep_emails: '' }),
			);
			await expectEnd(chat);
			const [passages, rows, newest] = results();
			const [{ response }] = JSON.parse(passages) as Array<{ response: Array<{ text: string }> }>;
			const { title, date, outcome } = await testbed.ask<IDataObject>(`/export/conversations/${wanted}`);
			const own = { conversationId: wanted, link: linkTo(wanted), title, date, outcome, rep: 'Ava Adams' };
			const metadata = { ...own, from: last.from, to: last.to };
			expect(JSON.parse(response[0].text)).toMatchObject({ metadata });
			expect(JSON.parse(rows)[0]).toMatchObject({ conversationId: wanted });
			expect(newest).toContain(wanted);
			expect(newest).toMatch(/These are the newest 10 of 22 conversations/);
		});

		test('finds what was said without a vector store, by the words of the model', async () => {
			const [wanted] = [['Hello', 'That is TOO expensive', 'I see'], ['expensive, too']].flatMap((said) =>
				insertForAva({ said, date: now().minus({ days: 40 }).toUTC().toISO()! }),
			);
			const webhookId = randomUUID();
			const deleted = { disabled: true };
			await testbed.publish('ask-your-calls', {
				'Question in Chat': { parameters: { public: true }, webhookId },
				Approve: { webhookId: randomUUID() },
				'Search Transcripts': deleted,
				Embeddings: deleted,
			});
			const input = { words_said: '"too expensive"', from_date: now().minus({ days: 60 }).toISODate() };
			const dates = { to_date: now().toISODate(), rep_emails: '' };
			await expectEnd(await ask(webhookId, { tool: 'Find_What_Was_Said', input: { ...input, ...dates } }));
			const [passage, note, ...more] = JSON.parse(results()[0]) as IDataObject[];
			expect(passage).toMatchObject({
				...{ conversationId: wanted, serviceUrl: linkTo(wanted), userName: 'Ava Adams' },
				...{ speaker: 'Customer', start: 1, end: 5, text: 'That is TOO expensive' },
				...{ before: 'Hello', after: 'I see' },
			});
			expect(note.note).toMatch(/^Searched the transcripts of 2 of 2 conversations .* Today is /);
			expect(more).toEqual([]);
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
