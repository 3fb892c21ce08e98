import type { IDataObject } from 'n8n-workflow';
import { readColumns } from '../../../../nodes/ConversationIntelligenceAppointments/mapping/appointment';
import type { Item } from '../../../../nodes/shared/node/item';

/** What other nodes add to rows: Data Table, Extract from File, Airtable, Notion, a column without a name. */
const OTHERS = ['id', 'createdAt', 'updatedAt', 'row_number', 'createdTime', 'State', 'url', '', '__EMPTY'];

test.each<[string, IDataObject, IDataObject, string[]?, string[]?]>([
	['its name in any case', { 'START TIME': 'x', endTime: 'y' }, { start_time: 'x', end_time: 'y' }],
	['its label', { 'Event - ID': 'x', Outcome: 'Won' }, { event_id: 'x', result: 'Won' }],
	['a near name', { Attendees: 'x', 'customer.name': 'y' }, { attendee_emails: 'x', customer_name: 'y' }],
	['an invisible character', { '\u200bType': 'x' }, { type: 'x' }],
	['a second column with its label', { Title: 'B', title: 'A' }, { title: 'A' }, ['Title']],
	[
		'a second one in the customer',
		{ customer_name: 'A', customer: { name: 'B', id: 'c-1' } },
		{ customer_name: 'A', customer_id: 'c-1' },
		['customer.name'],
	],
	[
		'another that says the same',
		{ type: ['A'], Type: ['A'], customer_id: 7, customer: { id: 7 } },
		{ type: ['A'], customer_id: 7 },
	],
	['another that is empty', { title: ' ', Title: 'B', Type: null, type: 'C' }, { title: 'B', type: 'C' }],
	[
		'its name, whatever else the row has',
		{ ...Object.fromEntries(OTHERS.map((name) => [name, null])), result: 'Won', type: 'x', price: 1 },
		{ result: 'Won', type: 'x', price: 1 },
		[],
		OTHERS,
	],
])(
	'a field is found by %s, and what says otherwise is named',
	(_, json, expected, ...[doubled = [], unknown = []]) => {
		const context = { getNodeParameter: () => 'autoMapInputData', getInputData: () => [{ json }] };
		const { values, warnings } = readColumns({ context, index: 0, isTool: false } as unknown as Item);
		expect(values).toEqual(expected);
		expect(warnings).toEqual({ columns_doubled: doubled, columns_unknown: unknown, media_url_missing: [] });
	},
);
