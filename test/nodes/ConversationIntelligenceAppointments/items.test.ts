import fc from 'fast-check';
import type { IDataObject, INodeExecutionData, INodeParameters } from 'n8n-workflow';
import { sentencesOf, type Warnings } from '../../../nodes/ConversationIntelligenceAppointments/itemWarnings';
import { DEFAULT_CONCURRENCY } from '../../../nodes/ConversationIntelligenceAppointments/appointmentParameters';
import { mappedByHand } from '../../support/columns';
import {
	automatic,
	byHand,
	CONVERSATION_ID,
	CREATE,
	DELETE,
	MATCH,
	OWNER,
	processingService,
	UPDATE,
} from './mapping';

const { service, run, runTool, bodies } = processingService();
const TRY_ALL = { continueOnFail: true };
const resultsOf = (items: INodeExecutionData[]) =>
	items.map(({ json }) => (json.action ?? json.details) as IDataObject | string);

// test/nodes/shared/{node/operations,base/concurrency.runKeyed,http/limiter}.test.ts hold what is the same for all operations.
describe('Many items', () => {
	const columns = mappedByHand({
		...{ event_id: '={{ $json.id }}', user_email: 'ana@example.com', attendee_emails: 'ben@example.com' },
		...{ result: '={{ $json.result }}', price: '={{ $json.price }}' },
	});
	const rowsOf = (count: number) =>
		Array.from({ length: count }, (_, index) => ({ id: `e-${index}`, result: `r-${index}`, price: 1 }));

	test('are sent ten at first, then in parallel up to the default, and returned in input order', async () => {
		let atFirst = 0;
		// After the start, responses wait until all parallel requests have arrived, and long enough to notice one too many.
		service.respond(async (_request, index) => {
			if (index < 10) await service.waitForRequests(10);
			if (index === 10) atFirst = service.maxInFlight;
			if (index >= DEFAULT_CONCURRENCY) await service.waitForRequests(2 * DEFAULT_CONCURRENCY);
			return { status: 200, delayMs: 20 };
		});
		const rows = rowsOf(3 * DEFAULT_CONCURRENCY);
		const { items } = await run({ ...UPDATE, columns }, rows);
		expect([atFirst, service.maxInFlight]).toEqual([10, DEFAULT_CONCURRENCY]);
		expect(items.map(({ json, pairedItem }) => [(json.sent as IDataObject).result, pairedItem])).toEqual(
			rows.map(({ result }, item) => [result, { item }]),
		);
	});

	test.each([UPDATE, DELETE])(
		'are sent by the lowest Max Parallel Requests and Requests per Second of all: %j',
		async (operation) => {
			service.respond(async () => (await service.waitForRequests(4), { status: 200, delayMs: 20 }));
			await run({ ...operation, options: { concurrency: '={{ $json.id === "e-7" ? 4 : 9 }}' } }, rowsOf(30));
			expect(service.maxInFlight).toBe(4);
			service.respond((_request, index) => ({ status: index === 3 ? 500 : 200 }));
			const start = Date.now();
			const options = { requestsPerSecond: '={{ $json.id === "e-7" ? 40 : 0 }}' };
			await run({ ...operation, options }, rowsOf(12));
			// A slow machine can only lengthen this.
			expect(Date.now() - start).toBeGreaterThanOrEqual(12 * 25);
			expect(service.seen).toHaveLength(13);
		},
	);

	// Once, one departed rep as row 5 of 300 left 255 rows unsent, at each run the same.
	test('are all tried, then the run fails and names each refused one, with all of its mistakes', async () => {
		service.respond(({ body }) => ({ status: body?.event_id === 'e-5' ? 400 : 200 }));
		const wrong = { result: 'null', price: 'dear' };
		const rows = rowsOf(60).map((row) => ({ ...row, ...(row.id === 'e-50' && wrong) }));
		const { error } = await run({ ...UPDATE, columns }, rows);
		expect(new Set(service.seen.map(({ body }) => body?.event_id)).size).toBe(59);
		expect(error?.message).toMatch(/^2 of 60 items failed: /);
		expect(error?.description).toMatch(
			/<br \/>e-50 \[Item 50\]: .*Outcome "null" stands for a missing value\..*Price "dear" is not a number\./,
		);
		expect(error?.context?.details).toMatchObject({
			code: 'items_failed',
			causes: [
				{ code: 'appointment_refused', eventId: 'e-5', item: 5 },
				{ code: 'fields_refused', eventId: 'e-50', item: 50 },
			],
		});
	});

	test('follow each its own options and values', async () => {
		const options = {
			...{ repOnly: '={{ $json.alone }}', previewOnly: '={{ $json.preview }}' },
			...{ timeZone: '={{ $json.zone }}', concurrency: 1 },
		};
		const others = { alone: false, preview: false, zone: 'UTC' };
		const start_time = '2026-07-01 09:00:00';
		const value = { ...OWNER, event_id: '={{ $json.id }}', start_time, attendee_emails: 'b@example.com' };
		const { items } = await run(byHand(value, { operation: 'update', options }), [
			{ ...others, id: 'a', zone: 'Europe/Berlin' },
			{ ...others, id: 'b', alone: true },
			{ ...others, id: 'c', preview: true },
		]);
		const sent = { ...OWNER, start_time, attendee_emails: ['b@example.com'] };
		expect(bodies()).toEqual([
			{ ...sent, event_id: 'a', start_time: '2026-07-01 07:00:00' },
			{ ...sent, event_id: 'b', attendee_emails: [] },
		]);
		expect(items.map(({ json }) => [json.warnings, json.action])).toEqual([
			[[], undefined],
			[[], undefined],
			[[], 'would_update'],
		]);
	});

	test('follow each its own Treat Missing as Deleted', async () => {
		service.respond(() => ({ status: 404, body: 'Appointment not found' }));
		const options = { missingIsDeleted: '={{ $json.id === "b" }}' };
		const { items } = await run({ ...DELETE, options }, [{ id: 'a' }, { id: 'b' }, { id: 'c' }], TRY_ALL);
		const missing = { details: { code: 'appointment_not_found' } };
		expect(items.map(({ json }) => json)).toMatchObject([missing, { existed: false }, missing]);
	});

	// n8n repeats all items of a node. Once, three recordings were sent beside one refused row, and nothing said why.
	test('with Retry On Fail, send recordings again beside a refused row, and the error says so', async () => {
		const recording = { media_url: 'https://m.x/a', recording_type: 'CALL_AUDIO', attendee_emails: '' };
		const rows = [
			{ ...CREATE, ...recording },
			{ ...CREATE, event_id: 'crm-2', title: '' },
		];
		const settings = { retryOnFail: true, waitBetweenTries: 0 };
		const { error } = await run(automatic(), rows, { settings });
		expect(service.seen).toHaveLength(3);
		const [warning] = sentencesOf({ media_repeated: ['crm-1'] });
		expect(warning).toContain('Retry On Fail sends recordings again: crm-1.');
		expect(error?.description).toContain(warning);
		const { items } = await run(automatic(), rows.slice(0, 1), { settings });
		expect(items[0].json.warnings).not.toContain(warning);
	});

	const CONVERSATIONS = ['B', 'a', 'b', 'a'].map((last) => `${CONVERSATION_ID.slice(0, -1)}${last}`);
	const SHARED = { event_id_shared: ['"y" [Item 1, 3]'] };
	test.each<[INodeParameters, Warnings, number[]]>([
		[
			{ ...MATCH, conversationId: '={{ $json.conversation }}' },
			{ conversation_shared: [`"${CONVERSATIONS[2]}" [Item 0, 2]`] },
			[0, 2],
		],
		[byHand({ ...CREATE, event_id: '={{ $json.id }}' }), SHARED, [1, 3]],
		[DELETE, SHARED, [1, 3]],
	])(
		'of %j that share a key are named in their output and in one hint: %j',
		async (parameters, warnings, shared) => {
			service.respond([{ status: 200, body: 'Successfully matched conversation to event' }]);
			const rows = ['x', 'y', 'z', 'y'].map((id, index) => ({ id, conversation: CONVERSATIONS[index] }));
			const { items, hints } = await run(parameters, rows);
			const [message] = sentencesOf(warnings);
			expect(items.map(({ json }) => json.warnings)).toEqual(
				rows.map((_, index) => (shared.includes(index) ? [message] : [])),
			);
			expect(hints).toEqual([{ message, location: 'outputPane', type: 'warning' }]);
		},
	);
});

