import { Duration } from 'luxon';
import type { IDataObject } from 'n8n-workflow';
import { forEachYielding, oneAfterAnother } from '../base/concurrency';
import { codedError, describeError } from '../base/codedErrors';
import { fieldIn } from '../exportApi/rows';
import { WITHOUT_SPACES } from '../selection/saidWords';
import { cut, isObject, normalized, wellFormed, wellFormedData } from '../base/text';
import type { ServiceContext } from '../http/request';
import { findRows, parseRows } from '../http/jsonRows';
import { requestRun } from '../http/requestRun';
import { MEDIA_ERRORS } from './mediaErrors';
import { download, type MediaFile } from './download';
import { readSpeech, type Speech } from './words';

/** Largest transcript that is read into memory: some ten hours of talk, with a hundred bytes for each word. */
const MAX_TRANSCRIPT_MB = 10;
/** Characters kept free for the last line of a cut text. If the maximum is short, the line is added beyond it. */
const LAST_LINE = 120;

/** Largest transcript that waits in memory for its turn to be read, beside others: some two hours of talk, as above. */
const MAX_WAITING_MB = 2;

/** A parsed transcript takes ten times the memory of its text, so lists and searches parse one at a time. */
const readInTurn = oneAfterAnother();
const downloadLargeInTurn = oneAfterAnother();

/** The bytes of a transcript; undefined when there are more. */
const bytesUpTo = async (context: ServiceContext, row: IDataObject, limitMb: number) =>
	await download(
		context,
		'transcript',
		String(row.conversationId),
		async (file) => await bytesIn(file, limitMb * 1_000_000),
		row,
	);

/** All bytes of a transcript; throws CodedError when it is too large. */
async function allBytes(context: ServiceContext, row: IDataObject): Promise<Buffer> {
	const json = await bytesUpTo(context, row, MAX_TRANSCRIPT_MB);
	if (!json) throw codedError(MEDIA_ERRORS, 'transcript_too_large', { limit: MAX_TRANSCRIPT_MB });
	return json;
}

/** The entries of a conversation's transcript; throws CodedError when it is too large or not a JSON list of objects. */
export const readTranscript = async (context: ServiceContext, row: IDataObject) =>
	await transcriptEntries(await allBytes(context, row));

/** Downloads a conversation's transcript and uses it; throws CodedError when it cannot be downloaded, and what the use throws. */
export async function useTranscript<Out>(
	context: ServiceContext,
	row: IDataObject,
	use: (json: Buffer) => Promise<Out>,
): Promise<Out> {
	const read = async (json: Buffer) =>
		await readInTurn(async () => {
			requestRun(context, 'media').stopped.throwIfAborted();
			return await use(json);
		});
	const json = await bytesUpTo(context, row, MAX_WAITING_MB);
	if (json) return await read(json);
	return await downloadLargeInTurn(async () => await read(await allBytes(context, row)));
}

/** The first entries of a transcript, so many; throws CodedError when it is not a JSON list of objects. */
export async function transcriptEntries(json: Buffer, count = Infinity): Promise<IDataObject[]> {
	const { fault, isCutOff, lists } = await findRows(json, count, 1);
	const parsed = fault || isCutOff ? undefined : await parseRows(json, lists).catch(() => undefined);
	// The API documentation does not name the fields of a word, so entries pass through as they are.
	const entries = (parsed ?? []) as IDataObject[];
	if (!parsed || !entries.every(isObject)) throw codedError(MEDIA_ERRORS, 'transcript_unreadable', {});
	const hasEscapes = json.includes('\\ud') || json.includes('\\uD');
	if (hasEscapes) await forEachYielding(entries.keys(), (at) => (entries[at] = wellFormedData(entries[at])));
	return entries;
}

async function bytesIn({ body }: MediaFile, limit: number): Promise<Buffer | undefined> {
	const chunks: Uint8Array[] = [];
	let left = limit;
	for await (const chunk of body) {
		chunks.push(chunk);
		left -= chunk.length;
		if (left < 0) return undefined;
	}
	const [first, ...others] = chunks;
	// Usually one chunk, which need not be copied.
	return first && others.length === 0
		? Buffer.from(first.buffer, first.byteOffset, first.length)
		: Buffer.concat(chunks);
}

/** What to return of a text: at most so many characters, from a position on. */
export interface Part {
	from?: number;
	maxLength?: number;
	/** What a text that is cut says before the position to continue from; nothing unless set. */
	next?: string;
}

export type TranscriptForm = Part & { asTurns: boolean };

/** Adds the transcript, null for a recording without one. One that cannot be read must not fail a list: `transcriptError` says why. */
export async function addTranscript(
	context: ServiceContext,
	row: IDataObject,
	json: IDataObject,
	form: TranscriptForm,
	known?: Awaited<ReturnType<typeof readSpeech>>,
): Promise<void> {
	Object.assign(json, { transcript: null, transcriptError: null, transcriptWarning: null });
	if (typeof row.conversationId !== 'string') return;
	try {
		const add = async ({ words, warning }: Awaited<ReturnType<typeof readSpeech>>) => {
			json.transcript = form.asTurns ? await transcriptTurns(row, words) : await transcriptText(words, form);
			json.transcriptWarning = warning;
		};
		const read = async (text: Buffer) => await add(await readSpeech(await transcriptEntries(text)));
		await (known ? add(known) : useTranscript(context, row, read));
	} catch (error) {
		json.transcriptError = transcriptErrorOf(context, error);
	}
}

