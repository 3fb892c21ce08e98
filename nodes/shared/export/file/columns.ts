import { z } from 'zod';

/** One column of a table: its name, and how to find its value in a row. */
export interface Column {
	/** The field, nested ones with dots, e.g. `user.email`. */
	name: string;
	path: string[];
}

/** Name of the last column: what the service sent besides the documented fields, as JSON. */
export const OTHER_FIELDS = 'otherFields';

/**
 * The columns of an object schema, in the document's field order: nested objects flattened with dots; lists and
 * free-form objects stay one column each, because what they hold differs from row to row.
 *
 * @param schema an object schema of the contract
 * @param fields only these top-level fields, in the document's order; all when omitted
 */
export function columnsOf(schema: z.AnyZodObject, fields?: string[]): Column[] {
	const shape = Object.entries(schema.shape as z.ZodRawShape);
	const chosen = fields === undefined ? shape : shape.filter(([key]) => fields.includes(key));
	return chosen.flatMap(([key, field]) => columnsBelow(field, [key]));
}

function columnsBelow(field: z.ZodTypeAny, path: string[]): Column[] {
	if (field instanceof z.ZodNullable || field instanceof z.ZodOptional) {
		const inner: z.ZodTypeAny = field.unwrap();
		return columnsBelow(inner, path);
	}
	if (!(field instanceof z.ZodObject)) return [{ name: path.join('.'), path }];
	const shape = Object.entries(field.shape as z.ZodRawShape);
	return shape.flatMap(([key, inner]) => columnsBelow(inner, [...path, key]));
}
