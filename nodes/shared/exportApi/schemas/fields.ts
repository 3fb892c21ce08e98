import { z } from 'zod';

/** An object of the service, which may have more keys than the API documentation names. */
export function object<Shape extends z.ZodRawShape>(shape: Shape) {
	return z.object(shape).passthrough();
}

const DATES = new WeakSet<z.ZodTypeAny>();

function asDate(field: z.ZodString): z.ZodString {
	DATES.add(field);
	return field;
}

/** Whether a field is a point in time, ISO 8601. */
export const isDateField = (field: z.ZodTypeAny) => DATES.has(field);

/** The kinds of fields that a row of a table has, each with what the documentation says of it. */
export const text = (description: string) => z.string().describe(description);
export const date = (description: string) => asDate(z.string().describe(description));
export const number = (description: string) => z.number().describe(description);
export const textOrNull = (description: string) => z.string().nullable().describe(description);
export const numberOrNull = (description: string) => z.number().nullable().describe(description);
