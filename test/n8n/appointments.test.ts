import type { INode, INodeParameters, ResourceMapperFields } from 'n8n-workflow';
import { errorOf, itemsOf, type Execution } from '../../harness/n8n/execution';
import { MAPPED_AUTOMATICALLY, mappedByHand } from '../support/columns';
import { fedWorkflow, NODE, nodeWorkflow } from '../support/exportWorkflow';
import { N8N_START_LIMIT_MS } from '../support/n8n';
import { startTestbed, type Testbed } from '../support/testbed';

const NODE_TYPE = 'n8n-nodes-conversation-intelligence.conversationIntelligenceAppointments';

describe('Conversation Intelligence Appointments in a real n8n, from the packed tarball', () => {
	let testbed: Testbed;
	let sandbox: Testbed['sandbox'];
	let n8n: Testbed['n8n'];
	let owner: string;

	beforeAll(async () => {
		({ sandbox, n8n } = testbed = await startTestbed());
		owner = sandbox.control.users().find(({ isRemoved, isHidden }) => !isRemoved && !isHidden)!.email;
	}, N8N_START_LIMIT_MS);
	afterAll(async () => await testbed?.stop(), 60_000);
	beforeEach(() => {
		sandbox.requests.reset();
		sandbox.faults.clear();
	});

	/** Runs the node once over these rows. */
	const run = async (rows: object[], parameters: INodeParameters, more: Partial<INode> = {}) => {
		const given = { resource: 'appointment', ...parameters };
		const workflow = fedWorkflow(rows, nodeWorkflow('conversationIntelligenceAppointments', given, more));
		workflow.settings = { executionOrder: 'v1', timezone: 'America/Denver' };
		return await n8n.client.run(await n8n.client.importWorkflow(workflow));
	};
	const byHand = (value: object): INodeParameters => ({ operation: 'upsert', columns: mappedByHand(value) });
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
		await run(rows, { operation: 'upsert', columns: MAPPED_AUTOMATICALLY, ...more });
	const stored = (eventId: string) =>
		sandbox.control.appointments().find(({ event_id }) => event_id === eventId);
	const hintsOf = (execution: Execution) =>
		(execution.data?.resultData.runData[NODE]?.at(-1)?.hints ?? []).map(({ message }) => message);

	// D2-MATCH-01
	test('the later of two matches of a conversation, named by its link, wins, even when the earlier one is retried', async () => {
		await upsert([row('A'), row('B')]);
		sandbox.faults.add({ kind: 'tooManyRequests', path: '/crm/custom/appointment/match', times: 1 });
		const [conversationId] = sandbox.control.conversationIds(20, 1);
		const execution = await run([{ id: 'A' }, { id: 'B' }], {
			operation: 'match',
			eventId: '={{ $json.id }}',
			conversationId: {
				__rl: true,
				mode: 'url',
				value: `${sandbox.url}/app/conversations/${conversationId}`,
			},
		});
		expect(errorOf(execution)).toBeUndefined();
		const sent = sandbox.requests.list({ path: '/crm/custom/appointment/match' });
		expect(sent.map(({ status, body }) => [status, (body as { event_id: string }).event_id])).toEqual([
			[429, 'A'],
			[200, 'A'],
			[200, 'B'],
		]);
	}, 120_000);

	test('an expression of the wrong type is refused by name, and shared IDs and unknown keys are in the output', async () => {
		const refused = await upsert([row('wrong')], { options: { previewOnly: '={{ "true" }}' } });
		expect(errorOf(refused)?.message).toContain('Preview Only must be true or false (it is "true")');
		expect(sandbox.requests.list()).toEqual([]);

		const customer = { customer: undefined, customer_id: 'c', customer_name: 'C' };
		const value = row('=crm-{{ $json.none }}', { ...customer, start_time: '2026-03-01', attendees: owner });
		const shared = await run([{ n: 1 }, { n: 2 }], byHand(value));
		expect(errorOf(shared)).toBeUndefined();
		const [{ json }] = itemsOf(shared, NODE);
		expect(stored(json.event_id as string)?.title).toBe('Roof inspection');
		expect(json.warnings).toEqual([
			expect.stringContaining('no such field: attendees.'),
			'Start Time has a date without a time: midnight is sent. Add the time of day.',
			expect.stringContaining(`the same Event ID: ${JSON.stringify(json.event_id)} (2).`),
		]);
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
		const execution = await run([{ title: 'T', owner }], byHand(value));
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
		await upsert([row('x'), row('y')]);
		const rows = ['x', 'absent/1', 'y'].map((id) => ({ id }));
		const update = byHand({ event_id: '={{ $json.id }}', user_email: owner, title: 'T' });
		for (const [parameters, message] of [
			[{ ...update, operation: 'update' }, /does not accept the appointment \(Event ID "absent\/1"\)/],
			[
				{ operation: 'delete', eventId: '={{ $json.id }}' },
				/No appointment has this Event ID \(Event ID "absent\/1"\)/,
			],
		] as const) {
			const execution = await run(rows, parameters, { onError: 'continueErrorOutput' });
			expect(itemsOf(execution, NODE, 0).map(({ json }) => json.event_id)).toEqual(['x', 'y']);
			const refused = itemsOf(execution, NODE, 1);
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
