/** Reads JSON in slices of some rows each, so that nothing that a service can send holds n8n's event loop. */
import { sleep } from 'n8n-workflow';
import { forEachYielding } from '../base/concurrency';

/** Levels of nesting: documented objects have seven, and customers' own fields may add some. */
const MAX_DEPTH = 64;
/** Bytes and fields of a row, and bytes of everything besides the rows: n8n stands still while they are parsed. */
const MAX_ROW_BYTES = 2 ** 19;
const MAX_ROW_FIELDS = 20_000;
const MAX_ROWS = 2 ** 18;
/** Bytes of a slice, but for its last row. */
const SLICE_BYTES = 2 ** 15;
/** Bytes that are searched before n8n serves others. */
const SEARCHED_BYTES = 2 ** 19;

const [QUOTE, COMMA, COLON, BACKSLASH, SPACE, OPEN, CLOSE, LESS] = Buffer.from('",:\\ {}<');
const [OPEN_LIST, CLOSE_LIST] = Buffer.from('[]');
/** Brackets differ from braces by it. */
const BRACKET_BIT = 32;
/** Around a slice as bytes: JSON.parse takes longer for a text that is put together. */
const [OPENING, CLOSING] = [Buffer.from('['), Buffer.from(']')];
const textDecoder = new TextDecoder();

/** What makes a body unusable: the end of a sentence about the response, or about its row, and the code of its error. */
export type Fault = readonly [
	defect: string,
	code?: 'response_too_large' | 'response_unreadable' | 'row_unreadable',
];

const TOO_DEEP = `is nested deeper than ${MAX_DEPTH} levels`;
const TOO_LARGE = 'is too large';
const NOT_AN_OBJECT: Fault = ['is not a JSON object'];
const WEB_PAGE: Fault = ['is a web page, not JSON'];

/** A list of the body: where it is between its brackets, and its wanted rows, in bytes. */
interface List {
	start: number;
	end: number;
	rows: number;
	slices: Array<[start: number, end: number]>;
}

export interface JsonRows {
	fault?: Fault;
	/** Whether it ends in the middle, or is empty. */
	isCutOff?: boolean;
	lists: List[];
}

/**
 * Finds the rows of a JSON text without parsing it, and what makes it unusable.
 * @param maxRows rows of each list that are wanted
 * @param depth of the lists: 2 for those of an object, 1 for a list alone
 */
export async function findRows(bytes: Buffer, maxRows = Infinity, depth: 1 | 2 = 2): Promise<JsonRows> {
	const lists: List[] = [];
	const first = bytes.find((byte) => byte > SPACE && byte < 0x80);
	const isOther = first !== undefined && first !== (depth === 1 ? OPEN_LIST : OPEN);
	if (isOther) return { lists, fault: first === LESS ? WEB_PAGE : NOT_AN_OBJECT };
	let [level, rowStart, sliceStart, fields, entries] = [0, 0, 0, 0, 0];
	let [isBlank, pauseAt] = [true, SEARCHED_BYTES];
	let list: List | undefined;
	for (let at = 0; at < bytes.length; at++) {
		if (at > pauseAt) {
			await sleep(0);
			pauseAt = at + SEARCHED_BYTES;
		}
		const byte = bytes[at];
		if (byte <= SPACE) continue;
		const isEnd = (byte | BRACKET_BIT) === CLOSE;
		if (list && level === depth && (byte === COMMA || isEnd)) {
			const isEmpty = isEnd && isBlank && list.rows === 0;
			if (!isEmpty) list.rows++;
			const isWanted = list.rows <= maxRows;
			if (isWanted && at - rowStart > MAX_ROW_BYTES)
				return { lists, fault: rowFault(TOO_LARGE, bytes, rowStart, list.rows) };
			if (isWanted && (isEnd || list.rows === maxRows || at - sliceStart > SLICE_BYTES)) {
				list.slices.push([sliceStart, at]);
				sliceStart = at + 1;
			}
			const end = depth === 1 && list.rows === maxRows ? endOfFlat(bytes, list) : undefined;
			if (end !== undefined) {
				list.end = end;
				return { lists };
			}
			if (++entries > MAX_ROWS) return { lists, fault: ['has too many rows'] };
			if (isEnd) list.end = at;
			if (isEnd) list = undefined;
			[isBlank, rowStart, fields] = [true, at + 1, 0];
		}
		if (isEnd) level--;
		if (isEnd || byte === COMMA) continue;
		isBlank = false;
		if (byte === QUOTE) at = endOfText(bytes, at);
		else if (byte === COLON) fields++;
		else if ((byte | BRACKET_BIT) === OPEN && ++level === depth && byte === OPEN_LIST) {
			list = { start: at + 1, end: bytes.length, rows: 0, slices: [] };
			lists.push(list);
			[isBlank, rowStart, sliceStart, fields] = [true, at + 1, at + 1, 0];
		}
		if (level <= MAX_DEPTH && fields <= MAX_ROW_FIELDS) continue;
		const defect = level > MAX_DEPTH ? TOO_DEEP : TOO_LARGE;
		return { lists, fault: list ? rowFault(defect, bytes, rowStart, list.rows + 1) : [defect] };
	}
	const besides = lists.reduce((left, { start, end }) => left - (end - start), bytes.length);
	const fault: Fault | undefined = besides > MAX_ROW_BYTES ? [TOO_LARGE] : undefined;
	return { lists, fault, isCutOff: level !== 0 || first === undefined };
}

