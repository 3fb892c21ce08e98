import type { IDataObject, INode, INodeParameters } from 'n8n-workflow';
import { errorOf, itemsOf } from '../../harness/n8n/execution';
import { appointment, sendAppointment, matchConversation } from '../../harness/sendAppointment';
import { outputSchemas } from '../../scripts/outputSchemas';
import { columns } from '../../scripts/tables';
import { MAPPED_AUTOMATICALLY, mappedByHand } from '../support/columns';
import { ALL_TIME, behind, fedWorkflow, NODE, nodeWorkflow } from '../support/exportWorkflow';
import { useTestbed } from '../support/testbed';
import { inRow, workflowNode, type WorkflowFile } from '../../harness/n8n/workflowFile';

const TO_ERROR_OUTPUT = { onError: 'continueErrorOutput' } as const;

/** A table with a column for each field that an operation returns by default, as the editor knows them. */
const LISTS = ['conversation/getAll', 'recording/getMissing', 'team/getAll', 'user/getAll'].map((name) => {
	const [resource, operation] = name.split('/');
	const [, schema] = [...outputSchemas()].find(([path]) => path.endsWith(`${name}.json`))!;
	const fields = Object.entries(JSON.parse(schema).properties as Record<string, { type: string }>);
	return [name, { resource, operation }, fields.map(([field, { type }]) => ({ name: field, type }))] as const;
});
/** The documented table of each other kind of rows. */
const ROWS_FOR = ['checklists', 'trackers', 'viewers', 'surveyAnswers'].map(
	(rowsFor) =>
		[rowsFor, { resource: 'conversation', operation: 'getAll', rowsFor }, columns.get(rowsFor)!] as const,
);

jest.setTimeout(120_000);

