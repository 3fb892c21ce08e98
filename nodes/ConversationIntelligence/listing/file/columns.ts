import { z } from 'zod';

/** One column of a table: its name, and how to find its value in a row. */
export interface Column {
	/** The field, nested ones with dots, e.g. `user.email`. */
	name: string;
	path: string[];
}

/**
 * The columns of an object schema, in the document's field order: nested objects flattened with dots; lists and
 * free-form objects stay one column each, because what they hold differs from row to row.
 *
 * @param schema an object schema of the contract
 * @param fields only these top-level fields, in this order; one that no document names is a column of its own. All
 *   documented ones when omitted
 */
export function columnsOf(schema: z.AnyZodObject, fields?: string[]): Column[] {
	const shape = schema.shape as z.ZodRawShape;
	const chosen = fields ?? Object.keys(shape);
	return chosen.flatMap((key) =>
		Object.hasOwn(shape, key) ? columnsBelow(shape[key], [key]) : [{ name: key, path: [key] }],
	);
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
