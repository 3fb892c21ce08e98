import type { IDataObject } from 'n8n-workflow';
import type { ListSpec } from './listOperation';
import type { ListRequest } from './reader';

/**
 * The fields of each row that are put out, in the document's order.
 *
 * @returns undefined for all, also those that no document names
 */
export function fieldsToKeep(request: ListRequest, spec: ListSpec): string[] | undefined {
	const { options, simplify } = request;
	const fields: unknown = simplify ? spec.simplified : options.fields;
	if (!Array.isArray(fields) || fields.length === 0) return undefined;
	const documented = Object.keys(spec.schema.shape as object);
	const chosen = new Set([...fields.map(String), ...(spec.kept?.(request) ?? [])]);
	return [...documented.filter((field) => chosen.delete(field)), ...chosen];
}

/** A row with only these fields, in their order; the row itself when all are wanted. */
export function keepFields(row: IDataObject, fields: string[] | undefined): IDataObject {
	if (fields === undefined) return row;
	return Object.fromEntries(fields.filter((field) => field in row).map((field) => [field, row[field]]));
}
