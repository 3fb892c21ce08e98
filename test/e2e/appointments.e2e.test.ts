import type { INode, INodeParameters, ResourceMapperFields } from 'n8n-workflow';

import { errorOf, itemsOf } from '../../playground/n8n/execution';
import type { WorkflowFile } from '../../playground/n8n/client';
import { exampleWorkflow } from '../../playground/workflows';
import { N8N_START_LIMIT_MS } from '../support/n8n';
import { startTestbed, type Testbed } from '../support/testbed';

const NODE_TYPE = 'n8n-nodes-conversation-intelligence.crmAppointment';

describe('CRM Appointment in a real n8n, from the packed tarball', () => {
	let bed: Testbed;
	let sandbox: Testbed['sandbox'];
	let n8n: Testbed['n8n'];
	let owner: string;

	beforeAll(async () => {
		({ sandbox, n8n } = bed = await startTestbed());
		owner = sandbox.control.users().find(({ isRemoved, isHidden }) => !isRemoved && !isHidden)!.email;
	}, N8N_START_LIMIT_MS);
	afterAll(async () => await bed?.stop(), 60_000);
	beforeEach(() => sandbox.requests.reset());

	/** A workflow that hands the items to the node, and the node's two outputs to one node each. */
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
					...node(NODE_TYPE, 'CRM Appointment', { resource: 'appointment', ...parameters }),
					credentials: { crmAppointmentApi: { id: '', name: '' } },
					...more,
				},
				node('n8n-nodes-base.noOp', 'Done', {}),
				node('n8n-nodes-base.noOp', 'Refused', {}),
			],
			connections: {
				'Manual Trigger': to('Row'),
				Row: to('Rows'),
				Rows: to('CRM Appointment'),
				'CRM Appointment': to('Done', 'Refused'),
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
			matchingColumns: ['event_id'],
			schema: [],
		} as unknown as INodeParameters,
	});

	test('n8n lists the node with its three operations, and as a tool', async () => {
		const types = await n8n.client.nodeTypes();
		const operations = types
			.find(({ name }) => name === NODE_TYPE)
			?.properties.find(({ name }) => name === 'operation')?.options;
		expect(operations?.map(({ name }) => name)).toEqual(['Create or Update', 'Delete', 'Match Conversation']);
		expect(types.map(({ name }) => name)).toContain(`${NODE_TYPE}Tool`);
	});

	test('[D2-DOES-01] [D2-DOES-04] the example books and matches five conversations, also when it runs twice', async () => {
		const id = await n8n.client.importWorkflow(exampleWorkflow('sync-appointments'));
		for (const attempt of [1, 2]) {
			const execution = await n8n.client.run(id);
			expect([attempt, errorOf(execution)]).toEqual([attempt, undefined]);
			expect(itemsOf(execution).map(({ json }) => json.matched)).toEqual(Array(5).fill(true));
		}
		const appointments = sandbox.control.appointments().filter(({ event_id }) => event_id.startsWith('crm-'));
		expect(appointments.map(({ hasRecording }) => hasRecording)).toEqual(Array(5).fill(true));
	}, 120_000);

	test('[D2-RULE-01] times from expressions, literals and dates of the engine are sent in UTC', async () => {
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
		expect(sandbox.control.appointments().find(({ event_id }) => event_id === 'times')).toMatchObject({
			start_time: '2026-03-01 07:30:00',
			end_time: '2026-03-01 09:30:00',
			customer: { id: '7', name: 'Blue Door Ltd' },
			attendees: [owner],
		});
	}, 120_000);

	test('[D2-ERR-13] a refused item goes to the error output, the others go through', async () => {
		const ids = ['x', 'absent/1', 'y'];
		const book = {
			...byHand({ event_id: '={{ $json.id }}', user_email: owner, title: 'T' }),
			writeMode: 'update',
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
			[updated, /does not accept the appointment \[Item 1\]/],
			[deleted, /No appointment has this Event ID \[Item 1\]/],
		] as const) {
			expect(itemsOf(execution, 'CRM Appointment', 0).map(({ json }) => json.event_id)).toEqual(['x', 'y']);
			const refused = itemsOf(execution, 'CRM Appointment', 1);
			expect(refused.map(({ json }) => json.error)).toEqual([expect.stringMatching(message)]);
			expect(refused[0].json.message).toMatch(/Status 40[04]: .*This is permanent/);
		}
	}, 120_000);

	test('the mapping offers the fields, required as the mode says', async () => {
		const fields = async (parameters: INodeParameters) => {
			const { fields: columns } = await n8n.client.session.rest<ResourceMapperFields>(
				'POST',
				'/dynamic-node-parameters/resource-mapper-fields',
				{
					path: 'parameters.columns',
					methodName: 'getAppointmentFields',
					nodeTypeAndVersion: { name: NODE_TYPE, version: 1 },
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
		expect(create.filter(({ defaultMatch }) => defaultMatch).map(({ id }) => id)).toEqual(['event_id']);
		expect(create.map(({ id }) => id)).toContain('attendee_emails');
		expect(create.map(({ id }) => id)).not.toContain('media_url');

		const update = await fields({ writeMode: 'update', attendees: 'ownerOnly', withRecording: true });
		expect(update.filter(({ required }) => required).map(({ id }) => id)).toEqual(['event_id', 'user_email']);
		expect(update.map(({ id }) => id)).not.toContain('attendee_emails');
		expect(update.map(({ id }) => id)).toEqual(
			expect.arrayContaining(['media_url', 'recording_type', 'location']),
		);
	});
});
