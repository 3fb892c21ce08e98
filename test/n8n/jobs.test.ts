import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DateTime } from 'luxon';
import type { IDataObject, INode } from 'n8n-workflow';
import type { Browser, Page } from 'playwright-core';
import { PATIENCE } from '../../harness/browser/editor';
import { launchBrowser } from '../../harness/browser/launch';
import { SIGNING_SECRET } from '../../harness/credentials';
import { callingTools, toolResults } from '../../harness/examples/completion';
import { itemsOf } from '../../harness/n8n/execution';
import { delivery, processedEvent } from '../../harness/webhook/deliveries';
import { endingNow, useDoublesTestbed } from '../support/doublesTestbed';
import { filled } from '../support/filled';
import { EditorUser, sectionsOf, type Step } from '../support/editorUser';
import { N8N_START_LIMIT_MS } from '../support/n8n';
import JOBS from './jobs.json';

jest.setTimeout(240_000 * PATIENCE);

const SUPPORT = join(__dirname, '../support');
const testbed = useDoublesTestbed(
	{ ...endingNow(65), conversations: 200, signingSecret: SIGNING_SECRET },
	{ N8N_RESTRICT_FILE_ACCESS_TO: SUPPORT },
);
let browser: Browser;
let user: EditorUser;
let page: Page;

beforeAll(async () => {
	browser = await launchBrowser();
	user = await EditorUser.signIn(browser, testbed.n8n);
	({ page } = user);
}, N8N_START_LIMIT_MS);
beforeEach(() => testbed.doubles.reset());
afterAll(() => browser?.close());

const workflowId = () => new URL(page.url()).pathname.split('/')[2];

/** What a node returned when the open workflow ran. */
const returned = async (node: string) => itemsOf(await testbed.n8n.client.latest(workflowId()), node);
/** The metrics of every user as the service has them. */
const usersOf = async (range: IDataObject) =>
	(await testbed.ask<{ users: IDataObject[] }>('/export/users', range)).users;

/** What an answer has to be pasted. */
const codeOf = (question: string) => sectionsOf('docs/questions.md').get(question)!.split('```')[1].trim();

/** The steps of a job with these values; a text stands for the steps of its name. */
function stepsOf(job: string, values: Record<string, string>): Step[] {
	const steps = filled((JOBS as unknown as Record<string, Array<string | Step>>)[job], values);
	return steps.flatMap((step) => (typeof step === 'string' ? stepsOf(step, values) : [step]));
}
const takeSteps = async (job: string, values: Record<string, string> = {}) =>
	await user.build(job, stepsOf(job, values));

