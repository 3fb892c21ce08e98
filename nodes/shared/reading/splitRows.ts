const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const BRACE = 0x7b;
const BRACKET = 0x5b;
const BRACE_END = 0x7d;
const BRACKET_END = 0x5d;

/** Marks the bytes that matter outside of strings; the others are skipped quickly. */
const MEANS_SOMETHING = new Uint8Array(256);
for (const byte of [QUOTE, BRACE, BRACKET, BRACE_END, BRACKET_END]) MEANS_SOMETHING[byte] = 1;

/** A row begins inside a list of the outermost object. */
const ROW_DEPTH = 2;

/**
 * Cuts the bytes of a JSON object at its rows, without decoding them, so that rows stay unparsed until consumed and no
 * text is longer than one row: a page read as one text takes twice its bytes and leaves a large piece of garbage.
 *
 * For bytes that are not JSON, the frame or a row is not JSON either.
 *
 * @param bytes UTF-8
 * @returns `rows`: the objects in a list of the outermost object; `frame`: the answer with `{"":n}` in place of the n-th row
 */
export function splitRows(bytes: Uint8Array): { frame: Uint8Array; rows: Uint8Array[] } {
	const rows: Uint8Array[] = [];
	const frame: Uint8Array[] = [];
	const { length } = bytes;
	let start = 0;
	let isInRow = false;
	let isInList = false;
	let depth = 0;
	for (let index = 0; index < length; index++) {
		while (MEANS_SOMETHING[bytes[index]] === 0) index++;
		const byte = bytes[index];
		if (byte === QUOTE) {
			index = endOfText(bytes, index + 1);
		} else if (byte === BRACE || byte === BRACKET) {
			if (depth === ROW_DEPTH && isInList && byte === BRACE) {
				frame.push(bytes.subarray(start, index));
				start = index;
				isInRow = true;
			}
			depth++;
			if (depth === ROW_DEPTH) isInList = byte === BRACKET;
		} else {
			depth--;
			if (isInRow && depth === ROW_DEPTH) {
				frame.push(Buffer.from(`{"":${rows.length}}`));
				rows.push(bytes.subarray(start, index + 1));
				start = index + 1;
				isInRow = false;
			}
		}
	}
	frame.push(bytes.subarray(start));
	return { frame: Buffer.concat(frame), rows };
}

/** Index of the quote that ends a text; the length where none does. */
function endOfText(bytes: Uint8Array, from: number): number {
	const { length } = bytes;
	for (let index = from; index < length; index++) {
		if (bytes[index] === QUOTE) return index;
		if (bytes[index] === BACKSLASH) index++;
	}
	return length;
}
