import { z } from 'zod';

/** An object of the service, which may have more keys than the API documentation names. */
export function object<Shape extends z.ZodRawShape>(shape: Shape) {
	return z.object(shape).passthrough();
}
