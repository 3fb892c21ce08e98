import { randomUUID } from 'node:crypto';
import { gunzipSync } from 'node:zlib';
import { DateTime } from 'luxon';
import type { INodeExecutionData } from 'n8n-workflow';
import { SIGNING_SECRET } from '../../harness/credentials';
import { LANGUAGE_MODEL_ANSWER } from '../../harness/examples/doubles';
import { errorOf, itemsOf } from '../../harness/n8n/execution';
import { appointment, sendAppointment } from '../../harness/sendAppointment';
import { N8N_START_LIMIT_MS } from '../support/n8n';
import { startExamplesTestbed, type ExamplesTestbed } from '../support/examplesTestbed';

/** n8n's default, which applies to the imported examples. */
const ZONE = 'America/New_York';

/** What a conversation may contain, and how Slack and HTML show it as text. */
const HOSTILE = '<!channel> <https://evil.example|Open> & <img src=x onerror="alert(1)">';
const IN_SLACK =
	'&lt;!channel&gt; &lt;https://evil.example|Open&gt; &amp; &lt;img src=x onerror="alert(1)"&gt;';
const IN_HTML =
	'&#60;!channel&#62; &#60;https://evil.example|Open&#62; &#38; &#60;img src=x onerror=&#34;alert(1)&#34;&#62;';

interface Row {
	conversationId: string;
	date: string;
}

const idOf = ({ json }: INodeExecutionData) => json.conversationId;

interface Saved extends Row {
	title: string;
	outcome: string;
}

