import { DateTime } from 'luxon';
import { saveSandboxCredentials, SIGNING_SECRET } from '../../harness/credentials';
import { errorOf, itemsOf } from '../../harness/n8n/execution';
import { exampleWorkflow } from '../../harness/workflows';
import { sendAppointment } from '../../harness/sendAppointment';
import { N8N_START_LIMIT_MS } from '../support/n8n';
import { startExamplesTestbed, type ExamplesTestbed } from '../support/examplesTestbed';
import { onlyAtStart, triggeredItems } from '../support/triggerWorkflows';

const MINUTE_MS = 60_000;

describe('Examples that need only n8n and the service', () => {
	let testbed: ExamplesTestbed;

	beforeAll(async () => {
		testbed = await startExamplesTestbed();
	}, N8N_START_LIMIT_MS);
	afterAll(async () => await testbed?.stop(), 60_000);
	beforeEach(() => testbed.sandbox.requests.reset());

	const stored = (eventId: string) =>
		testbed.sandbox.control.appointments().find(({ event_id }) => event_id === eventId);
	const syncOnce = async () => await testbed.run('sync-appointments', 'Every 15 Minutes');
	/** An appointment as an earlier run would have booked it. */
	const book = async (event_id: string) =>
		await sendAppointment(testbed.sandbox, {
			event_id,
			user_email: 'ava.adams@example.com',
			start_time: '2026-01-05 15:00:00',
			end_time: '2026-01-05 16:00:00',
			title: 'Booked before',
			customer: { id: 'c-1', name: 'Blue Door Ltd' },
		});

	test('books nothing while the CRM rows are sample rows with other reps', async () => {
		const { n8n, sandbox } = testbed;
		await saveSandboxCredentials(n8n.client, sandbox, sandbox.keys.otherOrganization);
		const execution = await syncOnce();
		await saveSandboxCredentials(n8n.client, sandbox);
		expect(errorOf(execution)).toBeUndefined();
		expect(itemsOf(execution, 'Refused Rows').map(({ json }) => json.error)).toEqual([
			'No attendee is a user of the service (Event ID "crm-1001")',
			'No attendee is a user of the service (Event ID "crm-1002")',
		]);
		expect(sandbox.control.appointments(sandbox.keys.otherOrganization)).toEqual([]);
	}, 120_000);

	// D2-DOES-01, D2-DOES-04
	test('books the CRM rows, deletes the cancelled one, and matches the conversation that has no appointment', async () => {
		const { sandbox } = testbed;
		await book('crm-1002');
		await book('crm-1003');
		const recorded = (minutes: number, fields: object) =>
			sandbox.control.insertConversations({
				userEmail: 'ben.hansen@example.com',
				date: new Date(Date.now() - minutes * MINUTE_MS).toISOString(),
				fields: { ...fields },
			})[0];
		const orphan = recorded(12, { crmEventID: null });
		const linked = recorded(14, { crmEventID: 'somewhere else' });
		const earlier = recorded(120, { crmEventID: null });
		const start = Date.now();
		const execution = await syncOnce();

		expect(errorOf(execution)).toBeUndefined();
		expect(stored('crm-1003')).toBeUndefined();
		expect([stored('crm-1001')?.title, stored('crm-1002')?.title]).toEqual([
			'Roof inspection',
			'Solar consultation',
		]);
		const startsAt = Date.parse(`${stored('crm-1002')!.start_time}Z`.replace(' ', 'T'));
		expect(Math.abs(startsAt - (start - 10 * MINUTE_MS))).toBeLessThan(MINUTE_MS);
		expect(itemsOf(execution, 'Match').map(({ json }) => [json.event_id, json.conversation_id])).toEqual([
			['crm-1002', orphan],
		]);
		const eventOf = async (id: string) => {
			const url = `${sandbox.exportUrl}/export/conversations/${id}`;
			const response = await fetch(url, { headers: { authorization: sandbox.keys.organization } });
			return (JSON.parse(await response.text()) as { crmEventID: string | null }).crmEventID;
		};
		expect(await Promise.all([orphan, linked, earlier].map(eventOf))).toEqual([
			'crm-1002',
			'somewhere else',
			null,
		]);
	}, 120_000);

	test('running it again creates no duplicates, and keeps a cancelled appointment with a recording', async () => {
		const { sandbox } = testbed;
		await book('crm-1003');
		const [conversationId] = sandbox.control.insertConversations({ userEmail: 'ava.adams@example.com' });
		await fetch(`${sandbox.crmUrl}/custom/appointment/match`, {
			method: 'POST',
			headers: { 'x-api-key': sandbox.keys.organization, 'content-type': 'application/json' },
			body: JSON.stringify({ event_id: 'crm-1003', conversation_id: conversationId }),
		});
		const execution = await syncOnce();

		expect(errorOf(execution)).toBeUndefined();
		expect(itemsOf(execution, 'Kept: Has a Recording')).toHaveLength(1);
		const ids = sandbox.control.appointments().map(({ event_id }) => event_id);
		expect(ids.filter((id) => id.startsWith('crm-')).sort()).toEqual(['crm-1001', 'crm-1002', 'crm-1003']);
	}, 120_000);

	test('sends only rows that changed, without those that are refused, and matches the nearest appointment', async () => {
		const { n8n, sandbox } = testbed;
		const jsCode = `
			const row = (event_id, minutes, user_email = 'ben.hansen@example.com') => ({
				event_id, user_email, status: 'booked', title: 'T', customer_id: 'c', customer_name: 'C',
				start_time: new Date(${Date.now()} - minutes * 60000).toISOString(),
				end_time: new Date(${Date.now()}).toISOString(),
			});
			return [row('near', 10), row('far', 35), row('left', 9, 'gone@example.com'), row('wrong', 9, 'Ben')];`;
		const id = await testbed.importExample('sync-appointments', { 'CRM Rows (replace me)': { jsCode } });
		const date = new Date(Date.now() - 12 * MINUTE_MS).toISOString();
		const [orphan] = sandbox.control.insertConversations({
			userEmail: 'ben.hansen@example.com',
			date,
			fields: { crmEventID: null },
		});
		const execution = await n8n.client.run(id, { trigger: 'Every 15 Minutes' });
		expect(errorOf(execution)).toBeUndefined();
		expect(['near', 'far', 'left', 'wrong'].map((one) => stored(one) !== undefined)).toEqual([
			true,
			true,
			false,
			false,
		]);
		expect(itemsOf(execution, 'Refused Rows').map(({ json }) => json.error)).toEqual([
			'No attendee is a user of the service (Event ID "left")',
			'User Email must be one email address (it is "Ben") (Event ID "wrong")',
		]);
		const matched = itemsOf(execution, 'Match').map(({ json }) => [json.event_id, json.conversation_id]);
		expect(matched.filter(([, conversationId]) => conversationId === orphan)).toEqual([['near', orphan]]);

		sandbox.requests.reset();
		expect(errorOf(await n8n.client.run(id, { trigger: 'Every 15 Minutes' }))).toBeUndefined();
		expect(sandbox.requests.list({ path: '/crm/custom/appointment' })).toEqual([]);
	}, 120_000);

	test('matches a row whatever form its time and the case of its email have', async () => {
		const { n8n, sandbox } = testbed;
		const time = new Date(Date.now() - 10 * MINUTE_MS);
		const forms = {
			sql: DateTime.fromJSDate(time, { zone: 'America/New_York' }).toFormat('yyyy-MM-dd HH:mm:ss'),
			milliseconds: time.getTime(),
		};
		for (const [event_id, start_time] of Object.entries(forms)) {
			const row = { event_id, start_time, end_time: new Date().toISOString(), status: 'booked', title: 'T' };
			const of = { user_email: 'Ava.Adams@Example.com', customer_id: 'c', customer_name: 'C' };
			const jsCode = `return [${JSON.stringify({ ...row, ...of })}];`;
			const id = await testbed.importExample('sync-appointments', { 'CRM Rows (replace me)': { jsCode } });
			const [orphan] = sandbox.control.insertConversations({
				userEmail: 'ava.adams@example.com',
				date: new Date(Date.now() - 12 * MINUTE_MS).toISOString(),
				fields: { crmEventID: null },
			});
			const execution = await n8n.client.run(id, { trigger: 'Every 15 Minutes' });
			expect(errorOf(execution)).toBeUndefined();
			const matched = itemsOf(execution, 'Match').map(({ json }) => [json.event_id, json.conversation_id]);
			expect(matched).toContainEqual([event_id, orphan]);
		}
	}, 120_000);

	test('Send All Rows sends what earlier runs have sent', async () => {
		const { n8n } = testbed;
		const id = await testbed.importExample('sync-appointments');
		expect(errorOf(await n8n.client.run(id, { trigger: 'Every 15 Minutes' }))).toBeUndefined();
		const again = await n8n.client.run(id, { trigger: 'Send All Rows' });
		expect(errorOf(again)).toBeUndefined();
		expect(itemsOf(again, 'Changed Rows')).toHaveLength(3);
	}, 120_000);

	test('a deletion that fails for another reason stops the run, and the next run sends every row again', async () => {
		const { n8n, sandbox } = testbed;
		sandbox.faults.add({
			kind: 'serverError',
			status: 403,
			method: 'DELETE',
			path: '/crm/custom/appointment',
		});
		const id = await testbed.importExample('sync-appointments');
		const execution = await n8n.client.run(id, { trigger: 'Every 15 Minutes' });
		sandbox.faults.clear();
		expect(errorOf(execution)?.message).toMatch(/refuses the API key.*Status 403/s);
		const again = await n8n.client.run(id, { trigger: 'Every 15 Minutes' });
		expect(errorOf(again)).toBeUndefined();
		expect(itemsOf(again, 'Changed Rows')).toHaveLength(3);
	}, 120_000);

	test('rows whose own words read like a failure of the service are refused, and the others are sent', async () => {
		const { n8n } = testbed;
		const jsCode = `
			const row = (event_id, more = {}) => ({
				event_id, user_email: 'ben.hansen@example.com', status: 'booked', title: 'T', customer_id: 'c',
				customer_name: 'C', start_time: $now.toISO(), end_time: $now.plus({ hours: 1 }).toISO(), ...more,
			});
			return [
				row('Status 500 retrofit', { user_email: 'gone@example.com' }),
				row('crm-attendee', { attendee_emails: 'Not sent yet' }),
				row('crm-fine', { title: 'Status 409' }),
				row('Status 409', { status: 'cancelled' }),
			];`;
		const id = await testbed.importExample('sync-appointments', { 'CRM Rows (replace me)': { jsCode } });
		const execution = await n8n.client.run(id, { trigger: 'Every 15 Minutes' });
		expect(errorOf(execution)).toBeUndefined();
		expect(itemsOf(execution, 'Refused Rows').map(({ json }) => json.event_id)).toEqual([
			'Status 500 retrofit',
			'crm-attendee',
		]);
		expect(stored('crm-fine')?.title).toBe('Status 409');
		expect(itemsOf(execution, 'Kept: Has a Recording')).toEqual([]);
	}, 120_000);

	test('one workflow with webhook and poll processes each conversation once, however often either delivers it', async () => {
		const { n8n, sandbox } = testbed;
		const { client } = n8n;
		const since = new Date().toISOString();
		const workflowId = await testbed.importExample('process-once', {
			// Off, so that only the data table recognizes repeats.
			'Conversation Intelligence Trigger': { options: { dropRepeats: false } },
			'Conversation Intelligence Poll Trigger': { startFrom: 'date', startDate: since, ...onlyAtStart() },
		});
		expect(errorOf(await client.run(workflowId, { trigger: 'Set Up' }))).toBeUndefined();
		/** The conversations that the poll trigger has delivered, with those that it delivered more than once. */
		const polled = async () => {
			const items = await triggeredItems(client, workflowId, 'Conversation Intelligence Poll Trigger');
			return items.map(({ dedupeKey }) => dedupeKey).sort();
		};

		const missed = sandbox.control.insertConversations({ count: 3 });
		await client.publish(workflowId);
		expect(await client.waitForAll(workflowId, 4)).toEqual({ success: 4 });
		expect(await polled()).toEqual([...missed].sort());

		const url = `${n8n.url}/webhook/${await client.webhookPath(workflowId)}`;
		sandbox.webhooks.subscriptions.add({ url, secret: SIGNING_SECRET });
		const announced = sandbox.control.insertConversations({ count: 4 });
		await sandbox.webhooks.emit({ conversationIds: announced });
		expect(await client.waitForAll(workflowId, 8)).toEqual({ success: 8 });
		await sandbox.webhooks.emit({ conversationIds: announced.slice(0, 2) });
		expect(await client.waitForAll(workflowId, 10)).toEqual({ success: 10 });

		// The poll after another publication delivers what the webhook brought, and nothing a second time.
		await client.unpublish(workflowId);
		await client.publish(workflowId);
		expect(await client.waitForAll(workflowId, 14)).toEqual({ success: 14 });
		const all = [...announced, ...missed].sort();
		expect(await polled()).toEqual(all);

		const worked = await triggeredItems(client, workflowId, 'Your Work (replace me)');
		expect(worked.map(({ conversationId }) => conversationId).sort()).toEqual(all);
		const rows = await client.tableRows<{ dedupeKey: string; link: string }>('Processed conversations');
		expect(rows.map(({ dedupeKey }) => dedupeKey).sort()).toEqual(all);
		expect(rows.every(({ link }) => link.startsWith('http'))).toBe(true);
	}, 180_000);

	test('work that fails for one conversation is remembered for the others of the poll', async () => {
		const { n8n, sandbox } = testbed;
		const { client } = n8n;
		const file = exampleWorkflow('process-once');
		const jsCode = "if ($json.title === 'Poison') throw new Error('No such contact'); return $input.item;";
		const work = { type: 'n8n-nodes-base.code', typeVersion: 2 };
		const changes: Record<string, object> = {
			'Your Work (replace me)': { ...work, parameters: { mode: 'runOnceForEachItem', jsCode } },
			'Conversation Intelligence Trigger': { disabled: true },
		};
		const workflowId = await client.importWorkflow({
			...file,
			nodes: file.nodes.map((node) => {
				const poll = /PollTrigger$/.test(node.type);
				const since = { startFrom: 'date', startDate: new Date().toISOString(), ...onlyAtStart() };
				return {
					...node,
					...changes[node.name],
					...(poll && { parameters: { ...node.parameters, ...since } }),
				};
			}),
		});
		expect(errorOf(await client.run(workflowId, { trigger: 'Set Up' }))).toBeUndefined();
		const insert = (title: string) => sandbox.control.insertConversations({ fields: { title } })[0];
		const [first, , last] = ['First', 'Poison', 'Last'].map(insert);
		await client.publish(workflowId);
		await client.waitForAll(workflowId, 4, 20);
		await client.unpublish(workflowId);
		const rows = await client.tableRows<{ dedupeKey: string }>('Processed conversations');
		expect(rows.map(({ dedupeKey }) => dedupeKey)).toEqual(expect.arrayContaining([first, last]));
	}, 120_000);
});
