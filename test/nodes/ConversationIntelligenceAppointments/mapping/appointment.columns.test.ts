import fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';
import { readColumns } from '../../../../nodes/ConversationIntelligenceAppointments/mapping/appointment';
import { APPOINTMENT_FIELDS } from '../../../../nodes/ConversationIntelligenceAppointments/mapping/fields';
import type { Item } from '../../../../nodes/shared/node/item';

const FIELDS = APPOINTMENT_FIELDS.map(({ id }) => id).filter((id) => !/^(recording_type|location)$/.test(id));
/** What other nodes add to rows: Data Table, Extract from File, Airtable, Notion, a column without a name. */
const OTHERS = ['id', 'createdAt', 'updatedAt', 'row_number', 'createdTime', 'State', 'url', '', '__EMPTY'];

/** The columns of a row with Map Automatically. */
const columnsOf = (row: IDataObject, known?: string[]) => {
	const context = { getNodeParameter: () => 'autoMapInputData', getInputData: () => [{ json: row }] };
	return readColumns({ context, index: 0, isTool: false } as unknown as Item, known);
};

describe('Map Automatically', () => {
	// Once, a row with any other column lost its outcome and its type.
	test('sends every column with the name of a field, whatever other columns the row has, and names those', () => {
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

	test.each([
		['START TIME', 'start_time'],
		['startTime', 'start_time'],
		['Attendees', 'attendee_emails'],
		['attendeeEmails', 'attendee_emails'],
		['customer.name', 'customer_name'],
		['\u200bType', 'type'],
	])('reads %j as %s', (column, id) => {
		expect(columnsOf({ [column]: 'x' }).values).toEqual({ [id]: 'x' });
	});

	test.each<[string, IDataObject, string[]]>([
		['has a label', { title: 'A', Title: 'B' }, ['Title']],
		['is in the customer', { customer_name: 'A', customer: { name: 'B', id: 'c-1' } }, ['customer.name']],
		['says the same', { title: 'A', Title: 'A', customer_id: 7, customer: { id: 7 } }, []],
		['is empty', { title: 'A', Title: ' ', Outcome: null, result: 'Sold' }, []],
	])('names a second column of a field unless it gives the same or nothing: one that %s', (_, row, named) => {
		expect(columnsOf(row).warnings).toMatchObject({ columns_doubled: named, columns_unknown: [] });
		expect(columnsOf({ title: '', Title: 'B' }).values).toEqual({ title: 'B' });
	});
});