describe('The nodes beside their neighbours in a real n8n', () => {
	const { sandbox, n8n } = useTestbed({ conversations: 120 });
	afterEach(() => sandbox.faults.clear());

	const run = async (file: WorkflowFile) => {
		const execution = await n8n.client.run(await n8n.client.importWorkflow(file));
		expect(errorOf(execution)).toBeUndefined();
		return execution;
	};
	/** Runs a list with a node behind each of its outputs. Returns the rows of both, and the first node's items. */
	const runList = async (parameters: INodeParameters, ...nodes: INode[]) => {
		const list = { ...ALL_TIME, ...parameters };
		const file = nodeWorkflow('conversationIntelligence', list, TO_ERROR_OUTPUT);
		const execution = await run(behind(file, nodes));
		const json = (node: string, output = 0) => itemsOf(execution, node, output).map((item) => item.json);
		return { rows: json(NODE), errors: json(NODE, 1), read: json(nodes.at(-1)!.name) };
	};

	test.each([...LISTS, ...ROWS_FOR])(
		'a Data Table with automatic mapping stores every row of %s',
		async (name, list, columnsOf) => {
			await n8n.client.session.api('POST', '/data-tables', { name, columns: columnsOf });
			const table = workflowNode('Data Table', 'n8n-nodes-base.dataTable', 1.1, {
				resource: 'row',
				operation: 'insert',
				dataTableId: { __rl: true, mode: 'name', value: name },
				columns: MAPPED_AUTOMATICALLY,
				options: {},
			});
			const { rows, errors } = await runList({ ...list, returnAll: true }, table);

			expect(rows.length).toBeGreaterThan(1);
			const stored = await n8n.client.tableRows<IDataObject>(name);
			expect(stored).toEqual(rows.map((row) => expect.objectContaining(row)));
			expect(errors).toEqual([]);
		},
	);

	test.each(['csv', 'xlsx'])(
		'Convert to File writes every row into %s, and Extract from File reads them back',
		async (format) => {
			const { rows, read } = await runList(
				{ resource: 'conversation', operation: 'getAll', limit: 20 },
				workflowNode('Convert to File', 'n8n-nodes-base.convertToFile', 1.1, {
					operation: format,
					options: {},
				}),
				workflowNode('Extract from File', 'n8n-nodes-base.extractFromFile', 1, {
					operation: format,
					// Convert to File begins a CSV with a byte-order mark.
					options: { enableBOM: true },
				}),
			);

			const cell = (value: unknown) => (format === 'csv' ? String(value ?? '') : (value ?? ''));
			const cells = (row: IDataObject) => Object.keys(rows[0]).map((name) => cell(row[name]));
			expect(read).toHaveLength(20);
			expect(read.map(cells)).toEqual(rows.map(cells));
		},
	);

	// D2-ATT-05, D2-RULE-01
	test('each list of attendees and each date of a spreadsheet is stored as meant, or its row is refused', async () => {
		const reps = sandbox.control.users().filter(({ isRemoved, isHidden }) => !isRemoved && !isHidden);
		const [owner, ana, ben] = reps.map(({ email }) => email);
		const lists: Record<string, unknown> = {
			keys: [{ email_address: ana }, { Email: ben }],
			parser: [{ params: { PARTSTAT: 'DECLINED' }, val: `mailto:${ana}` }, { val: `mailto:${ben}` }],
			nested: [{ person: { email: ana } }, { label: 'Ben', value: ben, status: 'no' }],
			unknown: [{ email: ana }, { user: 'u_2' }],
		};
		for (const event_id of Object.keys(lists)) {
			const attendee_emails = [owner, ana, ben];
			await sendAppointment(
				sandbox,
				appointment(sandbox, 1, { event_id, user_email: owner, attendee_emails }),
			);
		}
		const rows = Object.entries(lists).map(([id, people]) => ({
			...{ id, people: JSON.stringify(people), owner },
			...{ start: 46082.354166666664, end: '46082.395833333336' },
		}));
		const columns = mappedByHand({
			...{ event_id: '={{ $json.id }}', user_email: '={{ $json.owner }}' },
			attendee_emails: '={{ JSON.parse($json.people) }}',
			...{ start_time: '={{ $json.start }}', end_time: '={{ $json.end }}' },
		});
		const update = { resource: 'appointment', operation: 'update', columns };
		const file = nodeWorkflow('conversationIntelligenceAppointments', update, TO_ERROR_OUTPUT);
		const { nodes, settings, ...named } = fedWorkflow(rows, file);
		const sheet = { operation: 'xlsx', options: {} };
		const chain = [
			...nodes.slice(0, -1),
			workflowNode('Convert to File', 'n8n-nodes-base.convertToFile', 1.1, sheet),
			workflowNode('Extract from File', 'n8n-nodes-base.extractFromFile', 1, sheet),
			...nodes.slice(-1),
		];
		const zone = { ...settings, timezone: 'Europe/Berlin' };
		const execution = await run({ ...named, ...inRow(...chain), settings: zone } as WorkflowFile);

		const stored = sandbox.control.appointments().filter(({ event_id }) => event_id in lists);
		const attends = Object.fromEntries(stored.map(({ event_id, attendees }) => [event_id, attendees]));
		const everyone = [owner, ana, ben];
		expect(attends).toEqual({
			...{ keys: everyone, parser: [owner, ben], nested: [owner, ana] },
			unknown: everyone,
		});
		const [{ start_time, end_time }] = stored;
		expect([start_time, end_time]).toEqual(['2026-03-01 07:30:00', '2026-03-01 08:30:00']);
		const codes = itemsOf(execution, NODE, 1).map(({ json }) => (json.details as IDataObject).code);
		expect(codes).toEqual(['attendee_unclear']);
	});

	// Once, Data Table's own columns kept Outcome and Type from being sent, and unclear statuses were booked.
	test('Sync Appointments takes the rows of a Data Table: its own columns change nothing, an unclear status refuses its row', async () => {
		const name = 'visits';
		const { customer, ...visit } = appointment(sandbox, 1);
		const own = {
			...visit,
			customer_id: customer.id,
			customer_name: customer.name,
			result: 'Sold',
			type: 'Roof',
		};
		const columnsOf = [...Object.keys(own), 'State'].map((column) => ({ name: column, type: 'string' }));
		await n8n.client.session.api('POST', '/data-tables', { name, columns: columnsOf });
		const table = workflowNode('Data Table', 'n8n-nodes-base.dataTable', 1.1, {
			resource: 'row',
			operation: 'insert',
			dataTableId: { __rl: true, mode: 'name', value: name },
			columns: MAPPED_AUTOMATICALLY,
			options: {},
		});
		const rows = ['Confirmed', 'CANCELED', 'CANCELLED_BY_CLIENT', null].map((State, index) => ({
			...own,
			State,
			event_id: `t-${index}`,
		}));
		const sync = {
			resource: 'appointment',
			operation: 'sync',
			status: { __rl: true, mode: 'list', value: 'State' },
			columns: MAPPED_AUTOMATICALLY,
		};
		const fed = fedWorkflow(
			rows,
			nodeWorkflow('conversationIntelligenceAppointments', sync, TO_ERROR_OUTPUT),
		);
		const [trigger, row, split, node] = fed.nodes;
		const execution = await run({ ...fed, ...inRow(trigger, row, split, table, node) });
		const json = (output: number) => itemsOf(execution, NODE, output).map((item) => item.json);

		expect(json(0).map(({ action, sent, warnings }) => [action, sent, warnings])).toEqual([
			[
				'booked',
				expect.objectContaining({ event_id: 't-0', result: 'Sold', type: 'Roof' }),
				expect.arrayContaining([expect.stringContaining('no such field: id, createdAt, updatedAt.')]),
			],
			['unchanged', undefined, []],
		]);
		expect(json(1).map(({ details }) => details)).toEqual([
			expect.objectContaining({ code: 'status_unclear', eventId: 't-2', field: 'Status' }),
			expect.objectContaining({ code: 'status_missing', eventId: 't-3', field: 'Status' }),
		]);
	});

	test('n8n keeps rows with a field named error off the error output', async () => {
		const list = { resource: 'recording', operation: 'getMissing', output: 'selectedFields' };
		const noOp = workflowNode('No Operation', 'n8n-nodes-base.noOp', 1, {});
		const { rows, errors } = await runList({ ...list, fields: ['error'], limit: 3 }, noOp);

		expect(rows.map((row) => 'error' in row)).toEqual([true, true, true]);
		expect(errors).toEqual([]);
	});

	describe('an error output', () => {
		const CODE = '={{ $json.details.code }}';
		const is = (leftValue: string, type: string, operation: string, rightValue: string) => ({
			options: { caseSensitive: true, typeValidation: 'strict', version: 2 },
			conditions: [
				{
					id: operation,
					leftValue,
					rightValue,
					operator: { type, operation, singleValue: rightValue === '' },
				},
			],
			combinator: 'and',
		});
		/** Deletes appointments with a node behind the error output. */
		const remove = async (ids: string[], branch: INode) => {
			const deletion = { resource: 'appointment', operation: 'delete', eventId: '={{ $json.id }}' };
			const file = nodeWorkflow('conversationIntelligenceAppointments', deletion, TO_ERROR_OUTPUT);
			const rest = workflowNode('Deleted', 'n8n-nodes-base.noOp', 1, {});
			const rows = ids.map((id) => ({ id }));
			const execution = await run(behind(fedWorkflow(rows, file), [rest], [branch]));
			return (output: number) => itemsOf(execution, branch.name, output).map(({ json }) => json.id);
		};

		test('Switch has a branch for each code', async () => {
			for (const event_id of ['free', 'recorded']) {
				await sendAppointment(sandbox, appointment(sandbox, 0, { event_id }));
			}
			const [conversation_id] = sandbox.control.conversationIds(1);
			await matchConversation(sandbox, 'recorded', conversation_id);
			const rules = ['appointment_not_found', 'appointment_has_recording'].map((code) => ({
				conditions: is(CODE, 'string', 'equals', code),
			}));
			const parameters = { mode: 'rules', rules: { values: rules }, options: { fallbackOutput: 'extra' } };
			const branch = await remove(
				['free', 'gone', 'recorded', '..'],
				workflowNode('Switch', 'n8n-nodes-base.switch', 3.2, parameters as INodeParameters),
			);

			expect([0, 1, 2].map(branch)).toEqual([['gone'], ['recorded'], ['..']]);
		});

		test('If tells what can succeed later', async () => {
			const later = { kind: 'serverError', status: 503, retryAfterSeconds: 3600, times: 1 } as const;
			sandbox.faults.add({ ...later, path: '/crm/custom/appointment/later' });
			const conditions = is('={{ $json.details.retryable }}', 'boolean', 'true', '');
			const branch = await remove(
				['gone', 'later'],
				workflowNode('If', 'n8n-nodes-base.if', 2.2, { conditions, options: {} } as INodeParameters),
			);

			expect([0, 1].map(branch)).toEqual([['later'], ['gone']]);
		});
	});

	test('an Error Trigger finds the cause in execution.error.context.details', async () => {
		const trigger = workflowNode('Error Trigger', 'n8n-nodes-base.errorTrigger', 1, {});
		const details = workflowNode('Details', 'n8n-nodes-base.set', 3.4, {
			mode: 'raw',
			jsonOutput: '={{ $json.execution.error.context.details }}',
			options: {},
		});
		const errorWorkflow = await n8n.client.importWorkflow({ name: 'errors', ...inRow(trigger, details) });
		await n8n.client.publish(errorWorkflow);
		// n8n starts an error workflow for production executions only.
		const hook = {
			...workflowNode('Webhook', 'n8n-nodes-base.webhook', 2, { httpMethod: 'POST', path: 'fails' }),
			webhookId: 'fails',
		};
		const deletion = { resource: 'appointment', operation: 'delete', eventId: '={{ $json.body.id }}' };
		const file = nodeWorkflow('conversationIntelligenceAppointments', deletion);
		const failing = await n8n.client.importWorkflow({
			...file,
			...inRow(hook, file.nodes[1]),
			settings: { ...file.settings, errorWorkflow },
		});
		await n8n.client.publish(failing);
		await fetch(`${n8n.url}/webhook/fails`, {
			method: 'POST',
			headers: { 'content-type': 'application/json' },
			body: JSON.stringify({ id: 'nowhere' }),
		});

		expect(await n8n.client.waitForAll(errorWorkflow, 1)).toEqual({ success: 1 });
		const [{ id }] = await n8n.client.executions(errorWorkflow);
		const [{ json }] = itemsOf(await n8n.client.execution(id), 'Details');
		expect(json).toEqual({
			code: 'appointment_not_found',
			retryable: false,
			status: 404,
			item: 0,
			eventId: 'nowhere',
			response: expect.any(String),
		});
	});
});