describe('Preview Only', () => {
	const RIGHT = { ...CREATE, event_id: 'e-1' };
	const WRONG = { ...CREATE, event_id: 'e-2', title: '' };
	const NOTHING = 'Nothing was sent, because Preview Only is on';
	const preview = automatic({ options: { previewOnly: '={{ $json.price !== 7 }}' } });

	test.each(['manual', 'trigger'] as const)(
		'of a %s run returns rejected rows too, says that nothing was sent, and fails no run',
		async (mode) => {
			const { items, hints, error } = await run(preview, [RIGHT, WRONG], { mode });
			expect([error, service.seen]).toEqual([undefined, []]);
			const warnings = mode === 'manual' ? [] : [expect.stringMatching(`^${NOTHING}\\.`)];
			const would_send = { title: CREATE.title, start_time: '2026-03-01T07:30:00Z' };
			expect(items.map(({ json, pairedItem }) => [json, pairedItem])).toMatchObject([
				[{ action: 'would_book', event_id: 'e-1', would_send, warnings }, { item: 0 }],
				[
					{
						...{ action: 'rejected', event_id: 'e-2', error: 'Title is missing (Event ID "e-2")', warnings },
						details: { code: 'new_field_missing', field: 'Title', item: 1 },
					},
					{ item: 1 },
				],
			]);
			const banner = `${NOTHING} (e-1 [Item 0], e-2 [Item 1]).`;
			expect(hints).toMatchObject([{ message: expect.stringContaining(banner) as string, type: 'warning' }]);
		},
	);

	test('of some rows does not count as processed when another row fails', async () => {
		const { error } = await run(preview, [RIGHT, { ...WRONG, price: 7 }]);
		expect(error?.description).toMatch(
			/<br \/>0 of 2 items were processed\.<br \/>Warnings:<br \/>Nothing was sent, because Preview Only is on \(e-1 \[Item 0\]\)/,
		);
	});
});

