import { jsonParse, type IDataObject } from 'n8n-workflow';
import { codedError } from '../../shared/errors/codedError';
import { firstFew } from '../../shared/errors/text';
import { fieldIn } from '../../shared/exportApi/flatRow';
import { isObject } from '../../shared/node/isObject';
import type { Item } from '../../shared/node/item';
import { cancelSignal } from '../../shared/http';
import { EXPORT_ERRORS } from '../errors';
import { download, type MediaFile } from './download';

/** Largest transcript that is read into memory: some thirty hours of talk. */
const MAX_TRANSCRIPT_MB = 20;

/**
 * Downloads the transcript of a conversation: its entries as they are.
 *
 * @param row as the service just sent it
 * @throws NodeApiError when it cannot be downloaded, CodedError when it is too large or not a JSON list of objects
 */
export async function readTranscript(item: Item, row: IDataObject): Promise<IDataObject[]> {
	const take = async ({ body }: MediaFile) => await readText(body);
	const body = await download(item, 'transcript', String(row.conversationId), take, row);
	// The API documentation does not name the fields of a word, so entries pass through as they are.
	const entries = jsonParse<unknown>(body, { fallbackValue: null });
	if (Array.isArray(entries) && entries.every(isObject)) return entries;
	throw codedError(EXPORT_ERRORS, 'transcript_unreadable', {});
}

async function readText(body: AsyncIterable<Uint8Array>): Promise<string> {
	const chunks: Uint8Array[] = [];
	let bytes = 0;
	for await (const chunk of body) {
		chunks.push(chunk);
		bytes += chunk.length;
		if (bytes > MAX_TRANSCRIPT_MB * 1_000_000) {
			throw codedError(EXPORT_ERRORS, 'transcript_too_large', { limit: MAX_TRANSCRIPT_MB });
		}
	}
	return new TextDecoder().decode(Buffer.concat(chunks));
}

/**
 * Adds the transcript of a conversation as text or turns, null for a recording without one. If it cannot be read,
 * `transcriptError` says why, else it is null: one transcript must not fail a whole list.
 *
 * @param maxLength of a text, in characters
 * @returns whether there is nothing that could not be read
 * @throws only the reason of a stopped execution
 */
export async function addTranscript(
	item: Item,
	row: IDataObject,
	json: IDataObject,
	{ asTurns, maxLength }: { asTurns: boolean; maxLength: number },
): Promise<boolean> {
	json.transcript = null;
	json.transcriptError = null;
	if (typeof row.conversationId !== 'string') return true;
	try {
		const entries = await readTranscript(item, row);
		json.transcript = asTurns ? transcriptTurns(row, entries) : transcriptText(entries, { maxLength });
		return true;
	} catch (error) {
		cancelSignal(item.context)?.throwIfAborted();
		const { message, description } = item.nodeError(error);
		json.transcriptError = [message, description].filter(Boolean).join('. ');
		return false;
	}
}

/** A word, or a turn: what one speaker says until another one does. Times are in seconds. */
interface Speech {
	speaker: string;
	/** Null where the entries have no time. */
	start: number | null;
	end: number | null;
	text: string;
}

/**
 * The turns of a conversation. Only where one speaker has the rep's name is it clear who is the rep.
 *
 * @throws CodedError when no field of an entry is recognized as its word
 */
export function transcriptTurns(row: IDataObject, entries: IDataObject[]) {
	const rep = nameOf(fieldIn(row, 'userName'));
	const turns = turnsOf(entries.map(readWord));
	const isKnown = rep !== '' && turns.some(({ speaker }) => nameOf(speaker) === rep);
	return turns.map(({ speaker, ...turn }) => {
		const isRep = isKnown ? nameOf(speaker) === rep : null;
		return { speaker, isRep, ...turn };
	});
}

const nameOf = (value: unknown) => (typeof value === 'string' ? value.trim().toLowerCase() : '');

function turnsOf(words: Speech[]): Speech[] {
	const turns: Speech[] = [];
	for (const { speaker, start, end, text } of words) {
		const turn = turns.at(-1);
		if (turn?.speaker !== speaker) turns.push({ speaker, start, end, text });
		else {
			turn.text += ` ${text}`;
			turn.end = end ?? turn.end;
		}
	}
	return turns;
}

