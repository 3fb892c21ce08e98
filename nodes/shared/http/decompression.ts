/** A stream of Node, whose own types cannot be imported. */
type Stream = AsyncIterable<Uint8Array> & { read?: (size: number) => unknown; _finishFlushFlag?: number };

/** The flush flags with which Node's decompression streams insist on the end of their input, by their current ones. */
const INSISTING: Record<number, number> = { 1: 2, 2: 4 };

/**
 * Makes a compressed body that ends in the middle throw an error: n8n's HTTP client lets it end anywhere, and has no option
 * for this. Node has no public name for it either; tests show that each supported Node and n8n has this one.
 * @param body nothing else may have read it
 */
export function insistOnEnd(body: AsyncIterable<Uint8Array>): void {
	for (const stream of [body as Stream, wrappedIn(body)]) {
		const flag = stream?._finishFlushFlag;
		if (flag !== undefined) stream!._finishFlushFlag = INSISTING[flag] ?? flag;
	}
}

/**
 * The stream that a generator reads for another one: its first step asks that stream for its iterator. `read(0)` runs this
 * step at once, so that no other stream sees the changed prototype.
 */
function wrappedIn(stream: Stream): Stream | undefined {
	if (stream.read === undefined) return undefined;
	const prototype = Object.getPrototypeOf(stream) as Stream;
	if (!Object.hasOwn(prototype, Symbol.asyncIterator)) return undefined;
	const original = prototype[Symbol.asyncIterator];
	let found: Stream | undefined;
	const noting = new Proxy(original, {
		apply(target, source: Stream) {
			found = source;
			return target.call(source);
		},
	});
	try {
		Reflect.set(prototype, Symbol.asyncIterator, noting);
		stream.read(0);
	} finally {
		Reflect.set(prototype, Symbol.asyncIterator, original);
	}
	return found;
}
