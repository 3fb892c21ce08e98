import { z } from 'zod';

/** A control request that cannot be done; the message says why. */
export class ControlError extends Error {}

/**
 * What a control request gave, held against its shape.
 * @param what begins the message: `Fault`, `Usage plan` …
 * @throws ControlError that names the first field that is wrong
 */
export function checked<Shape extends z.ZodTypeAny>(
	shape: Shape,
	input: unknown,
	what: string,
): z.output<Shape> {
	const result = shape.safeParse(input);
	if (result.success) return result.data;
	const [{ path, message }] = result.error.issues;
	throw new ControlError([what, ...(path.length ? [path.join('.')] : []), message].join(': '));
}

const isDate = (text: string) => /^\d{4}-\d{2}-\d{2}(T|$)/.test(text) && !Number.isNaN(Date.parse(text));

/** An ISO 8601 date, with or without a time. */
export const isoDate = z
	.string()
	.refine(isDate, (text) => ({ message: `must be an ISO 8601 date, not "${text}".` }));