/**
 * The transcript as text for people and language models: one line for each turn, `[mm:ss] Speaker: words`. A text that is
 * cut ends with the time from which the next part continues, so that all parts have every word once. Behind the last
 * word, the text says so.
 *
 * @param from in seconds; earlier words are left out
 * @param maxLength in characters, besides the last line
 * @throws CodedError when no field of an entry is recognized as its word
 */
export function transcriptText(entries: IDataObject[], { from = 0, maxLength = Infinity } = {}): string {
	const all = withTimes(entries.map(readWord));
	const words = all.filter(({ time }) => time >= from);
	const last = all.at(-1);
	if (last && words.length === 0) return `[No words from ${from} on: the last one starts at ${last.time}]`;
	const text = textOf(words);
	if (text.length <= maxLength) return text;
	const cut = cutAt(words, maxLength);
	const part = textOf(words.slice(0, cut));
	const [shown, whole] = [part.length, text.length].map((count) => count.toLocaleString('en-US'));
	const goesOn = words[cut].time > words[cut - 1].time;
	const next = goesOn ? `. Continue with From Time ${words[cut].time}` : '';
	return `${part}\n[Cut: ${shown} of ${whole} characters${next}]`;
}

function textOf(words: Speech[]): string {
	return turnsOf(words)
		.map(({ speaker, start, text }) => `${clock(start)}${speaker}: ${text}`)
		.join('\n');
}

type TimedWord = Speech & { time: number };

/** Words with a time that never goes back, whatever their own say. */
function withTimes(words: Speech[]): TimedWord[] {
	let time = 0;
	return words.map((word) => ({ ...word, time: (time = Math.max(time, word.start ?? time)) }));
}

/** How many words fit, at least one: to where the time goes on, if any fits. */
function cutAt(words: TimedWord[], maxLength: number): number {
	let length = 0;
	let cut = 0;
	for (const [index, word] of words.entries()) {
		const before = words[index - 1] as TimedWord | undefined;
		if (before && word.time > before.time) cut = index;
		length +=
			before?.speaker === word.speaker ? 1 + word.text.length : textOf([word]).length + (before ? 1 : 0);
		if (length > maxLength) return cut || Math.max(index, 1);
	}
	return words.length;
}

/** Fields are recognized by their names, because the API documentation shows none: the first match counts. */
const NAMES = {
	speaker: /speaker/i,
	text: /word|text|content/i,
	start: /start|begin|from/i,
	end: /end|until/i,
};

/** Durations are in seconds unless a field says otherwise, as `totalViewTimeMs` does (D1 § Conventions). */
const MILLISECONDS = /(Ms|_ms|[Mm]illi(second)?s?)$/;

function readWord(entry: IDataObject): Speech {
	const find = (name: RegExp, types: string[]) => {
		const found = Object.entries(entry).filter(
			([key, value]) => name.test(key) && types.includes(typeof value),
		);
		// `word` is the word even behind a `wordId`.
		return found.find(([key]) => key.replace(name, '') === '') ?? found[0] ?? [];
	};
	const [, text] = find(NAMES.text, ['string']);
	if (typeof text !== 'string') {
		throw codedError(EXPORT_ERRORS, 'transcript_words_unknown', { fields: firstFew(Object.keys(entry)) });
	}
	const [, speaker] = find(NAMES.speaker, ['string', 'number']);
	const secondsOf = (name: RegExp) => {
		const [key, value] = find(name, ['number', 'string']);
		const seconds = Number(value) / (MILLISECONDS.test(key ?? '') ? 1000 : 1);
		return Number.isFinite(seconds) ? seconds : null;
	};
	return {
		speaker: speaker === undefined ? 'Speaker' : String(speaker),
		text: text.trim(),
		start: secondsOf(NAMES.start),
		end: secondsOf(NAMES.end),
	};
}

/** `[mm:ss] `, or `[h:mm:ss] ` from one hour on. */
function clock(seconds: number | null): string {
	if (seconds === null) return '';
	const whole = Math.floor(seconds);
	const parts = [Math.floor(whole / 60) % 60, whole % 60].map((part) => String(part).padStart(2, '0'));
	const hours = Math.floor(whole / 3600);
	return `[${hours > 0 ? `${hours}:` : ''}${parts.join(':')}] `;
}