describe('Jobs that a new user builds from an empty canvas without a page of documents, with counted steps', () => {
	const build = async (job: string, maxSteps: number, values: Record<string, string> = {}) => {
		await takeSteps(job, values);
		expect(user.steps).toBeLessThanOrEqual(maxSteps);
	};
	/** A preset of Date Range, of as many weeks or months before this one, as the service takes it. */
	const rangeOf = (unit: 'week' | 'month', ago: number) => {
		const start = DateTime.now().setZone('America/New_York').startOf(unit);
		const [from, to] = [ago, ago - 1].map((count) => start.minus({ [`${unit}s`]: count }).toMillis());
		const [fromDate, toDate] = [from, to - 1].map((time) => new Date(time).toISOString());
		return { fromDate, toDate };
	};

	test("last week's conversations arrive every Monday by mail as a CSV file, after at most 30 steps", async () => {
		await build('Weekly CSV by mail', 30);
		const [{ filename, content }] = testbed.doubles.mailbox.mails[0].attachments;
		expect(filename).toMatch(/\.csv$/);
		const csv = new TextDecoder().decode(content as ArrayBuffer);
		const { totalConversations } = await testbed.ask<IDataObject>(
			'/export/conversations',
			rangeOf('week', 1),
		);
		// Its first line has the names of the columns.
		expect(csv.trim().split('\r\n').length - 1).toBe(totalConversations);
		expect(totalConversations).toBeGreaterThan(5);
		const path = `/workflows/${workflowId()}`;
		const { nodes } = await testbed.n8n.client.session.api<{ nodes: INode[] }>('GET', path);
		expect(nodes[0].parameters.rule).toEqual({ interval: [{ field: 'weeks', triggerAtDay: [1] }] });
	});

	test('who handled most objections is one message in Slack, after at most 30 steps', async () => {
		const { control } = testbed.sandbox;
		const handle = (userEmail: string, count: number, trackerIsHit: boolean) => {
			const aiTrackers = [{ trackerId: 't-1', trackerName: 'Price objection', trackerIsHit }];
			control.insertConversations({ userEmail, count, fields: { aiTrackers } });
		};
		handle('ben.hansen@example.com', 1, true);
		handle('ava.adams@example.com', 3, true);
		handle('carla.ortiz@example.com', 2, false);
		await build('Objections to Slack', 30);
		const { messages } = testbed.doubles;
		expect(messages).toHaveLength(1);
		expect(messages[0].text).toMatch(/^Ava Adams: 3\nBen Hansen: 1\n_/);
	});

	test("each rep's month beside the month before, of a team with its subteams, after at most 18 steps", async () => {
		await build('Month against month', 18, { metric: 'Checklist Score – averageScriptCompliance' });
		const rows = (await returned('Get many users')).map(({ json }) => json);

		const [now, before] = await Promise.all([1, 2].map((ago) => usersOf(rangeOf('month', ago))));
		const west = now.filter(({ teams }) =>
			(teams as IDataObject[] | null)?.some(({ name }) => /^(West|Rockies)/.test(String(name))),
		);
		expect(rows.map(({ email }) => email).sort()).toEqual(west.map(({ email }) => email).sort());
		const score = 'averageScriptCompliance';
		const of = (users: IDataObject[], { email }: IDataObject) =>
			users.find((one) => one.email === email)?.[score];
		expect(rows.map((row) => [row[score], row[`${score}Previous`]])).toEqual(
			rows.map((row) => [of(now, row), of(before, row) ?? null]),
		);
		const scores = rows.map((row) => (row[score] as number | null) ?? -1);
		expect(scores).toEqual([...scores].sort((a, b) => b - a));
	});

	test('an agent answers from the last call, after at most 15 steps', async () => {
		const { sandbox, doubles } = testbed;
		sandbox.control.insertConversations({ fields: { title: 'Zephyr geothermal upgrade' } });
		const from_date = DateTime.utc().minus({ days: 1 }).toISODate();
		const tool = 'Get_many_conversations_in_Conversation_Intelligence';
		doubles.script.push(...callingTools([{ tool, input: { from_date, to_date: '' } }]));
		await build('Agent', 15);
		await user.text('Done.').waitFor();
		const [{ title, transcript }] = JSON.parse(toolResults(doubles.modelRequests)[0]);
		expect([title, transcript]).toEqual(['Zephyr geothermal upgrade', expect.stringMatching(/^\[00:0/)]);
	});
});

type Words = Array<{ speaker: string; word: string; start: number }>;

describe('Jobs that a new user does with what the pages say', () => {
	/** The lines of a transcript as the service has it, each with its minute. */
	const linesOf = async (transcriptUrl: string) => {
		const turns: Array<{ speaker: string; start: number; words: string[] }> = [];
		for (const { speaker, word, start } of (await (await fetch(transcriptUrl)).json()) as Words) {
			if (turns.at(-1)?.speaker !== speaker) turns.push({ speaker, start, words: [] });
			turns.at(-1)!.words.push(word);
		}
		const two = (number: number) => String(Math.floor(number)).padStart(2, '0');
		return turns.map(
			({ speaker, start, words }) => `[${two(start / 60)}:${two(start % 60)}] ${speaker}: ${words.join(' ')}`,
		);
	};
	/** Finds a conversation as the service lists it. */
	const conversation = async (id: unknown) =>
		await testbed.ask<{ transcriptUrl: string; audioUrl: string; user: IDataObject }>(
			`/export/conversations/${id}`,
		);

	test('each manager gets one mail with those of the own teams who did not record', async () => {
		await takeSteps('Who did not record', {
			code: codeOf("How do I email each manager the reps who didn't record?"),
		});
		expect(user.steps).toBeLessThanOrEqual(21);

		const [{ json }] = await returned('Get many users');
		const { fromDate, toDate } = json;
		const active = (await usersOf({ fromDate, toDate })).filter(({ isRemoved }) => !isRemoved);
		const teamsOf = ({ teams }: IDataObject) => ((teams ?? []) as IDataObject[]).map((one) => one.teamId);
		const missing = active.filter((one) => one.role === 'Sales Rep' && one.conversationsRecorded === 0);
		const expected = active
			.filter(({ role }) => role === 'Team Manager')
			.map((manager) => {
				const own = missing.filter((rep) => teamsOf(rep).some((team) => teamsOf(manager).includes(team)));
				const names = own.map(({ name, email }) => name ?? email);
				return [manager.email, names.length > 0 ? names : ['All reps recorded.']];
			});
		const mailed = testbed.doubles.mailbox.mails.map(({ to, html }) => {
			const [names] = html!.trim().split(/\s*<br>\s*<br>/);
			return [to![0].address, names.split('<br>')];
		});
		expect(mailed).toEqual(expected);
		expect(missing.length).toBeGreaterThan(3);
	});

	test('each place where an objection was said is a row with its second', async () => {
		const insert = (said: string[]) => testbed.sandbox.control.insertConversations({ said });
		const [[id]] = [['The price', 'is TOO expensive'], ['expensive, too']].map(insert);
		await takeSteps('What was said');
		expect(user.steps).toBeLessThanOrEqual(11);
		const rows = await returned('Get many conversations');
		expect(rows.map(({ json }) => [json.conversationId, json.start, json.text])).toEqual([
			[id, 2, 'is TOO expensive'],
		]);
	});

	test('30 past visits of a dirty table are sent, and the rows that nobody can read are in a data table', async () => {
		const { client } = testbed.n8n;
		const name = 'Refused visits';
		const texts = ['eventId', 'reason'].map((column) => ({ name: column, type: 'string' }));
		await client.session.api('POST', '/data-tables', { name, columns: texts });
		const path = join(SUPPORT, 'dirtyVisits.csv');
		await takeSteps('Past visits', { file: path, table: name });
		expect(user.steps).toBeLessThanOrEqual(30);

		const refused = await client.tableRows<{ eventId: string; reason: string }>(name);
		const ids = refused.map(({ eventId }) => eventId).sort();
		expect(ids).toEqual(['CRM-1015', 'CRM-1018', 'CRM-1021', 'CRM-1023', 'CRM-1025', 'CRM-1029']);
		const lines = readFileSync(path, 'utf8').trim().split('\n').slice(1);
		const expected = lines.map((line) => {
			const [id, , start, , title] = line.split(',');
			const at = DateTime.fromFormat(start, 'M/d/yyyy h:mm a', { zone: 'America/New_York' });
			return [id, at.toUTC().toFormat('yyyy-MM-dd HH:mm:ss'), title];
		});
		const stored = testbed.sandbox.control.appointments().filter(({ event_id }) => /^CRM-/.test(event_id));
		expect(stored.map((one) => [one.event_id, one.start_time, one.title]).sort()).toEqual(
			expected.filter(([id]) => ![...ids, 'CRM-1006', 'CRM-1014'].includes(id)).sort(),
		);
	});

	test("a customer's longest visit is an audio and a text file", async () => {
		const insert = (minutes: number, name: string) => {
			const fields = { duration: minutes * 60, customer: { name }, title: 'Visit' };
			return testbed.sandbox.control.insertConversations({ fields })[0];
		};
		const [, longest] = [insert(30, 'Zora Quill'), insert(95, 'Zora Quill'), insert(61, 'Zora Quill')];
		insert(120, 'Nora Quist');

		await user.startWith('conversation', 'Conversation Intelligence', 'Actions', 'Download audio');
		await user.click(user.parameter('conversationId').getByTestId('rlc-input-container').last());
		const visits = page.getByTestId('rlc-item');
		await visits.first().waitFor();
		await page.keyboard.type('quill');
		await visits.filter({ hasNotText: 'Quill' }).first().waitFor({ state: 'detached' });
		await visits.nth(2).waitFor();
		const minutes = (await visits.allInnerTexts()).map((text) => Number(/(\d+) min/.exec(text)![1]));
		await user.click(visits.nth(minutes.indexOf(Math.max(...minutes))));
		await takeSteps('Longest visit');
		expect(user.steps).toBeLessThanOrEqual(15);
		const [{ json, binary }] = await returned('Download transcript');
		expect(json.conversationId).toBe(longest);
		const stored = async (field: string) => await testbed.n8n.client.fileOf(binary![field]);
		const { audioUrl, transcriptUrl } = await conversation(longest);
		const audio = await (await fetch(audioUrl)).arrayBuffer();
		expect((await stored('data')).equals(Buffer.from(audio))).toBe(true);
		expect((await stored('text')).toString()).toBe((await linesOf(transcriptUrl)).join('\n'));
	});

	test('each of five causes why the trigger does not fire is read where it listens', async () => {
		const { sandbox } = testbed;
		await user.clickThrough('conversation', 'Conversation Intelligence', 'On conversation processed');
		const url = await user.testUrl();
		const shows = async (cause: RegExp, send: () => Promise<unknown>) => {
			await user.listen();
			await send();
			const output = page.getByTestId('output-panel');
			await output.getByText(cause).first().waitFor();
			expect(await output.innerText()).toMatch(cause);
		};
		const sendTest = async (fields?: Record<string, string>) => {
			const webApp = await user.sendTest(sandbox.url, url, fields);
			await webApp.close();
		};
		const post = async (event: object) =>
			await fetch(url, { method: 'POST', ...delivery(event, SIGNING_SECRET) });
		const minutesAway = (minutes: number) => ({
			...processedEvent(),
			sent_at: DateTime.utc().plus({ minutes }).toISO(),
		});

		await shows(/The signature does not match the body/, () =>
			sendTest({ 'Signing secret (optional)': 'another' }),
		);
		await shows(/"sent_at" is older than Maximum Age/, () => post(minutesAway(-30)));
		await shows(/"sent_at" lies more than 5 minutes in the future/, () => post(minutesAway(30)));
		await user.addFilter('Customer');
		await user.type('customer', 'Nobody');
		const [id] = sandbox.control.insertConversations();
		await shows(/Customer is set to "N\w*", but this conversation has "Sam Doe"/, () =>
			post(processedEvent(id)),
		);
		await user.addOption('Signature Header');
		await user.type('signatureHeader', 'X-Signature');
		await shows(/The signature header is missing/, () => sendTest());
	});
});
