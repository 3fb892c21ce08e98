import { z } from 'zod';

/** A refused request; the message says why. */
export class Problem extends Error {
	constructor(
		message: string,
		readonly statusCode = 400,
		/** The fields of the body that are invalid. */
		readonly fields?: string[],
	) {
		super(message);
	}
}

/** Validates input. @throws Problem that names each invalid field; messages of custom rules are full sentences already */
export function checked<Shape extends z.ZodTypeAny>(shape: Shape, input: unknown): z.output<Shape> {
	const result = shape.safeParse(input);
	if (result.success) return result.data;
	const sentences = result.error.issues.map(({ code, path, message }) =>
		code === 'custom' ? message : `${path.length > 0 ? `${path.join('.')}: ` : ''}${message}.`,
	);
	const fields = result.error.issues.flatMap(({ path: [field] }) =>
		field === undefined ? [] : String(field),
	);
	throw new Problem([...new Set(sentences)].join(' '), 400, [...new Set(fields)]);
}

const isDate = (text: string) => /^\d{4}-\d{2}-\d{2}(T|$)/.test(text) && !Number.isNaN(Date.parse(text));

/** An ISO 8601 date, with or without a time. */
export const isoDate = z.string().refine(isDate, (text) => ({
	message: `A date must be ISO 8601, such as 2026-01-31T09:00:00Z, not "${text}".`,
}));

/** The message of anything thrown, or the value as text. */
export const messageOf = (error: unknown): string => String(Object(error).message ?? error);

/** System error code such as `EADDRINUSE`. */
export const codeOf = (error: unknown): unknown => Object(error).code;

/** The HTTP status of a framework error; 500 for any other error. */
export const statusOf = (error: unknown) => Number(Object(error).statusCode ?? 500);