/** Where a list of objects ends that has no other brackets, so that the rest need not be searched; undefined if unclear. */
function endOfFlat(bytes: Buffer, { start }: List): number | undefined {
	const end = bytes.indexOf(CLOSE_LIST, start);
	if (end === -1 || bytes.includes(OPEN_LIST, start)) return undefined;
	const isLast = bytes.subarray(end + 1).every((byte) => byte <= SPACE);
	return isLast && bytes.subarray(start, end).findLast((byte) => byte > SPACE) === CLOSE ? end : undefined;
}

/** The place of the closing quote of a text. */
function endOfText(bytes: Buffer, start: number): number {
	let at = start + 1;
	while (at < bytes.length && bytes[at] !== QUOTE) at += bytes[at] === BACKSLASH ? 2 : 1;
	return at;
}

function rowFault(defect: string, bytes: Buffer, start: number, number: number): Fault {
	const beginning = bytes.toString('utf8', start, start + 2000);
	const [, field, id] = /"(\w*Id)"\s*:\s*"([^"\\]{1,100})"/.exec(beginning) ?? [];
	const name = id === undefined ? `number ${number} of its list` : `with ${field} ${id}`;
	return [`${defect}, the one ${name}`, 'row_unreadable'];
}

/**
 * Parses a JSON text that is whole and without a fault, slice by slice.
 * @param hide changes each text before it is parsed
 * @throws SyntaxError
 */
export async function parseRows(
	bytes: Buffer,
	lists: List[],
	hide: (text: string) => string = String,
): Promise<unknown> {
	const textOf = (start: number, end?: number) => textDecoder.decode(bytes.subarray(start, end));
	const slices = lists.flatMap((list) => list.slices);
	// What is left has the numbers of its slices in place of each list's rows.
	let [outline, at, count] = ['', 0, 0];
	for (const list of lists) {
		outline += textOf(at, list.start) + list.slices.map(() => count++).join();
		at = list.end;
	}
	const data = JSON.parse(hide(outline + textOf(at))) as Record<string, unknown> | number[];
	const rowsOf = async (numbers: number[]) => {
		const rows: unknown[] = [];
		const parse = (number: number) => {
			const [start, end] = slices[number];
			const slice = Buffer.concat([OPENING, bytes.subarray(start, end), CLOSING]);
			const some = JSON.parse(hide(textDecoder.decode(slice))) as unknown[];
			for (const row of some) rows.push(row);
		};
		await forEachYielding(numbers, parse, 1);
		return rows;
	};
	if (Array.isArray(data)) return await rowsOf(data);
	for (const [name, value] of Object.entries(data)) {
		if (Array.isArray(value)) data[name] = await rowsOf(value as number[]);
	}
	return data;
}
