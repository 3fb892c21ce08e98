import fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';
import { readColumns } from '../../../../nodes/ConversationIntelligenceAppointments/mapping/appointment';
import { APPOINTMENT_FIELDS } from '../../../../nodes/ConversationIntelligenceAppointments/mapping/fields';
import type { Item } from '../../../../nodes/shared/node/item';

const FIELDS = APPOINTMENT_FIELDS.map(({ id }) => id).filter((id) => !/^(recording_type|location)$/.test(id));
/** What other nodes add to rows: Data Table, Extract from File, Airtable, Notion, a column without a name. */
const OTHERS = ['id', 'createdAt', 'updatedAt', 'row_number', 'createdTime', 'State', 'url', '', '__EMPTY'];

/** The columns of a row with Map Automatically. */
const columnsOf = (json: IDataObject) => {
	const context = { getNodeParameter: () => 'autoMapInputData', getInputData: () => [{ json }] };
	return readColumns({ context, index: 0, isTool: false } as unknown as Item);
};

// Once, a row with any other column lost its outcome and its type.
test('every column with the name of a field is sent, whatever other columns the row has, and those are named', () => {
	const isOther = (name: string) => columnsOf({ [name]: 1 }).warnings.columns_unknown?.length === 1;
	const other = fc.oneof(fc.constantFrom(...OTHERS), fc.string().filter(isOther));
	const value = fc.oneof(fc.string(), fc.integer(), fc.constant(null));
	const row = fc.dictionary(fc.constantFrom(...FIELDS), fc.stringMatching(/^\w+$/), { maxKeys: 20 });
	fc.assert(
		fc.property(row, fc.dictionary(other, value, { noNullPrototype: true }), (fields, others) => {
			const { values, warnings } = columnsOf({ ...others, ...fields });
			expect(values).toEqual({ ...fields });
			expect(warnings.columns_unknown?.sort()).toEqual(Object.keys(others).sort());
		}),
	);
});

test.each<[string, IDataObject, IDataObject, string[]]>([
	['its name in any case', { 'START TIME': 'x', endTime: 'y' }, { start_time: 'x', end_time: 'y' }, []],
	['its label', { 'Event - ID': 'x', Outcome: 'Won' }, { event_id: 'x', result: 'Won' }, []],
	['a near name', { Attendees: 'x', 'customer.name': 'y' }, { attendee_emails: 'x', customer_name: 'y' }, []],
	['an invisible character', { '\u200bType': 'x' }, { type: 'x' }, []],
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
		[],
	],
	['another that is empty', { title: ' ', Title: 'B', Type: null, type: 'C' }, { title: 'B', type: 'C' }, []],
])('a field is found by %s, and what says otherwise is named', (_, row, expected, doubled) => {
	const { values, warnings } = columnsOf(row);
	expect(values).toEqual(expected);
	expect(warnings).toEqual({ columns_doubled: doubled, columns_unknown: [], media_url_missing: [] });
});
