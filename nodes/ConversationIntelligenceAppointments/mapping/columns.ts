import { jsonParse, type IDataObject } from 'n8n-workflow';
import { isObject } from '../../shared/node/isObject';
import type { Item } from '../../shared/node/item';
import type { Warnings } from '../warnings';
import { APPOINTMENT_FIELDS, CUSTOMER_PREFIX } from './fields';
import { isUnset } from './values';

/** The columns of one item, before their values are read. */
export interface Columns {
	values: IDataObject;
	/** All columns of the item, when they are mapped automatically. */
	input?: string[];
	warnings: Warnings;
}

/** Other tables have such columns too, so they count only with a Media URL. */
const NEEDS_MEDIA = ['recording_type', 'location'];

/** The fields by the names and labels of columns, as {@link plainName} returns them. */
const FIELD_OF = new Map(
	APPOINTMENT_FIELDS.flatMap(({ id, displayName }) => [[id, id] as const, [plainName(displayName), id]]),
);

/**
 * Reads the columns of one item: the panel's values, or those of the item itself. A column with a field's name or label
 * always counts, whatever other columns there are.
 *
 * @param known columns that are read elsewhere, so that they are not named as unknown
 */
export function readColumns({ context, index, isTool }: Item, known: string[] = []): Columns {
	// The mapping mode takes no expression, so the first item's applies to all.
	if (context.getNodeParameter('columns.mappingMode', 0, 'defineBelow') !== 'autoMapInputData') {
		// n8n's own conversion would read times without an offset in a zone of its choice, and refuse lists as text.
		const options = { skipValidation: true };
		return nameColumns((context.getNodeParameter('columns.value', index, {}, options) ?? {}) as IDataObject);
	}
	const { json } = context.getInputData()[index];
	const { values, warnings } = nameColumns(json, known);
	// A tool's item comes from the agent, not from a table.
	if (isTool) return { values, warnings: {} };
	if (isUnset(values.media_url)) {
		warnings.media_url_missing = NEEDS_MEDIA.filter((name) => !isUnset(values[name]));
		for (const name of NEEDS_MEDIA) delete values[name];
	}
	return { values, input: Object.keys(json), warnings };
}

/** Finds the fields by name or by label; a nested `customer` object counts as the customer's columns. */
function nameColumns({ customer, ...columns }: IDataObject, known: string[] = []): Columns {
	const values: IDataObject = {};
	const [unknown, doubled]: string[][] = [[], []];
	const add = (name: string, column: string, value: unknown) => {
		const id = FIELD_OF.get(name);
		if (id === undefined) {
			if (value !== undefined && !known.includes(column)) unknown.push(column);
		} else if (isUnset(values[id])) values[id] = value as IDataObject;
		else if (!isUnset(value) && JSON.stringify(value) !== JSON.stringify(values[id])) doubled.push(column);
	};
	// A column with the field's own name takes precedence over one with its label.
	const own = Object.keys(columns).filter((name) => FIELD_OF.get(name) === name);
	for (const name of new Set([...own, ...Object.keys(columns)])) add(plainName(name), name, columns[name]);
	const whole = typeof customer === 'string' ? jsonParse(customer, { fallbackValue: null }) : customer;
	if (isObject(whole)) {
		for (const [part, value] of Object.entries(whole)) {
			add(`${CUSTOMER_PREFIX}${plainName(part)}`, `customer.${part}`, value);
		}
	}
	const warnings: Warnings = { columns_unknown: unknown, columns_doubled: doubled };
	if (!isUnset(customer) && !isObject(whole)) warnings.customer_unreadable = ['customer'];
	return { values, warnings };
}

/** A label such as `Attendee Emails` as a name such as `attendee_emails`. */
function plainName(label: string): string {
	return label
		.trim()
		.toLowerCase()
		.replace(/[\s-]+/g, '_');
}
