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

/** Where the value of a field is: of a flat name such as `userName` or `user.name`, in an object of the row. */
export function pathOf(field: string): string[] {
	return FLAT.get(field) ?? field.split('.');
}

/** A value of a row by its name, dots included; undefined if the row has none. */
export function fieldIn(row: IDataObject, field: string): unknown {
	return Object.hasOwn(row, field) ? row[field] : valueAt(row, pathOf(field));
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