// rows.test.ts holds what becomes of a row by its status.
describe('Sync Appointments', () => {
	const sync = (more: INodeParameters = {}) =>
		automatic({ operation: 'sync', status: '={{ $json.status }}', ...more });
	const row = (event_id: string, status: unknown, more: IDataObject = {}) =>
		({ ...CREATE, event_id, status, ...more }) as IDataObject;
	const chosen = (mode: string, value: string): INodeParameters => ({ __rl: true, mode, value });
	const twoColumns = '={{ $json["Visit status"] ?? $json?.state }}';

	test.each<[string, INodeParameters | string, (state: string) => IDataObject, string[]]>([
		['a chosen column', chosen('list', 'Stage'), (Stage) => ({ Stage, status: 'x' }), ['status']],
		['the column "status" in any case', chosen('list', ''), (Status) => ({ Status }), []],
		['the first column that is not empty', chosen('list', ''), (Status) => ({ STATUS: ' ', Status }), []],
		['an expression', chosen('value', '={{ $json.state }}'), (state) => ({ state }), []],
		['a plain value', '={{ $json.State }}', (State) => ({ State, stage: 1 }), ['stage']],
		['two columns', twoColumns, (state) => ({ 'Visit status': state, state: 1, stage: 2 }), ['stage']],
		['a part', '={{ $input.item.json.fields.state }}', (state) => ({ fields: { state } }), []],
	])('reads the status of %s, which is no unknown column', async (_, status, given, unknown) => {
		const states = ['booked', 'cancelled'].map(given);
		const rows = states.map((more, index) => ({ ...CREATE, event_id: `e-${index}`, ...more }));
		const { items } = await run(sync({ status }), rows);
		expect(items.map(({ json }) => [json.action, json.warnings])).toEqual([
			['booked', sentencesOf({ columns_unknown: unknown })],
			['deleted', []],
		]);
	});

	test('sends nothing if no row has a status, and names a broken expression', async () => {
		const rows = [row('e-1', undefined), row('e-2', ' ')];
		for (const [status, code] of [
			[chosen('list', ''), 'status_missing'],
			[chosen('value', '={{ $("Nowhere").item.json.status }}'), 'n8n_error'],
		] as const) {
			const { items } = await run(sync({ status }), rows, TRY_ALL);
			expect(resultsOf(items)).toMatchObject([{ code }, { code }]);
		}
		expect(service.seen).toEqual([]);
	});

	test('reads both lists of statuses for each item, and names the Event ID of a row in neither', async () => {
		const lists = sync({ cancelledStatuses: '={{ $json.no }}', bookedStatuses: '={{ $json.yes }}' });
		const rows = [
			row('e-0', 'gone', { no: 'gone, off', yes: 'on' }),
			row('e-1', 'gone', { no: 'off', yes: 'gone' }),
			row('e-2', 'gone', { no: 'off', yes: 'on' }),
			row('e-3', 'gone', { no: 'off' }),
		];
		const { items } = await run(lists, rows, TRY_ALL);
		expect(resultsOf(items)).toEqual([
			'deleted',
			'booked',
			expect.objectContaining({ code: 'status_unknown', field: 'Status', eventId: 'e-2' }),
			expect.objectContaining({ code: 'expression_empty', field: 'Booked Statuses', eventId: 'e-3' }),
		]);
		expect(items[2].json.error).toMatch(
			/^Status "gone" is in neither Cancelled Statuses nor Booked Statuses/,
		);
	});

	// Once, two nodes without an order between them: a row that was cancelled and booked again ended deleted.
	test('sends a row only after the earlier ones of its Event ID, even if they are retried', async () => {
		const failed = { status: 500, headers: { 'retry-after': '0' } };
		service.respond((_request, index) => (index === 0 ? failed : { status: 200 }));
		await run(sync(), [row('e-1', 'cancelled'), row('e-1', 'booked')]);
		expect(service.seen.map(({ method }) => method)).toEqual(['DELETE', 'DELETE', 'POST']);
	});
});

