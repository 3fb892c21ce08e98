/** A property of whatever was thrown. Not `instanceof Error`: Node's own errors may come from another realm. */
function property(error: unknown, name: string): unknown {
	return typeof error === 'object' && error !== null
		? Object.getOwnPropertyDescriptor(error, name)?.value
		: undefined;
}

/** The message of whatever was thrown, or the thing itself as text. */
export function messageOf(error: unknown): string {
	const message = property(error, 'message');
	return typeof message === 'string' ? message : String(error);
}

/** System error code such as `EADDRINUSE`. */
export function codeOf(error: unknown): string | undefined {
	const code = property(error, 'code');
	return typeof code === 'string' ? code : undefined;
}

/** The HTTP status that a framework error stands for; 500 otherwise. */
export function statusOf(error: unknown): number {
	const status = property(error, 'statusCode');
	return typeof status === 'number' ? status : 500;
}