/** The files as they are: `harness/examples/redirect.mjs` brings requests of n8n's own nodes to local doubles. */
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

	test('a conversation from the webhook becomes a HubSpot call and a Slack message that the language model writes', async () => {
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
		const customer = { name: 'Sam Doe', email: 'sam@example.com', phone: null, address: null };
		const [conversationId] = sandbox.control.insertConversations({
			userEmail: 'ava.adams@example.com',
			fields: { title: 'Roof inspection', duration: 1200, customer },
		});
		// Right after processing, the export may not have the conversation yet.
		sandbox.faults.add({ kind: 'serverError', status: 404, method: 'GET', times: 1 });
		await sandbox.webhooks.emit({ conversationIds: [conversationId] });
		sandbox.webhooks.subscriptions.remove(id);

		expect(await n8n.client.waitForAll(workflowId, 1)).toEqual({ success: 1 });
		await n8n.client.unpublish(workflowId);
		const link = `${sandbox.url}/app/conversations/${conversationId}`;
		const { summary, nextSteps } = LANGUAGE_MODEL_ANSWER;
		expect([...doubles.contacts]).toEqual([['sam@example.com', 1]]);
		expect(doubles.calls).toEqual([
			{
				engagement: { type: 'CALL' },
				metadata: {
					status: 'COMPLETED',
					durationMilliseconds: 1_200_000,
					body: `${summary}<br>${nextSteps.map((step) => `• ${step}<br>`).join('')}<a href="${link}">Open the conversation</a>`,
				},
				associations: { contactIds: ['1'] },
			},
		]);
		expect(doubles.messages).toEqual([
			{
				channel: '#sales',
				text: [
					'*Roof inspection* – Ava Adams',
					summary,
					...nextSteps.map((step) => `• ${step}`),
					`<${link}|Open the conversation>`,
				].join('\n'),
			},
		]);
		expect(doubles.prompts).toEqual([expect.stringMatching(/Customer: Sam Doe.*\[00:\d\d\] /s)]);
	}, 120_000);

	test('nothing that a rep, a customer or the language model wrote is a mention, a link or HTML in Slack and HubSpot', async () => {
		const { n8n, sandbox, doubles } = testbed;
		const date = DateTime.now().minus({ days: 101 });
		const customer = { name: HOSTILE, email: 'sam@example.com', phone: null, address: null };
		const [conversationId] = sandbox.control.insertConversations({
			date: date.toUTC().toISO(),
			userEmail: 'ava.adams@example.com',
			fields: { title: HOSTILE, customer, user: { name: HOSTILE, email: 'ava.adams@example.com' } },
		});
		const output = { summary: HOSTILE, nextSteps: [HOSTILE, `Rep: ${HOSTILE}`] };
		doubles.script.push({ content: JSON.stringify({ output }) });
		const workflowId = await testbed.importExample('conversation-to-crm-and-slack', {
			'One Conversation': {
				dateRange: 'custom',
				fromDate: date.toISO(),
				toDate: date.plus({ minutes: 1 }).toISO(),
			},
		});
		const execution = await n8n.client.run(workflowId, { trigger: 'Try It' });
		expect(errorOf(execution)).toBeUndefined();
		const link = `${sandbox.url}/app/conversations/${conversationId}`;
		expect(doubles.messages.map(({ text }) => text)).toEqual([
			[
				`*${IN_SLACK}* – ${IN_SLACK}`,
				IN_SLACK,
				`• ${IN_SLACK}`,
				`• Rep: ${IN_SLACK}`,
				`<${link}|Open the conversation>`,
			].join('\n'),
		]);
		expect(doubles.calls.map(({ metadata }) => metadata.body)).toEqual([
			`${IN_HTML}<br>• ${IN_HTML}<br>• Rep: ${IN_HTML}<br><a href="${link}">Open the conversation</a>`,
		]);
	}, 120_000);

	test('Try It sends one conversation to the language model', async () => {
		const execution = await testbed.run('conversation-to-crm-and-slack', 'Try It');
		expect(errorOf(execution)).toBeUndefined();
		const { prompts, calls, messages } = testbed.doubles;
		const called = itemsOf(execution, 'Has Customer').length;
		expect({ prompts: prompts.length, calls: calls.length, messages: messages.length }).toEqual({
			prompts: 1,
			calls: called,
			messages: 1,
		});
	}, 120_000);

	test('a customer without an email gets no HubSpot call, and the message is sent all the same', async () => {
		const date = DateTime.now().minus({ days: 100 });
		testbed.sandbox.control.insertConversations({ date: date.toUTC().toISO(), fields: { customer: null } });
		const workflowId = await testbed.importExample('conversation-to-crm-and-slack', {
			'One Conversation': {
				dateRange: 'custom',
				fromDate: date.toISO(),
				toDate: date.plus({ minutes: 1 }).toISO(),
			},
		});
		const execution = await testbed.n8n.client.run(workflowId, { trigger: 'Try It' });
		expect(errorOf(execution)).toBeUndefined();
		expect(itemsOf(execution, 'Conversation')[0].json.customer).toBeNull();
		expect([testbed.doubles.calls.length, testbed.doubles.messages.length]).toEqual([0, 1]);
	}, 120_000);

	describe.each([
		{
			slug: 'conversations-to-data-table',
			readTable: async () => await testbed.n8n.client.tableRows<Saved>('Conversations'),
		},
		{
			slug: 'conversations-to-google-sheets',
			readTable: async () => {
				const [names, ...rows] = testbed.doubles.sheet as string[][];
				return rows.map(
					(row) => Object.fromEntries(names.map((name, at) => [name, row[at]])) as unknown as Saved,
				);
			},
		},
	])('the table of $slug', ({ slug, readTable }) => {
		test('has one row per conversation after any number of runs, with its latest values', async () => {
			const { control } = testbed.sandbox;
			const insert = (title: string) =>
				control.insertConversations({ fields: { title, outcome: 'Follow Up' } })[0];
			const conversationId = insert('=1+1');
			const first = await testbed.run(slug, 'Every Hour');
			expect(errorOf(first)).toBeUndefined();
			const expected = itemsOf(first, 'Last 7 Days').map(idOf);
			expect(expected.length).toBeGreaterThan(50);
			const before = await readTable();
			expect(before.map((row) => row.conversationId).sort()).toEqual(expected.sort());
			const [{ json }] = itemsOf(first, 'Last 7 Days').filter((item) => idOf(item) === conversationId);
			const saved = before.find((row) => row.conversationId === conversationId);
			expect(saved).toMatchObject({ ...json, date: expect.stringContaining(String(json.date).slice(0, 10)) });

			await sellLater(conversationId);
			const added = insert('Later');
			expect(errorOf(await testbed.run(slug, 'Every Hour'))).toBeUndefined();
			const after = await readTable();
			expect(after.map((row) => row.conversationId).sort()).toEqual([...expected, added].sort());
			expect(after.find((row) => row.conversationId === conversationId)?.outcome).toBe('Sold');
		}, 180_000);
	});

	test('a backfill stores the transcript of each conversation since its date, and of new ones', async () => {
		const { n8n, sandbox, doubles } = testbed;
		const startDate = new Date().toISOString();
		const ids = sandbox.control.insertConversations({ count: 5 });
		const workflowId = await testbed.importExample('backfill-a-year', { 'Since a Year Ago': { startDate } });
		await n8n.client.publish(workflowId);
		expect(await n8n.client.waitForAll(workflowId, 5)).toEqual({ success: 5 });
		await n8n.client.unpublish(workflowId);
		const day = new Date().toISOString().slice(0, 10);
		expect([...doubles.files.keys()].sort()).toEqual(ids.map((id) => `transcripts/${day}/${id}.json`).sort());
		for (const id of ids) {
			const { transcriptUrl } = await conversation(id);
			const transcript = Buffer.from(await (await fetch(transcriptUrl)).arrayBuffer());
			expect(doubles.files.get(`transcripts/${day}/${id}.json`)).toEqual(transcript);
		}
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
			sandbox.control.insertConversations({
				userEmail: 'ava.adams@example.com',
				fields: { title, checklists },
			});
		// With a start date, the first poll delivers when the workflow is published instead of five minutes later.
		const startDate = new Date(Date.now() - 1000).toISOString();
		const [low] = insert('Low', checklist('Closing', 1), checklist('Discovery', 4));
		insert('Half', checklist('Closing', 2));
		const [hostile] = sandbox.control.insertConversations({
			userEmail: 'ava.adams@example.com',
			fields: {
				title: HOSTILE,
				user: { name: HOSTILE, email: 'ava.adams@example.com' },
				checklists: [{ ...checklist(HOSTILE, 1), trackerData: [tracker(HOSTILE, false)] }],
			},
		});
		insert('None');
		const workflowId = await testbed.importExample('coaching-alert', {
			'Conversation Intelligence Poll Trigger': { startFrom: 'date', startDate },
		});
		await n8n.client.publish(workflowId);
		expect(await n8n.client.waitForAll(workflowId, 1)).toEqual({ success: 1 });
		await n8n.client.unpublish(workflowId);

		const link = (id: string) => `${sandbox.url}/app/conversations/${id}`;
		const sent = doubles.messages.filter(({ text }) => /\|(Low|Half|None|&lt;.*)>/.test(text));
		expect(sent).toHaveLength(2);
		expect(sent).toEqual(
			expect.arrayContaining([
				{
					channel: '#coaching',
					text: `*Ava Adams* – <${link(low)}|Low>\n• Closing: 1 of 4, missed Presented price`,
				},
				{
					channel: '#coaching',
					text: `*${IN_SLACK}* – <${link(hostile)}|${IN_SLACK}>\n• ${IN_SLACK}: 1 of 4, missed ${IN_SLACK}`,
				},
			]),
		);
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

	test('a file of another day has that day in its name', async () => {
		const day = DateTime.now().setZone(ZONE).minus({ days: 3 });
		const workflowId = await testbed.importExample('daily-export-to-s3', {
			"Yesterday's Conversations": {
				dateRange: 'custom',
				fromDate: day.toISODate(),
				toDate: day.toISODate(),
			},
		});
		const execution = await testbed.n8n.client.run(workflowId, { trigger: 'Every Night' });
		expect(errorOf(execution)).toBeUndefined();
		expect([...testbed.doubles.files.keys()]).toEqual([
			`conversations/${day.toFormat('yyyy/MM/yyyy-MM-dd')}.ndjson.gz`,
		]);
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

	/** Matches a conversation with an appointment that has an outcome, which the export then returns. */
	const sellLater = async (conversation_id: string) => {
		const { sandbox } = testbed;
		const sold = appointment(sandbox, 0, { event_id: randomUUID(), result: 'Sold' });
		await sendAppointment(sandbox, sold);
		const response = await fetch(`${sandbox.crmUrl}/custom/appointment/match`, {
			method: 'POST',
			headers: { 'x-api-key': sandbox.keys.organization, 'content-type': 'application/json' },
			body: JSON.stringify({ event_id: sold.event_id, conversation_id }),
		});
		expect(response.status).toBe(200);
	};

	const conversation = async (id: string): Promise<{ transcriptUrl: string }> => {
		const response = await fetch(`${testbed.sandbox.exportUrl}/export/conversations/${id}`, {
			headers: { authorization: testbed.sandbox.keys.organization },
		});
		return JSON.parse(await response.text());
	};
});
