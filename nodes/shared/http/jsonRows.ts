/** Reads a JSON object row by row, so that nothing that a service can send holds n8n's event loop. */
import { inTurns } from '../base/concurrency';

/** Levels of nesting: documented objects have seven, and customers' own fields may add some. */
const MAX_ROW_DEPTH = 64;
/** Bytes and fields of a row, and bytes of everything besides the rows: n8n stands still while they are parsed. */
const MAX_ROW_BYTES = 2 ** 19;
const MAX_ROW_FIELDS = 20_000;
const MAX_ROWS = 2 ** 18;

const [QUOTE, COMMA, COLON, BACKSLASH, SPACE, OPEN, CLOSE, OPEN_LIST, LESS] = Buffer.from('",:\\ {}[<');
/** Brackets differ from braces by it. */
const BRACKET_BIT = 32;
const textDecoder = new TextDecoder();

/** What makes a body unusable: the end of a sentence about the response, or about its row, and the code of its error. */
export type Fault = readonly [
	defect: string,
	code?: 'response_too_large' | 'response_unreadable' | 'row_unreadable',
];

const TOO_DEEP = `is nested deeper than ${MAX_ROW_DEPTH} levels`;
const TOO_LARGE = 'is too large';
const NOT_AN_OBJECT: Fault = ['is not a JSON object'];
const WEB_PAGE: Fault = ['is a web page, not JSON'];

/** Where the rows of an object are, which are the values of its lists. */
export interface JsonRows {
	fault?: Fault;
	/** Whether it ends in the middle, or is empty. */
	isCutOff?: boolean;
	/** Rows of the longest list. */
	longest: number;
	/** In bytes: a row, or all rows of a list beyond those wanted. */
	cuts: Array<{ start: number; end: number; isRow: boolean }>;
}

/**
 * Finds the rows of an object without parsing it, and what makes it unusable.
 * @param maxRows rows of each list that are wanted
 */
export function findRows(bytes: Buffer, maxRows: number): JsonRows {
	const { length } = bytes;
	const found: JsonRows = { longest: 0, cuts: [] };
	let [depth, start, rows, allRows, fields] = [0, 0, 0, 0, 0];
	let [isInList, isBlank] = [false, true];
	let surplusAt: number | undefined;
	for (let at = 0; at < length; at++) {
		const byte = bytes[at];
		const isEnd = (byte | BRACKET_BIT) === CLOSE;
		if (isInList && depth === 2 && (byte === COMMA || isEnd)) {
			const isEmptyList = isEnd && isBlank && rows === 0;
			if (!isEmptyList && ++rows > maxRows) surplusAt ??= start - 1;
			else if (at - start > MAX_ROW_BYTES)
				return { ...found, fault: rowFault(TOO_LARGE, bytes, start, rows) };
			else if (!isEmptyList) found.cuts.push({ start, end: at, isRow: true });
			if (++allRows > MAX_ROWS) return { ...found, fault: ['has too many rows'] };
			found.longest = Math.max(found.longest, rows);
			if (isEnd && surplusAt !== undefined) found.cuts.push({ start: surplusAt, end: at, isRow: false });
			[isInList, isBlank, start, fields] = [!isEnd, true, at + 1, 0];
		}
		if (isEnd) depth--;
		else if (byte > SPACE && byte !== COMMA) {
			isBlank = false;
			let fault: string | undefined;
			if (byte === QUOTE) {
				let inner = bytes[++at];
				while (inner !== QUOTE && at < length) {
					if (inner === BACKSLASH) at++;
					inner = bytes[++at];
				}
			} else if (byte === COLON) {
				if (++fields > MAX_ROW_FIELDS) fault = TOO_LARGE;
			} else if ((byte | BRACKET_BIT) === OPEN) {
				if (++depth > MAX_ROW_DEPTH) fault = TOO_DEEP;
				const isList = byte === OPEN_LIST;
				if (isList && depth === 1) return { ...found, fault: NOT_AN_OBJECT };
				if (isList && depth === 2) {
					[isInList, isBlank, start, rows, fields] = [true, true, at + 1, 0, 0];
					surplusAt = undefined;
				}
			} else if (depth === 0 && byte < 0x80) {
				// Anything else is a byte-order mark.
				return { ...found, fault: byte === LESS ? WEB_PAGE : NOT_AN_OBJECT };
			}
			if (fault) return { ...found, fault: isInList ? rowFault(fault, bytes, start, rows + 1) : [fault] };
		}
	}
	const besides = found.cuts.reduce((left, { start, end }) => left - (end - start), length);
	const fault: Fault | undefined = besides > MAX_ROW_BYTES ? [TOO_LARGE] : undefined;
	return { ...found, fault, isCutOff: depth !== 0 || length === 0 };
}

function rowFault(defect: string, bytes: Buffer, start: number, number: number): Fault {
	const beginning = bytes.toString('utf8', start, start + 2000);
	const [, field, id] = /"(\w*Id)"\s*:\s*"([^"\\]{1,100})"/.exec(beginning) ?? [];
	const name = id === undefined ? `number ${number} of its list` : `with ${field} ${id}`;
	return [`${defect}, the one ${name}`, 'row_unreadable'];
}

/**
 * Parses an object that is whole and without a fault, row by row.
 * @param hide changes each text before it is parsed
 * @throws SyntaxError
 */
export async function parseRows(
	bytes: Buffer,
	cuts: JsonRows['cuts'],
	hide: (text: string) => string,
): Promise<unknown> {
	const textOf = (start: number, end?: number) => textDecoder.decode(bytes.subarray(start, end));
	const rows = cuts.filter(({ isRow }) => isRow);
	let [outline, at, count] = ['', 0, 0];
	for (const { start, end, isRow } of cuts) {
		outline += textOf(at, start) + (isRow ? String(count++) : '');
		at = end;
	}
	const data = JSON.parse(hide(outline + textOf(at))) as object;
	for (const list of Object.values(data) as unknown[]) {
		if (!Array.isArray(list)) continue;
		await inTurns(list.keys(), (index) => {
			const { start, end } = rows[list[index] as number];
			list[index] = JSON.parse(hide(textOf(start, end)));
		});
	}
	return data;
}
