import type { IDataObject, INode, INodeParameters } from 'n8n-workflow';
import { errorOf, itemsOf } from '../../harness/n8n/execution';
import { inRow, workflowNode, type WorkflowFile } from '../../harness/n8n/workflowFile';
import { activeUsers, appointment, matchConversation, sendAppointment } from '../../harness/sendAppointment';
import { outputSchemas } from '../../scripts/outputSchemas';
import { columns } from '../../scripts/tables';
import { MAPPED_AUTOMATICALLY, mappedByHand } from '../support/columns';
import { ALL_TIME, behind, fedWorkflow, NODE, nodeWorkflow } from '../support/exportWorkflow';
import { useTestbed } from '../support/testbed';

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

/** A node of n8n, with the name of its type. */
const built = (type: string, version: number, parameters: object): INode =>
	workflowNode(type, `n8n-nodes-base.${type}`, version, parameters as INodeParameters);
/** Inserts its items into a table, by the names of the columns. */
const insertInto = (value: string) =>
	built('dataTable', 1.1, {
		...{ resource: 'row', operation: 'insert', dataTableId: { __rl: true, mode: 'name', value } },
		...{ columns: MAPPED_AUTOMATICALLY, options: {} },
	});
const appointments = (operation: string, parameters: object) =>
	nodeWorkflow(
		'conversationIntelligenceAppointments',
		{ resource: 'appointment', operation, ...parameters },
		TO_ERROR_OUTPUT,
	);

jest.setTimeout(120_000);

