import type { IDataObject } from 'n8n-workflow';
import { isObject } from '../node/isObject';

/** Fields of a flat row, so that it fits into any table, and where their values are: object, then field in it. */
export const FLAT = new Map<string, [object: string, part: string]>([
	['userName', ['user', 'name']],
	['userEmail', ['user', 'email']],
	['customerName', ['customer', 'name']],
	['customerEmail', ['customer', 'email']],
	['customerPhone', ['customer', 'phone']],
]);

/** The fields of a simplified conversation. */
export const SIMPLIFIED_CONVERSATION = [
	'conversationId',
	'date',
	'processedDate',
	'title',
	'duration',
	'crmEventID',
	'userName',
	'userEmail',
	'totalSold',
	'outcome',
	'jobSummary',
	'serviceUrl',
];

/** A row with exactly these fields, in their order, null where it has none; the row itself when all are wanted. */
export function keepFields(row: IDataObject, fields: string[] | undefined): IDataObject {
	if (fields === undefined) return row;
	return Object.fromEntries(
		fields.map((field) => [field, (fieldIn(row, field) ?? null) as IDataObject[string]]),
	);
}

/** A value of a row by its flat or dotted name, e.g. `userName`, `user.name`; undefined if the row has none. */
export function fieldIn(row: IDataObject, field: string): unknown {
	const flat = FLAT.get(field);
	return flat && !Object.hasOwn(row, field) ? valueAt(row, flat) : valueNamed(row, field);
}

/** A key can itself contain dots, as in `customFields.Est. Value`: the longest one counts that the object has. */
function valueNamed(value: unknown, name: string): unknown {
	if (!isObject(value)) return undefined;
	for (let end = name.length; end > 0; end = name.lastIndexOf('.', end - 1)) {
		const key = name.slice(0, end);
		if (!Object.hasOwn(value, key)) continue;
		const found = end === name.length ? value[key] : valueNamed(value[key], name.slice(end + 1));
		if (found !== undefined) return found;
	}
	return undefined;
}

/** The value below these keys; undefined if there is none. */
export function valueAt(row: IDataObject, path: string[]): unknown {
	let value: unknown = row;
	for (const key of path) {
		if (!isObject(value) || !Object.hasOwn(value, key)) return undefined;
		value = value[key];
	}
	return value;
}
