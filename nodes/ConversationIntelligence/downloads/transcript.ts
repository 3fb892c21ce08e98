import { jsonParse, type IDataObject } from 'n8n-workflow';
import { codedError } from '../../shared/errors/codedError';
import { isObject } from '../../shared/node/isObject';
import type { Item } from '../../shared/node/item';
import { cancelSignal } from '../../shared/http';
import { EXPORT_ERRORS } from '../errors';
import { download, type MediaFile } from './download';
import { linkOf, type PresignedLink } from './presignedLink';
import { cutTranscript } from './transcriptLength';

/** Largest transcript that is read into memory: some thirty hours of talk. */
const MAX_TRANSCRIPT_MB = 20;

/**
 * Downloads a transcript: its entries as they are.
 *
 * @param link the link, if already known
 * @throws NodeApiError when it cannot be downloaded, CodedError when it is too large or not a JSON list of objects
 */
export async function readTranscript(
	item: Item,
	conversationId: string,
	link?: PresignedLink,
): Promise<{ entries: IDataObject[]; title: string | undefined }> {
	const take = async ({ body, title }: MediaFile) => ({ text: await readText(body), title });
	const { text, title } = await download(item, 'transcript', conversationId, take, link);
	return { entries: parseTranscript(text), title };
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
 * Adds the transcript of a conversation as text, null for a recording without one. If it cannot be read, `transcriptError`
 * says why, else it is null: one transcript must not fail a whole list.
 *
 * @param maxLength in characters
 * @returns whether there is nothing that could not be read
 * @throws only the reason of a stopped execution
 */
export async function addTranscript(
	item: Item,
	row: IDataObject,
	json: IDataObject,
	maxLength: number,
): Promise<boolean> {
	json.transcript = null;
	json.transcriptError = null;
	if (typeof row.conversationId !== 'string') return true;
	try {
		const { entries } = await readTranscript(item, row.conversationId, linkOf(row, 'transcript'));
		json.transcript = cutTranscript(transcriptText(entries), maxLength);
		return true;
	} catch (error) {
		cancelSignal(item.context)?.throwIfAborted();
		const { message, description } = item.nodeError(error);
		json.transcriptError = [message, description].filter(Boolean).join('. ');
		return false;
	}
}

/** The API documentation does not name the fields of a word, so entries pass through as they are. */
function parseTranscript(body: string): IDataObject[] {
	const entries = jsonParse<unknown>(body, { fallbackValue: null });
	if (Array.isArray(entries) && entries.every(isObject)) return entries;
	throw codedError(EXPORT_ERRORS, 'transcript_unreadable', {});
}

/**
 * The transcript as text for people and language models: one line for each turn, `[mm:ss] Speaker: words`.
 *
 * @throws CodedError when no field of an entry is recognized as its word
 */
export function transcriptText(entries: IDataObject[]): string {
	const turns: Array<{ speaker: string; start: number | undefined; words: string[] }> = [];
	for (const { speaker, text, start } of entries.map(readWord)) {
		const turn = turns.at(-1);
		if (turn?.speaker === speaker) turn.words.push(text);
		else turns.push({ speaker, start, words: [text] });
	}
	return turns.map(({ speaker, start, words }) => `${clock(start)}${speaker}: ${words.join(' ')}`).join('\n');
}

/** Fields are recognized by their names, because the API documentation shows none: the first match counts. */
const NAMES = { speaker: /speaker/i, text: /word|text|content/i, start: /start|begin|from/i };

/** Durations are in seconds unless a field says otherwise, as `totalViewTimeMs` does (D1 § Conventions). */
const MILLISECONDS = /(Ms|_ms|[Mm]illi(second)?s?)$/;

function readWord(entry: IDataObject) {
	const find = (name: RegExp, types: string[]) => {
		const found = Object.entries(entry).filter(
			([key, value]) => name.test(key) && types.includes(typeof value),
		);
		// `word` is the word even behind a `wordId`.
		return found.find(([key]) => name.exec(key)?.[0] === key) ?? found[0] ?? [];
	};
	const [, text] = find(NAMES.text, ['string']);
	if (typeof text !== 'string') {
		throw codedError(EXPORT_ERRORS, 'transcript_words_unknown', { fields: Object.keys(entry).join(', ') });
	}
	const [, speaker] = find(NAMES.speaker, ['string', 'number']);
	const [key, value] = find(NAMES.start, ['number', 'string']);
	const start = Number(value) / (MILLISECONDS.test(key ?? '') ? 1000 : 1);
	return {
		speaker: speaker === undefined ? 'Speaker' : String(speaker),
		text: text.trim(),
		start: Number.isFinite(start) ? start : undefined,
	};
}

/** `[mm:ss] `, or `[h:mm:ss] ` from one hour on. */
function clock(seconds: number | undefined): string {
	if (seconds === undefined) return '';
	const whole = Math.floor(seconds);
	const parts = [Math.floor(whole / 60) % 60, whole % 60].map((part) => String(part).padStart(2, '0'));
	const hours = Math.floor(whole / 3600);
	return `[${hours > 0 ? `${hours}:` : ''}${parts.join(':')}] `;
}