describe('A refusal', () => {
	const EMPTY = { event_id: '', user_email: '', title: '' };
	const IN_EST = automatic({ options: { timeZone: 'EST' } });
	test.each<[headline: string, INodeParameters, IDataObject, description: RegExp]>([
		[
			'Price, Event ID, Rep Email, Start Time, End Time, Customer ID, Customer Name cannot be sent',
			automatic(),
			{ id: 'crm-1', price: 'x', title: 'Roof inspection' },
			/^Price "x" is not .*<br \/>Event ID is missing\. .*<br \/>Customer Name is missing\. .*<br \/>Columns of the input: id, price, title\. Nothing /,
		],
		[
			'Title is missing (Event ID "crm-1")',
			automatic(),
			{ ...CREATE, title: '' },
			/\. Columns of the input: event_id, /,
		],
		[
			'Event ID, Rep Email, Start Time, End Time, Title, Customer ID, Customer Name are missing',
			automatic(),
			{},
			/^Enter a value, .*<br \/>Map every .*<br \/>Columns of the input: none\. Nothing of /,
		],
		['Time Zone: "EST" is not a known time zone (Event ID "crm-1")', IN_EST, CREATE, /, or UTC\.$/],
		[
			'Event ID, Rep Email, Title are missing',
			byHand({ ...CREATE, ...EMPTY }),
			{},
			/^Enter a value, [^.]*\.<br \/>Map every required field, or use Update [^.]*\. Nothing of this item was sent\.$/,
		],
	])(
		'has the headline %j, lists everything once and names the columns of a table',
		async (headline, ...given) => {
			const [parameters, row, description] = given;
			const { error } = await run(parameters, [row]);
			expect(error?.message).toBe(headline);
			expect(error?.description).toMatch(description);
			expect(service.seen).toEqual([]);
		},
	);

	// n8n's toast shows the message of an error as HTML, and its panel the hints.
	test('has no tag, nor has a hint, whatever the row and the service have', async () => {
		const TAG = `<a href="https://evil.example" style='position:fixed;inset:0'>Session expired</a>`;
		const parts = [TAG, '<', '</p>', '&lt;', '2026-03-01', 'a@b.example', ' ', '<!--'];
		const columns = [...Object.keys(CREATE), 'price', 'media_url', 'custom_fields', 'owner', TAG];
		const hostile = fc.array(fc.constantFrom(...parts)).map((some) => some.join(''));
		const values = fc.dictionary(fc.constantFrom(...columns), hostile, { minKeys: 1 });
		const preview = automatic({ operation: 'update', options: { previewOnly: true } });
		const deleting: INodeParameters = { ...DELETE, eventId: '={{ $json.event_id }}' };
		const operation = fc.constantFrom(automatic(), preview, deleting);
		const statuses = fc.constantFrom(400, 403, 404, 422, 451);
		await fc.assert(
			fc.asyncProperty(operation, values, statuses, async (parameters, row, status) => {
				service.respond([{ status, body: `No ${TAG}` }]);
				const { error, hints } = await run(parameters, [{ ...CREATE, ...row }]);
				const shown = [error?.message, error?.description, ...hints.map(({ message }) => message)];
				expect(shown.filter((text) => /<(?!br \/>)[a-z/!?]/i.test(text ?? ''))).toEqual([]);
				if (parameters !== preview) expect(error?.context?.details).toMatchObject({ retryable: false });
			}),
			{ examples: [[preview, { [TAG]: 'x' }, 400]] },
		);
	});
});

