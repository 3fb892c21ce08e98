import type { IDataObject, INodeParameters } from 'n8n-workflow';
import {
	automatic,
	byHand,
	CONVERSATION_ID,
	CREATE,
	DELETE,
	MATCH,
	NO_ATTENDEES,
	processingService,
	SENT,
} from './mapping';

describe('What the output says about an appointment', () => {
	const { service, run, bodies } = processingService();

	const warningsOf = async (parameters: INodeParameters, row: IDataObject = {}) => {
		const { items: output, error } = await run(parameters, row);
		expect(error).toBeUndefined();
		return output[0].json.warnings;
	};

	test.each<[string, IDataObject, string[]]>([
		['nothing', {}, []],
		['an empty list of attendees', { attendee_emails: [] }, [NO_ATTENDEES]],
		['attendees that an expression did not find', { attendee_emails: '={{ $json.none }}' }, [NO_ATTENDEES]],
		['attendees', { attendee_emails: 'b@example.com' }, []],
		[
			'keys that are no fields',
			{ attendees: 'b@example.com', stage: 'won' },
			[
				'Not sent, because appointments have no such field: attendees, stage. Rename these columns, or send them in custom_fields.',
			],
		],
		[
			'a day',
			{ start_time: '2026-03-01', end_time: '20260302' },
			['Start Time, End Time has a date without a time: midnight is sent. Add the time of day.'],
		],
		['milliseconds as text', { start_time: '1772350200000' }, []],
		['a part of the customer', { customer_email: 'c@example.com' }, []],
	])('mapped by hand is right with %s', async (_name, more, warnings) => {
		expect(await warningsOf(byHand({ ...CREATE, ...more }), {})).toEqual(warnings);
	});

	test.each([
		[1, ''],
		[2, ' [Item 0, 1]'],
	])('of %i items is a hint that names them%s', async (count, place) => {
		const rows = Array.from({ length: count }, (_, index) => ({ id: `crm-${index}` }));
		const parameters = byHand({ ...CREATE, event_id: '={{ $json.id }}', attendee_emails: [] });
		const { hints } = await run(parameters, ...rows);
		expect(hints.map(({ message }) => message)).toEqual([NO_ATTENDEES.replace(':', `${place}:`)]);
	});

	test('warns that an update without Attendee Emails drops the attendees, unless Owner Only asks for it', async () => {
		const update = { operation: 'update', options: { ownerOnly: '={{ $json.alone }}' } };
		expect(await warningsOf(byHand(CREATE, update), { alone: false })).toContain(NO_ATTENDEES);
		expect(await warningsOf(byHand(CREATE, update), { alone: true })).not.toContain(NO_ATTENDEES);
	});

	test('is silent about attendees that Owner Only leaves out', async () => {
		const parameters = byHand({ ...CREATE, attendee_emails: '' }, { options: { ownerOnly: true } });
		expect(await warningsOf(parameters)).toEqual([]);
	});

	test('is the same for columns with the labels of the panel', async () => {
		const { event_id, user_email, title, ...rest } = CREATE;
		const labelled = { 'Event ID': event_id, 'User Email': user_email, Title: title, 'Attendee Emails': '' };
		expect(await warningsOf(automatic(), { ...rest, ...labelled })).toEqual([NO_ATTENDEES]);
		expect(await warningsOf(byHand({ ...rest, ...labelled, title: 'Own name' }))).toEqual([NO_ATTENDEES]);
		expect(bodies()).toEqual([SENT, { ...SENT, title: 'Own name' }]);
	});

	test.each<[string, unknown, string[]]>([
		['null', null, []],
		['empty', '', []],
		['JSON', '{"phone":"1"}', []],
		[
			'text',
			'Blue Door',
			[
				'The customer is not sent, because it is not an object. Send the whole customer, as an object or in columns such as customer_id: parts left out may be erased.',
			],
		],
	])('is right about a customer that is %s', async (_name, customer, warnings) => {
		expect(await warningsOf(automatic(), { ...CREATE, customer } as IDataObject)).toEqual(warnings);
		expect((service.seen[0].body?.customer as IDataObject).phone).toBe(
			customer === '{"phone":"1"}' ? '1' : undefined,
		);
	});

	test('shows the name of a column as text, because n8n shows hints as HTML', async () => {
		const column = '<a href="https://evil.example">Session expired</a><img src=x>';
		const { hints } = await run(automatic({ options: { previewOnly: true } }), { ...CREATE, [column]: 'x' });
		expect(hints).toHaveLength(1);
		expect(hints[0].message).toContain(
			'&lt;a href="https://evil.example">Session expired&lt;/a>&lt;img src=x>',
		);
		expect(hints[0].message).not.toContain('<');
	});

	test('names result and type of a table that is not of appointments, which would create an outcome', async () => {
		const own = { result: 'Sold', type: 'Visit' };
		expect(await warningsOf(automatic(), { ...CREATE, ...own })).toEqual([]);
		expect(await warningsOf(automatic(), { ...CREATE, ...own, stage: 'won' })).toEqual([
			expect.stringContaining('no such field: stage.'),
			expect.stringMatching(
				/^Not sent, because the input also has columns that are not of an appointment: result, type\./,
			),
		]);
		expect(bodies()).toEqual([{ ...SENT, ...own }, SENT]);
	});

	test('names rows that share an ID, in their output and in one hint', async () => {
		const rows = ['crm-', 'a', 'crm-', 'crm-'].map((event_id) => ({ ...CREATE, event_id }));
		const { items: output, hints } = await run(automatic(), ...rows);
		const shared =
			'3 items have Event ID "crm-". Check the expression of the ID, unless they are the same appointment: the last one wins.';
		expect(output.map(({ json }) => json.warnings)).toEqual([[shared], [], [shared], [shared]]);
		expect(hints.map(({ message }) => message)).toEqual([shared]);
		const deleted = await run(DELETE, { id: 'x' }, { id: 'x' });
		expect(deleted.items[0].json.warnings).toEqual([expect.stringContaining('2 items have Event ID "x"')]);
	});

	test('names items that match one conversation with different appointments, because only the last link stays', async () => {
		const conversation = ['B', 'a', 'b', 'a', 'c'].map((last) => `${CONVERSATION_ID.slice(0, -1)}${last}`);
		const rows = ['x', 'y', 'z', 'y', 'y'].map((id, index) => ({ id, conversation: conversation[index] }));
		service.respond([{ status: 200, body: 'Successfully matched conversation to event' }]);
		const { items: output, hints } = await run(
			{ ...MATCH, conversationId: '={{ $json.conversation }}' },
			...rows,
		);
		const shared = `2 Event IDs are matched with the conversation "${conversation[2]}". Check the expressions of both IDs: only the last link stays.`;
		expect(output.map(({ json }) => json.warnings)).toEqual([[shared], [], [shared], [], []]);
		expect(hints.map(({ message }) => message)).toEqual([shared]);
	});

	test.each([
		[10, ''],
		[12, ' and 2 more'],
	])('names at most ten of %i shared IDs in the hint', async (count, more) => {
		const rows = Array.from({ length: 2 * count }, (_, index) => ({
			...CREATE,
			event_id: `e-${index % count}`,
		}));
		const { hints } = await run(automatic(), ...rows);
		const named = Array.from({ length: 10 }, (_, index) => `2 items have Event ID "e-${index}"`);
		expect(hints[0].message).toContain(`${named.join(', ')}${more}. Check`);
	});

	test('refuses options of the wrong type on any item', async () => {
		const parameters = automatic({ options: { previewOnly: '={{ $json.preview }}' } });
		const { error } = await run(parameters, { ...CREATE, preview: true }, { ...CREATE, preview: 'true' });
		expect(error?.message).toBe('Preview Only must be true or false (it is "true") (Event ID "crm-1")');
		const paced = automatic({ options: { concurrency: '={{ $json.n }}' } });
		const slow = await run(paced, { ...CREATE, n: 3 }, { ...CREATE, n: 0.5 });
		expect(slow.error?.message).toContain(
			'Max Parallel Requests must be a whole number from 1 to 50 (it is 0.5)',
		);
		expect(service.seen).toEqual([]);
	});

	test.each([
		['price', 'Price'],
		['custom_fields', 'Custom Fields'],
		['result', 'Result'],
	])('refuses to clear %s, which the service cannot', async (field, label) => {
		const { error } = await run(automatic({ options: { fieldsToClear: [field] } }), CREATE);
		expect(error?.message).toBe(`${label} cannot be cleared (Event ID "crm-1")`);
		expect(error?.context?.details).toMatchObject({ code: 'field_not_clearable', field: 'Fields to Clear' });
		expect(service.seen).toEqual([]);
	});
});