describe('The nodes beside their neighbours in a real n8n', () => {
	const { sandbox, n8n } = useTestbed({ conversations: 120 });

	/** Runs a workflow, and returns what leaves a node. */
	const run = async (file: WorkflowFile) => {
		const execution = await n8n.client.run(file);
		expect(errorOf(execution)).toBeUndefined();
		return (node = NODE, output = 0) => itemsOf(execution, node, output).map(({ json }) => json);
	};
	const runList = async (parameters: INodeParameters, ...nodes: INode[]) =>
		await run(
			behind(
				nodeWorkflow('conversationIntelligence', { ...ALL_TIME, ...parameters }, TO_ERROR_OUTPUT),
				nodes,
			),
		);
	const createTable = async (name: string, columnsOf: readonly object[]) =>
		await n8n.client.session.api('POST', '/data-tables', { name, columns: columnsOf });

	test.each([...LISTS, ...ROWS_FOR])(
		'a Data Table with automatic mapping stores every row of %s',
		async (name, list, columnsOf) => {
			await createTable(name, columnsOf);
			const json = await runList({ ...list, returnAll: true }, insertInto(name));
			expect(json().length).toBeGreaterThan(1);
			const stored = await n8n.client.tableRows<IDataObject>(name);
			expect(stored).toEqual(json().map((row) => expect.objectContaining(row)));
			expect(json(NODE, 1)).toEqual([]);
		},
	);

	test.each(['csv', 'xlsx'])(
		'Convert to File writes every row into %s, and Extract from File reads them back',
		async (operation) => {
			const json = await runList(
				{ resource: 'conversation', operation: 'getAll', limit: 20 },
				built('convertToFile', 1.1, { operation, options: {} }),
				// Convert to File begins a CSV with a byte-order mark.
				built('extractFromFile', 1, { operation, options: { enableBOM: true } }),
			);
			const cell = (value: unknown) => (operation === 'csv' ? String(value ?? '') : (value ?? ''));
			const cells = (row: IDataObject) => Object.keys(json()[0]).map((name) => cell(row[name]));
			expect(json()).toHaveLength(20);
			expect(json('extractFromFile').map(cells)).toEqual(json().map(cells));
		},
	);

	// D2-RULE-01
	test('the dates of a spreadsheet, as numbers and as their texts, are times in the zone of the workflow', async () => {
		const [user_email] = activeUsers(sandbox);
		await sendAppointment(sandbox, appointment(sandbox, 1, { event_id: 'sheet', user_email }));
		const mapped = mappedByHand({
			...{ event_id: 'sheet', user_email, attendee_emails: user_email },
			...{ start_time: '={{ $json.start }}', end_time: '={{ $json.end }}' },
		});
		const sheet = { operation: 'xlsx', options: {} };
		const fed = fedWorkflow(
			[{ start: 46082.354166666664, end: '46082.395833333336' }],
			appointments('update', { columns: mapped }),
			built('convertToFile', 1.1, sheet),
			built('extractFromFile', 1, sheet),
		);
		await run({ ...fed, settings: { ...fed.settings, timezone: 'Europe/Berlin' } });
		const stored = sandbox.control.appointments().find(({ event_id }) => event_id === 'sheet');
		expect(stored).toMatchObject({ start_time: '2026-03-01 07:30:00', end_time: '2026-03-01 08:30:00' });
	});

	// Once, Data Table's own columns kept Outcome and Type from being sent.
	test('Sync Appointments takes the rows of a Data Table, whose own columns change nothing', async () => {
		const { customer, ...visit } = appointment(sandbox, 1);
		const more = { customer_id: customer.id, customer_name: customer.name, result: 'Sold', type: 'Roof' };
		const row = { ...visit, ...more, event_id: 'table', State: 'Confirmed' };
		await createTable(
			'visits',
			Object.keys(row).map((column) => ({ name: column, type: 'string' })),
		);
		const sync = { status: { __rl: true, mode: 'list', value: 'State' }, columns: MAPPED_AUTOMATICALLY };
		const json = await run(fedWorkflow([row], appointments('sync', sync), insertInto('visits')));
		expect(json()).toEqual([
			expect.objectContaining({
				action: 'booked',
				sent: expect.objectContaining({ event_id: 'table', result: 'Sold', type: 'Roof' }),
				warnings: expect.arrayContaining([
					expect.stringContaining('no field with that name: id, createdAt, updatedAt.'),
				]),
			}),
		]);
	});

	test('n8n keeps rows with a field named error off the error output', async () => {
		const list = { resource: 'recording', operation: 'getMissing', output: 'selectedFields' };
		const json = await runList({ ...list, fields: ['error'], limit: 3 }, built('noOp', 1, {}));
		expect(json().map((row) => 'error' in row)).toEqual([true, true, true]);
		expect(json(NODE, 1)).toEqual([]);
	});

	describe('an error output', () => {
		const is = (leftValue: string, type: string, operation: string, rightValue: string) => ({
			options: { caseSensitive: true, typeValidation: 'strict', version: 2 },
			conditions: [{ leftValue, rightValue, operator: { type, operation, singleValue: rightValue === '' } }],
			combinator: 'and',
		});
		/** Deletes appointments with a node behind the error output. Returns the IDs of each of its outputs. */
		const remove = async (ids: string[], branch: INode) => {
			const file = appointments('delete', { eventId: '={{ $json.id }}' });
			const rows = ids.map((id) => ({ id }));
			const json = await run(behind(fedWorkflow(rows, file), [built('noOp', 1, {})], [branch]));
			return [0, 1, 2].map((output) => json(branch.name, output).map(({ id }) => id));
		};

		test('Switch has a branch for each code', async () => {
			for (const event_id of ['free', 'recorded']) {
				await sendAppointment(sandbox, appointment(sandbox, 0, { event_id }));
			}
			await matchConversation(sandbox, 'recorded', sandbox.control.conversationIds(1)[0]);
			const values = ['appointment_not_found', 'appointment_has_recording'].map((code) => ({
				conditions: is('={{ $json.details.code }}', 'string', 'equals', code),
			}));
			const rules = { mode: 'rules', rules: { values }, options: { fallbackOutput: 'extra' } };
			const branches = await remove(['free', 'gone', 'recorded', '..'], built('switch', 3.2, rules));
			expect(branches).toEqual([['gone'], ['recorded'], ['..']]);
		});
	});

	test('an Error Trigger finds the cause in execution.error.context.details', async () => {
		const cause = { mode: 'raw', jsonOutput: '={{ $json.execution.error.context.details }}', options: {} };
		const chain = inRow(built('errorTrigger', 1, {}), built('set', 3.4, cause));
		const errorWorkflow = await n8n.client.publish({ name: 'errors', ...chain });
		// n8n starts an error workflow for production executions only.
		const hook = { ...built('webhook', 2, { httpMethod: 'POST', path: 'fails' }), webhookId: 'fails' };
		const { nodes, settings } = appointments('delete', { eventId: '={{ $json.body.id }}' });
		const failing = inRow(hook, { ...nodes[1], onError: undefined });
		await n8n.client.publish({ name: 'fails', ...failing, settings: { ...settings, errorWorkflow } });
		await fetch(`${n8n.url}/webhook/fails`, {
			method: 'POST',
			headers: { 'content-type': 'application/json' },
			body: JSON.stringify({ id: 'nowhere' }),
		});

		expect(await n8n.client.waitForAll(errorWorkflow, 1)).toEqual({ success: 1 });
		const [{ json }] = itemsOf(await n8n.client.latest(errorWorkflow));
		const known = { code: 'appointment_not_found', retryable: false, status: 404 };
		expect(json).toEqual({ ...known, item: 0, eventId: 'nowhere', response: expect.any(String) });
	});
});