/** Why a transcript cannot be read, in sentences; throws if the execution was stopped. */
export function transcriptErrorOf(context: ServiceContext, error: unknown): string {
	requestRun(context, 'media').stopped.throwIfAborted();
	const { message, description } = describeError(context.getNode(), error);
	return [message, description].filter(Boolean).join('. ');
}

/** The turns of a conversation. Only where one speaker has the rep's name is it clear who is the rep. */
export async function transcriptTurns(row: IDataObject, words: Speech[]) {
	const rep = nameOf(fieldIn(row, 'userName'));
	const speakers = new Set(words.map(({ speaker }) => speaker));
	const isKnown = rep !== '' && [...speakers].some((speaker) => nameOf(speaker) === rep);
	const turns: Array<Speech & { rowKey: string; isRep: boolean | null }> = [];
	let before = '';
	await forEachYielding(words, ({ speaker, start, end, text }) => {
		const turn = turns.at(-1);
		const space = gap(before, text);
		before = text || before;
		if (turn?.speaker === speaker) {
			turn.text += space + text;
			turn.end = end ?? turn.end;
			return;
		}
		const rowKey = `${row.conversationId}/turns/${turns.length + 1}`;
		const isRep = isKnown && speaker !== null ? nameOf(speaker) === rep : null;
		turns.push({ rowKey, speaker, isRep, start, end, text });
	});
	return turns;
}

const nameOf = (value: unknown) => (typeof value === 'string' ? normalized(value).toLowerCase() : '');

/** Texts that no space follows, and texts that no space precedes, such as punctuation that is a word of its own. */
const [NO_SPACE_AFTER, NO_SPACE_BEFORE] = [
	`${WITHOUT_SPACES}$`,
	`^(?:${WITHOUT_SPACES}|[.,;:!?…。、]{1,3}$)`,
].map((pattern) => new RegExp(pattern, 'u'));

/** What is between two texts of a turn. */
function gap(before: string, after: string): string {
	if (before === '' || after === '') return '';
	return NO_SPACE_AFTER.test(before.slice(-2)) || NO_SPACE_BEFORE.test(after) ? '' : ' ';
}

/** A few words of one speaker as a text. */
export const joined = (words: Speech[]) =>
	words.map(({ text }, index) => (index > 0 ? gap(words[index - 1].text, text) : '') + text).join('');

/** A part of the transcript, a line for each turn; if it is cut, its last line says so. */
export async function transcriptText(
	words: Speech[],
	{ from = 0, maxLength = Infinity, next }: Part = {},
): Promise<string> {
	const room = maxLength > 2 * LAST_LINE ? maxLength - LAST_LINE : maxLength;
	let [text, length, position] = ['', 0, 0];
	let last: Speech | undefined;
	let end = { length: 0, next: from };
	await forEachYielding(words, (word) => {
		const begin = Math.max(from, position);
		const own = begin > position ? wellFormed(word.text.slice(begin - position)) : word.text;
		position += word.text.length;
		if (own === '') return;
		const lead = last?.speaker === word.speaker ? gap(last.text, own) : (last ? '\n' : '') + leadOf(word);
		last = word;
		if (length === 0 || length + lead.length + own.length <= maxLength) text += lead + own;
		// At least something of the first word is returned, so that another part goes further.
		if (length === 0) end = cutIn(own, room - lead.length, lead.length, begin);
		length += lead.length + own.length;
		if (length <= room) end = { length, next: position };
	});
	if (length === 0 && from > 0)
		return `[No words from position ${from} on: the last one ends at ${position}]`;
	if (length <= maxLength || end.next === position) return text;
	const [shown, whole] = [end.length, length].map((count) => count.toLocaleString('en-US'));
	return `${text.slice(0, end.length)}\n[Cut: ${shown} of ${whole} characters${next ? `. ${next} ${end.next}` : ''}]`;
}

/** Where to cut in a text: at a space if it has one, never in the middle of a character. */
function cutIn(text: string, room: number, before: number, begin: number): { length: number; next: number } {
	const fits = Math.max(room, 1);
	const space = text.lastIndexOf(' ', fits);
	if (space > 0) return { length: before + space, next: begin + space + 1 };
	const isHalf = /[\ud800-\udbff]/.test(text.charAt(fits - 1));
	const end = isHalf ? fits + 1 : fits;
	return { length: before + end, next: begin + end };
}

/** `[mm:ss] Name: `, with hours from one on. */
function leadOf({ start, speaker }: Speech): string {
	const format = (start ?? 0) < 3600 ? '[mm:ss] ' : '[h:mm:ss] ';
	const time = start === null ? '' : Duration.fromObject({ seconds: Math.floor(start) }).toFormat(format);
	return `${time}${speaker === null ? '' : `${cut(speaker, 60)}: `}`;
}
