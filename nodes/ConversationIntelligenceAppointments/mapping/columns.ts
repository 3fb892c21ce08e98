import type { IDataObject } from 'n8n-workflow';
import { isObject } from '../../shared/node/isObject';
import type { Item } from '../../shared/node/item';
import { isTool } from '../../shared/node/tool';
import { APPOINTMENT_FIELDS, CUSTOMER_PREFIX } from './fields';
import { isUnset } from './values';

/** The columns of one item, before their values are read. */
export interface Columns {
	values: IDataObject;
	/** All columns of the item, when they are mapped automatically. */
	input?: string[];
	/** Unknown columns. */
	unknown: string[];
	/** Columns of a recording in an item without a Media URL. */
	withoutMedia: string[];
}

/** Other tables have such columns too, so they count only with a Media URL. */
const NEEDS_MEDIA = ['recording_type', 'location'];

const NAMES = new Set(APPOINTMENT_FIELDS.map(({ id }) => id));

/** Reads the columns of one item: the panel's values, or those of the item itself. */
export function readColumns({ context, index, json }: Item): Columns {
	// The mapping mode takes no expression, so the first item's applies to all.
	if (context.getNodeParameter('columns.mappingMode', 0, 'defineBelow') === 'autoMapInputData') {
		const columns = inputColumns(json);
		// A tool's item comes from the agent, not from a table.
		return isTool(context.getNode()) ? { ...columns, input: undefined, unknown: [] } : columns;
	}
	// n8n's own conversion would read times without an offset in a zone of its choice, and refuse lists as text.
	const options = { skipValidation: true };
	const values = (context.getNodeParameter('columns.value', index, {}, options) ?? {}) as IDataObject;
	return { values, unknown: [], withoutMedia: [] };
}

/** The columns of an item; a nested `customer` object counts as the customer's columns. */
function inputColumns(input: IDataObject): Columns {
	const { customer, ...rest } = input;
	const isNested = isObject(customer);
	const values: IDataObject = isNested ? rest : { ...input };
	const unknown = Object.keys(values).filter((name) => values[name] !== undefined && !NAMES.has(name));
	for (const [part, value] of Object.entries(isNested ? customer : {})) {
		const name = `${CUSTOMER_PREFIX}${part}`;
		if (!NAMES.has(name)) unknown.push(`customer.${part}`);
		else if (isUnset(values[name])) values[name] = value;
	}
	const withoutMedia = isUnset(values.media_url) ? NEEDS_MEDIA.filter((name) => !isUnset(values[name])) : [];
	for (const name of withoutMedia) delete values[name];
	return { values, input: Object.keys(input), unknown, withoutMedia };
}