describe('The tool of an AI agent', () => {
	test('says in one text what is wrong and what to do, because n8n shows a model nothing else', async () => {
		service.respond([{ status: 409, body: 'Has a recording' }]);
		const { error } = await runTool(DELETE, { id: 'crm-1' });
		expect(error?.message).toMatch(
			/ cannot be deleted\. Status 409: "Has a recording"\. .*Keep it: [^.]*\.$/,
		);
		expect(error?.message).not.toContain('crm-1');
		expect(error?.description).toBeUndefined();
		const { items } = await runTool(DELETE, { id: 'crm-1' }, TRY_ALL);
		const details = { code: 'appointment_has_recording', eventId: 'crm-1' };
		expect(items[0].json).toMatchObject({ error: error?.message, message: '', details });
		const refused = await runTool(byHand({ ...CREATE, start_time: 'soon', title: '' }));
		expect(refused.error?.message).toMatch(
			/^Start Time, Title cannot be sent\. Start Time must .*\nTitle is missing\./,
		);
	});

	test("ignores the agent's own columns when it maps automatically", async () => {
		const agent = { chatInput: 'Book it', sessionId: '1', toolCallId: 'call_1' };
		const { items } = await runTool(automatic(), { ...agent, ...CREATE, location: 'Denver' });
		expect(bodies()).toMatchObject([{ title: CREATE.title, location: 'Denver' }]);
		expect(bodies()[0]).not.toHaveProperty('chatInput');
		expect(items[0].json.warnings).toEqual([]);
		const { error } = await runTool(automatic(), agent);
		expect(error?.context?.details).toMatchObject({ code: 'required_fields_missing' });
		expect(error?.message).not.toMatch(/toolCallId|chatInput/);
	});
});

test("mapped values are read by the node itself, by labels, not by n8n's conversion of the fields' types", async () => {
	const { title, ...rest } = {
		...CREATE,
		start_time: '2026-07-01 09:00:00',
		attendee_emails: ['b@example.com'],
	};
	const types = { start_time: 'dateTime', attendee_emails: 'string' };
	const schema = Object.entries(types).map(([id, type]) => ({ id, type, displayName: id, display: true }));
	const columns = { ...mappedByHand({ ...rest, Title: title }), schema } as INodeParameters;
	await run(byHand({}, { columns, options: { timeZone: 'Europe/Berlin' } }));
	const sent = { start_time: '2026-07-01 07:00:00', attendee_emails: ['b@example.com'], title };
	expect(bodies()).toMatchObject([sent]);
});
