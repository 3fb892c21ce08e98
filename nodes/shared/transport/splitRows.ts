const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const BRACE = 0x7b;
const BRACKET = 0x5b;
const BRACE_END = 0x7d;
const BRACKET_END = 0x5d;

/** Bytes outside of texts that mean something here; the others are passed over quickly. */
const MEANS_SOMETHING = new Uint8Array(256);
for (const byte of [QUOTE, BRACE, BRACKET, BRACE_END, BRACKET_END]) MEANS_SOMETHING[byte] = 1;

/** Inside a list of the outermost object: where a row begins. */
const ROW_DEPTH = 2;

export interface SplitAnswer {
	/** The answer with `{"":n}` in place of its n-th row. */
	frame: Uint8Array;
	/** The rows: objects in a list of the outermost object, in the order of the text. */
	rows: Uint8Array[];
}

/**
 * Cuts the bytes of a JSON object at its rows, without decoding them: each row is read when its turn comes, and no
 * text is longer than one row. A page read as one text takes twice its bytes as soon as it holds one dash, and leaves
 * the engine a large piece of garbage.
 *
 * Bytes that are no JSON are cut somewhere, and their frame or a row is no JSON either.
 *
 * @param chunks UTF-8, as they came
 * @returns the rows, and what stands around them; a row that came in one piece is not copied
 */
export function splitRows(chunks: Uint8Array[]): SplitAnswer {
	const rows: Uint8Array[] = [];
	const frame: Uint8Array[] = [];
	/** What came of the row or of the frame in earlier chunks. */
	let begun: Uint8Array[] = [];
	let isInRow = false;
	let isInList = false;
	let isInText = false;
	let isEscaped = false;
	let depth = 0;

	for (const bytes of chunks) {
		const { length } = bytes;
		let start = 0;
		for (let index = 0; index < length; index++) {
			if (isEscaped) {
				isEscaped = false;
				continue;
			}
			if (isInText) {
				while (index < length && bytes[index] !== QUOTE && bytes[index] !== BACKSLASH) index++;
				if (index < length) {
					isEscaped = bytes[index] === BACKSLASH;
					isInText = isEscaped;
				}
				continue;
			}
			while (index < length && MEANS_SOMETHING[bytes[index]] === 0) index++;
			const byte = bytes[index];
			if (byte === QUOTE) {
				isInText = true;
			} else if (byte === BRACE || byte === BRACKET) {
				if (depth === ROW_DEPTH && isInList && byte === BRACE) {
					frame.push(bytes.subarray(start, index));
					start = index;
					isInRow = true;
				}
				depth++;
				if (depth === ROW_DEPTH) isInList = byte === BRACKET;
			} else if (byte === BRACE_END || byte === BRACKET_END) {
				depth--;
				if (isInRow && depth === ROW_DEPTH) {
					frame.push(Buffer.from(`{"":${rows.length}}`));
					rows.push(joined([...begun, bytes.subarray(start, index + 1)]));
					begun = [];
					start = index + 1;
					isInRow = false;
				}
			}
		}
		(isInRow ? begun : frame).push(bytes.subarray(start));
	}
	return { frame: joined([...frame, ...begun]), rows };
}

function joined(parts: Uint8Array[]): Uint8Array {
	return parts.length === 1 ? parts[0] : Buffer.concat(parts);
}
