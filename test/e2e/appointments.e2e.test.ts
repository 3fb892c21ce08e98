import type { INode, INodeParameters, ResourceMapperFields } from 'n8n-workflow';

import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { saveSandboxCredentials } from '../../harness/credentials';
import { errorOf, itemsOf, type Execution } from '../../harness/n8n/execution';
import type { WorkflowFile } from '../../harness/n8n/client';
import { freePort } from '../../harness/ports';
import { N8N_START_LIMIT_MS } from '../support/n8n';
import { startTestbed, type Testbed } from '../support/testbed';

const NODE_TYPE = 'n8n-nodes-conversation-intelligence.conversationIntelligenceAppointments';

describe('Conversation Intelligence Appointments in a real n8n, from the packed tarball', () => {
	let testbed: Testbed;
	let sandbox: Testbed['sandbox'];
	let n8n: Testbed['n8n'];
	let owner: string;
	/** Email addresses of active users. */
	let people: string[];

	beforeAll(async () => {
		({ sandbox, n8n } = testbed = await startTestbed());
		const active = sandbox.control.users().filter(({ isRemoved, isHidden }) => !isRemoved && !isHidden);
		people = active.map(({ email }) => email);
		[owner] = people;
	}, N8N_START_LIMIT_MS);
	afterAll(async () => await testbed?.stop(), 60_000);
	beforeEach(() => {
		sandbox.requests.reset();
		sandbox.faults.clear();
	});

	/** A workflow that passes items to the node, with one node after each of its two outputs. */
	const workflow = (
		name: string,
		items: string,
		parameters: INodeParameters,
		more: Partial<INode> = {},
	): WorkflowFile => {
		const node = (type: string, label: string, given: INodeParameters, typeVersion = 1): INode => ({
			id: label,
			name: label,
			type,
			typeVersion,
			position: [0, 0],
			parameters: given,
		});
		const to = (...labels: string[]) => ({
			main: labels.map((label) => [{ node: label, type: 'main' as const, index: 0 }]),
		});
		return {
			name,
			nodes: [
				node('n8n-nodes-base.manualTrigger', 'Manual Trigger', {}),
				node('n8n-nodes-base.set', 'Row', { mode: 'raw', jsonOutput: items, options: {} }, 3.4),
				node('n8n-nodes-base.splitOut', 'Rows', { fieldToSplitOut: 'rows', options: {} }),
				{
					...node(NODE_TYPE, 'Conversation Intelligence Appointments', {
						resource: 'appointment',
						...parameters,
					}),
					credentials: { crmAppointmentApi: { id: '', name: '' } },
					...more,
				},
				node('n8n-nodes-base.noOp', 'Done', {}),
				node('n8n-nodes-base.noOp', 'Refused', {}),
			],
			connections: {
				'Manual Trigger': to('Row'),
				Row: to('Rows'),
				Rows: to('Conversation Intelligence Appointments'),
				'Conversation Intelligence Appointments': to('Done', 'Refused'),
			},
			settings: { executionOrder: 'v1', timezone: 'America/Denver' },
		};
	};
	const run = async (file: WorkflowFile) => await n8n.client.run(await n8n.client.importWorkflow(file));
	const byHand = (value: INodeParameters): INodeParameters => ({
		operation: 'upsert',
		columns: {
			mappingMode: 'defineBelow',
			value,
			matchingColumns: [],
			schema: [],
		} as unknown as INodeParameters,
	});

	/** Maps the columns of the rows automatically. */
	const automatic = (more: INodeParameters = {}): INodeParameters => ({
		operation: 'upsert',
		columns: {
			mappingMode: 'autoMapInputData',
			value: null,
			matchingColumns: [],
			schema: [],
		} as unknown as INodeParameters,
		...more,
	});
	const row = (event_id: string, more: object = {}) => ({
		event_id,
		user_email: owner,
		start_time: '2026-03-01T08:30:00Z',
		end_time: '2026-03-01T09:30:00Z',
		title: 'Roof inspection',
		customer: { id: 'c-1', name: 'Blue Door Ltd' },
		...more,
	});
	const upsert = async (rows: object[], more?: INodeParameters) =>
		await run(workflow('upsert', JSON.stringify({ rows }), automatic(more)));
	const stored = (eventId: string) =>
		sandbox.control.appointments().find(({ event_id }) => event_id === eventId);
	const hintsOf = (execution: Execution) =>
		(execution.data?.resultData.runData['Conversation Intelligence Appointments']?.at(-1)?.hints ?? []).map(
			({ message }) => message,
		);
	const millisecondsOf = (execution: Execution) =>
		execution.data?.resultData.runData['Conversation Intelligence Appointments']?.at(-1)?.executionTime ??
		NaN;

	// D2-MATCH-01
	test('the later of two matches of a conversation, named by its link, wins, even when the earlier one is retried', async () => {
		await upsert([row('A'), row('B')]);
		sandbox.faults.add({ kind: 'tooManyRequests', path: '/crm/custom/appointment/match', times: 1 });
		const [conversationId] = sandbox.control.conversationIds(20, 1);
		const execution = await run(
			workflow('match', JSON.stringify({ rows: [{ id: 'A' }, { id: 'B' }] }), {
				operation: 'match',
				eventId: '={{ $json.id }}',
				conversationId: {
					__rl: true,
					mode: 'url',
					value: `${sandbox.url}/app/conversations/${conversationId}`,
				},
			}),
		);
		expect(errorOf(execution)).toBeUndefined();
		const sent = sandbox.requests.list({ path: '/crm/custom/appointment/match' });
		expect(sent.map(({ status, body }) => [status, (body as { event_id: string }).event_id])).toEqual([
			[429, 'A'],
			[200, 'A'],
			[200, 'B'],
		]);
	}, 120_000);

	// D2-RETRY-03
	test('one random 429 in twenty requests takes at most three times as long as none', async () => {
		const rows = Array.from({ length: 400 }, (_, index) => row(`pace-${index}`));
		sandbox.faults.add({ kind: 'latency', path: '/crm', milliseconds: 50 });
		const calm = millisecondsOf(await upsert(rows));
		sandbox.faults.add({
			kind: 'tooManyRequests',
			path: '/crm',
			probability: 1 / 20,
			seed: 1,
			retryAfterSeconds: 0,
		});
		const execution = await upsert(rows);
		expect(errorOf(execution)).toBeUndefined();
		expect(itemsOf(execution, 'Conversation Intelligence Appointments')).toHaveLength(400);
		// Allows a second for the backoff of the last item, because no other item runs in parallel.
		expect(millisecondsOf(execution)).toBeLessThan(3 * calm + 1000);
	}, 120_000);

	// D2-STATE-03
	test('a delete that finds nothing after a refused connection has not succeeded', async () => {
		const port = await freePort();
		await n8n.client.saveCredential(
			'crmAppointmentApi',
			{ baseUrl: `http://127.0.0.1:${port}/crm`, apiKey: 'any-key' },
			'Unreachable at first',
		);
		const service = createServer((_request, response) => response.writeHead(404).end('Not found'));
		try {
			const running = run(
				workflow('delete', JSON.stringify({ rows: [{}] }), { operation: 'delete', eventId: 'never-there' }),
			);
			// A refused connection leaves nothing to wait for. The node keeps trying for about eight seconds.
			await delay(1500);
			await once(service.listen(port, '127.0.0.1'), 'listening');
			expect(errorOf(await running)?.message).toBe(
				'No appointment has this Event ID (Event ID "never-there")',
			);
		} finally {
			service.close();
			await saveSandboxCredentials(n8n.client, sandbox);
		}
	}, 120_000);

	// D2-RULE-02
	test('a result with spaces around it finds its outcome, and spaces alone create none', async () => {
		const outcomes = sandbox.control.outcomes();
		const execution = await upsert(
			[
				row('result-1', { result: ` ${outcomes[0]} \n` }),
				row('result-2', { result: '' }),
				row('result-3', { result: ' \n' }),
			],
			{ options: { fieldsToClear: ['lead_source', 'customer_phone'] } },
		);
		expect(errorOf(execution)).toBeUndefined();
		expect(sandbox.control.outcomes()).toEqual(outcomes);
		expect(stored('result-1')?.result).toBe(outcomes[0]);
	}, 120_000);

	// D2-APPT-02, D2-ATT-03
	test('the owner is stored as an attendee from what a CRM, a calendar or a person types', async () => {
		const [, second, third] = people;
		const execution = await upsert([
			row('typed-1', { user_email: `Ava Adams <${owner}>`, attendee_emails: [`mailto:${second}`, owner] }),
			row('typed-2', { 'Attendee Emails': [{ email: second, self: true }, { email: owner }] }),
			row('typed-3', {
				attendee_emails: [{ type: 'required', emailAddress: { address: third, name: 'C' } }],
			}),
			row('typed-4', { attendee_emails: null }),
			row('typed-5', { attendee_emails: `“${second}”` }),
		]);
		// An unusable row keeps all of them from being sent.
		expect(errorOf(execution)?.message).toBe(
			`Attendee "“${second}”" is not an email address (Event ID "typed-5")`,
		);
		expect(stored('typed-1')).toBeUndefined();

		const sent = await upsert([
			row('typed-1', { user_email: `Ava Adams <${owner}>`, attendee_emails: [`mailto:${second}`, owner] }),
			row('typed-2', { 'Attendee Emails': [{ email: second, self: true }, { email: owner }] }),
			row('typed-3', {
				attendee_emails: [{ type: 'required', emailAddress: { address: third, name: 'C' } }],
			}),
			row('typed-4', { attendee_emails: null }),
		]);
		expect(errorOf(sent)).toBeUndefined();
		expect(stored('typed-1')).toMatchObject({ user_email: owner, attendees: [owner, second] });
		expect([2, 3, 4].map((number) => stored(`typed-${number}`)?.attendees)).toEqual([
			[owner, second],
			[owner, third],
			[owner],
		]);
		expect(itemsOf(sent, 'Conversation Intelligence Appointments').map(({ json }) => json.warnings)).toEqual([
			[],
			[],
			[],
			['Attendee Emails is empty: the owner (User Email) is the only attendee.'],
		]);
	}, 120_000);

	test('options and IDs of the wrong type are refused by name, and shared IDs and unknown keys are in the output', async () => {
		const one = [row('wrong')];
		for (const [options, message] of [
			[{ previewOnly: '={{ "true" }}' }, 'Preview Only must be true or false (it is "true")'],
			[
				{ concurrency: '={{ 0.5 }}' },
				'Max Parallel Requests must be a whole number from 1 to 50 (it is 0.5)',
			],
			[{ concurrency: -1 }, 'Max Parallel Requests must be a whole number from 1 to 50 (it is -1)'],
			[{ requestsPerSecond: '5/s' }, 'Requests per Second must be a number from 0 (it is "5/s")'],
			[{ timeZone: '={{ 2 }}' }, 'Time Zone must be text (it is 2)'],
			[{ ownerOnly: 'yes' }, 'Owner Only must be true or false (it is "yes")'],
			[{ fieldsToClear: ['price'] }, 'Price cannot be cleared'],
		] as const) {
			const execution = await upsert(one, { options: options as unknown as INodeParameters });
			expect(errorOf(execution)?.message).toContain(message);
		}
		const ids = [9007199254740992, 'undefined', '  '];
		const refused = await upsert(ids.map((id) => ({ ...row('x'), event_id: id })));
		expect(errorOf(refused)?.message).toBe(
			'3 of 3 items cannot be used: Event ID must be an ID (it is 9007199254740992) (Event ID 9007199254740992)',
		);
		expect(errorOf(refused)?.description).toContain('"undefined"');
		expect(sandbox.requests.list()).toEqual([]);

		const value = {
			event_id: '=crm-{{ $json.none }}',
			user_email: owner,
			start_time: '2026-03-01',
			end_time: '2026-03-01T09:00:00Z',
			Title: 'Roof',
			customer_id: 'c',
			customer_name: 'C',
			attendees: owner,
		};
		const shared = await run(
			workflow('shared', JSON.stringify({ rows: [{ n: 1 }, { n: 2 }] }), byHand(value)),
		);
		expect(errorOf(shared)).toBeUndefined();
		const [{ json }] = itemsOf(shared, 'Conversation Intelligence Appointments');
		expect(stored(json.event_id as string)?.title).toBe('Roof');
		expect(json.warnings).toEqual([
			expect.stringContaining('no such field: attendees.'),
			'Start Time has a date without a time: midnight is sent. Add the time of day.',
			expect.stringContaining(`2 items have Event ID ${JSON.stringify(json.event_id)}.`),
		]);
	}, 180_000);

	// D2-ERR-13
	test('a missing appointment is told from another 404, and says that nothing existed', async () => {
		const remove = async () =>
			await run(
				workflow('missing', JSON.stringify({ rows: [{}] }), {
					operation: 'delete',
					eventId: 'never-there',
					options: { missingIsDeleted: true },
				}),
			);
		const [{ json }] = itemsOf(await remove(), 'Conversation Intelligence Appointments');
		expect(json).toMatchObject({ deleted: true, existed: false, status: 404, warnings: [] });

		const service = createServer((_request, response) =>
			response.writeHead(404, { 'content-type': 'application/json' }).end('{"message":"Not Found"}'),
		);
		await once(service.listen(0, '127.0.0.1'), 'listening');
		try {
			const { port } = service.address() as AddressInfo;
			const baseUrl = `http://127.0.0.1:${port}/crm`;
			await n8n.client.saveCredential('crmAppointmentApi', { baseUrl, apiKey: 'any-key' }, 'Elsewhere');
			expect(errorOf(await remove())?.message).toBe(
				'The service has nothing at this address (Event ID "never-there")',
			);
		} finally {
			service.close();
			await saveSandboxCredentials(n8n.client, sandbox);
		}
	}, 120_000);

	// D2-APPT-03
	test('all attendees are stored from the text of a mail program, and a name without an address is refused', async () => {
		const [first, second, third, fourth] = people;
		const attendee_emails = `"Doe, Jane" <${first}>, ${second} ${third};${fourth}`;
		expect(errorOf(await upsert([row('people', { attendee_emails })]))).toBeUndefined();
		expect(stored('people')?.attendees).toEqual([first, second, third, fourth]);
		const refused = await upsert([row('people', { attendee_emails: `Doe, Jane <${first}>` })]);
		expect(errorOf(refused)?.message).toBe('Attendee "Doe" is not an email address (Event ID "people")');
	}, 120_000);

	// D2-RULE-01
	test('an offset overrides a zone in brackets, and an abbreviation is refused by name', async () => {
		const execution = await upsert([
			row('zone-1', {
				start_time: '2026-03-01T08:30:00Z[America/New_York]',
				end_time: '2026-03-01T09:00:00Z',
			}),
			row('zone-2', {
				start_time: '2026-10-25T02:30:00+01:00[Europe/Berlin]',
				end_time: '2026-10-25T03:00:00Z',
			}),
		]);
		expect(errorOf(execution)).toBeUndefined();
		expect(['zone-1', 'zone-2'].map((id) => stored(id)?.start_time)).toEqual([
			'2026-03-01 08:30:00',
			'2026-10-25 01:30:00',
		]);
		const refused = await upsert([row('zone-3', { start_time: '2026-07-01 08:30:00 BST' })]);
		expect(errorOf(refused)?.message).toBe(
			'Start Time must have a clear time zone (it is "2026-07-01 08:30:00 BST") (Event ID "zone-3")',
		);
	}, 120_000);

	test('a customer replaces the whole stored one, and hints name the parts that were not sent', async () => {
		await upsert([row('customer', { customer: { id: 'c-1', name: 'Blue Door Ltd', phone: '1' } })]);
		const execution = await upsert(
			[
				row('customer', {
					customer: { id: 'c-2', name: 'Red Door Ltd', email: 'c@example.com' },
					customer_email: '',
				}),
				row('other', { attendees: owner, location: '1 Main St' }),
			],
			{ operation: 'update' },
		);
		expect(errorOf(execution)).toBeUndefined();
		expect(stored('customer')?.customer).toStrictEqual({
			id: 'c-2',
			name: 'Red Door Ltd',
			email: 'c@example.com',
		});
		expect(hintsOf(execution)).toEqual([
			expect.stringContaining('no such field: attendees.'),
			expect.stringContaining('media_url is empty: location.'),
			expect.stringContaining('Attendee Emails is empty'),
			expect.stringContaining('without Customer Phone, Customer Address, Customer Email:'),
		]);
	}, 120_000);

	test('n8n lists the node with its four operations, and as a tool', async () => {
		const types = await n8n.client.nodeTypes();
		const operations = types
			.find(({ name }) => name === NODE_TYPE)
			?.properties.find(({ name }) => name === 'operation')?.options;
		expect(operations?.map(({ name }) => name)).toEqual([
			'Create or Update',
			'Update',
			'Delete',
			'Match Conversation',
		]);
		expect(types.map(({ name }) => name)).toContain(`${NODE_TYPE}Tool`);
	});

	// D2-RULE-01
	test('times from expressions, literals and Luxon dates are sent in UTC', async () => {
		const value = {
			event_id: 'times',
			user_email: owner,
			start_time: '={{ DateTime.fromISO("2026-03-01T08:30:00", { zone: "Europe/Berlin" }) }}',
			end_time: '2026-03-01T02:30:00',
			title: '={{ $json.title }}',
			customer_id: '={{ 7 }}',
			customer_name: 'Blue Door Ltd',
			attendee_emails: '={{ [$json.owner] }}',
		};
		const execution = await run(
			workflow('times', JSON.stringify({ rows: [{ title: 'T', owner }] }), byHand(value)),
		);
		expect(errorOf(execution)).toBeUndefined();
		// The workflow's time zone is seven hours behind UTC.
		const { start_time, end_time, title, customer, attendees } = stored('times')!;
		expect({ start_time, end_time, title, customer, attendees }).toStrictEqual({
			start_time: '2026-03-01 07:30:00',
			end_time: '2026-03-01 09:30:00',
			title: 'T',
			customer: { id: '7', name: 'Blue Door Ltd' },
			attendees: [owner],
		});
	}, 120_000);

	// D2-ERR-13
	test('a refused item goes to the error output, and the others to the success output', async () => {
		const ids = ['x', 'absent/1', 'y'];
		const book = {
			...byHand({ event_id: '={{ $json.id }}', user_email: owner, title: 'T' }),
			operation: 'update',
		};
		const rows = JSON.stringify({ rows: ids.map((id) => ({ id })) });
		const created = await run(
			workflow('create', rows, {
				...byHand({
					event_id: '={{ $json.id === "absent/1" ? "z" : $json.id }}',
					user_email: owner,
					start_time: '2026-03-01T08:30:00Z',
					end_time: '2026-03-01T09:30:00Z',
					title: 'T',
					customer_id: 'c',
					customer_name: 'C',
				}),
			}),
		);
		expect(errorOf(created)).toBeUndefined();
		const updated = await run(workflow('update', rows, book, { onError: 'continueErrorOutput' }));
		const deleted = await run(
			workflow(
				'delete',
				rows,
				{ operation: 'delete', eventId: '={{ $json.id }}' },
				{ onError: 'continueErrorOutput' },
			),
		);
		for (const [execution, message] of [
			[updated, /does not accept the appointment \(Event ID "absent\/1"\)/],
			[deleted, /No appointment has this Event ID \(Event ID "absent\/1"\)/],
		] as const) {
			expect(
				itemsOf(execution, 'Conversation Intelligence Appointments', 0).map(({ json }) => json.event_id),
			).toEqual(['x', 'y']);
			const refused = itemsOf(execution, 'Conversation Intelligence Appointments', 1);
			expect(refused.map(({ json }) => json.error)).toEqual([expect.stringMatching(message)]);
			expect(refused[0].json.message).toMatch(/Status 40[04]: .*Repeating does not help/);
		}
	}, 120_000);

	test('the mapping offers all fields, requires those of the operation, and lets a model fill them in a tool', async () => {
		const fields = async (parameters: INodeParameters, name = NODE_TYPE) => {
			const { fields: columns } = await n8n.client.session.rest<ResourceMapperFields>(
				'POST',
				'/dynamic-node-parameters/resource-mapper-fields',
				{
					path: 'parameters.columns',
					methodName: 'getAppointmentFields',
					nodeTypeAndVersion: { name, version: 1 },
					currentNodeParameters: { resource: 'appointment', operation: 'upsert', ...parameters },
				},
			);
			return columns;
		};
		const create = await fields({});
		expect(create.filter(({ required }) => required).map(({ id }) => id)).toEqual([
			'event_id',
			'user_email',
			'start_time',
			'end_time',
			'title',
			'customer_id',
			'customer_name',
		]);
		expect(create.map(({ defaultValue }) => defaultValue)).toEqual(create.map(() => undefined));

		const update = await fields({ operation: 'update' });
		expect(update.filter(({ required }) => required).map(({ id }) => id)).toEqual(['event_id', 'user_email']);
		expect(update.map(({ id }) => id)).toEqual(create.map(({ id }) => id));

		const tool = await fields({}, `${NODE_TYPE}Tool`);
		expect(tool.map(({ defaultValue }) => defaultValue)).toEqual(
			tool.map(({ id }) => expect.stringContaining(`$fromAI('${id}', `)),
		);
	});
});
