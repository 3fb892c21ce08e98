import type { IDataObject } from 'n8n-workflow';
import { forEachYielding } from '../base/concurrency';
import { codedError } from '../base/codedErrors';
import { firstFew, isObject, quoted } from '../base/text';
import { MEDIA_ERRORS } from './mediaErrors';

/** A word, or whatever else one speaker says. Times are in seconds. */
export interface Speech {
	/** Null where it is not clear. */
	speaker: string | null;
	/** Null where the entry has no time. */
	start: number | null;
	end: number | null;
	text: string;
}

/** D1 names no field of a word: these are known, the first ones before the others. Letter case, `_` and `-` do not matter. */
const FIELD_NAMES = {
	text: ['punctuatedWord', 'word', 'text', 'content', 'value', 'utterance', 'transcript', 'alternatives'],
	speaker: [
		...['speakerName', 'speaker', 'speakerLabel', 'speakerTag', 'speakerId'],
		...['participantName', 'participant', 'participantId', 'name', 'role', 'channel'],
	],
	start: ['start', 'startTime', 'startOffset', 'begin', 'offset'],
	end: ['end', 'endTime', 'endOffset', 'stop'],
};
/** Ends of the names of times, and how many are a second; without a unit, a time is in seconds (D1 § Conventions). */
const UNITS = { ms: 1000, milliseconds: 1000, seconds: 1 };

type Meaning = keyof typeof FIELD_NAMES;
/** A known field. If several fields have the same meaning, the field with the lowest rank is read. */
type Field = { meaning: Meaning; rank: number; perSecond?: number };

const MEANINGS = Object.keys(FIELD_NAMES) as Meaning[];
const KNOWN = new Map<string, Field>();
for (const meaning of MEANINGS) {
	for (const [rank, name] of FIELD_NAMES[meaning].map(fieldNameOf).entries()) {
		KNOWN.set(name, { meaning, rank });
		const units = ['start', 'end'].includes(meaning) ? Object.entries(UNITS) : [];
		for (const [unit, perSecond] of units) KNOWN.set(name + unit, { meaning, rank: rank - 10, perSecond });
	}
}

function fieldNameOf(name: string): string {
	return name.toLowerCase().replace(/[_-]/g, '');
}

/** Names that are remembered, so that each is looked up once; a word has a few. */
const MAX_NAMES = 1000;
/** Nobody speaks more slowly, so these times are milliseconds or something else. */
const MAX_SECONDS_PER_LETTER = 30;
/** A larger time is a date. */
const MAX_SECONDS = 1e6;

/**
 * Reads the words of a transcript: of each meaning, the first known field that any entry has applies to all entries.
 * @returns the words, and a sentence about what is not clear, or null
 * @throws CodedError if an entry has no text, with the names of its fields
 */
export async function readSpeech(entries: IDataObject[]) {
	const { names, best } = await fieldsIn(entries);
	const keys = MEANINGS.map((meaning) =>
		[...names.keys()].filter((name) => names.get(name) === best[meaning]),
	);
	const words: Speech[] = [];
	await forEachYielding(entries, (entry) => {
		const [text, speaker, start, end] = MEANINGS.map((meaning, place) => {
			const key = keys[place].find((name) => best[meaning] && entry[name] !== undefined);
			return key === undefined ? null : valueOf(entry[key], best[meaning]!);
		});
		if (text === null) {
			const fields = firstFew(Object.keys(entry), quoted);
			throw codedError(MEDIA_ERRORS, 'transcript_words_unknown', { fields });
		}
		words.push({ speaker, start, end, text } as Speech);
	});
	const hasTimes = await timesAreClear(words, best.start?.perSecond !== undefined);
	if (!hasTimes) await forEachYielding(words, (word) => Object.assign(word, { start: null, end: null }));
	const isNamed = words.every(({ speaker }) => speaker !== null);
	const unclear = [...(isNamed ? [] : ['who speaks']), ...(hasTimes ? [] : ['when'])].join(' and ');
	const warning = `It is not clear ${unclear}: the words have the fields ${firstFew(names.keys(), quoted)}.`;
	return { words, warning: unclear === '' ? null : warning };
}

/** What the names of the entries mean, and the field of each meaning: the first one that has a value, or else an empty text. */
async function fieldsIn(entries: IDataObject[]) {
	const names = new Map<string, Field | undefined>();
	const best: Partial<Record<Meaning, Field>> = {};
	const ranks: Partial<Record<Meaning, number>> = {};
	await forEachYielding(entries, (entry) => {
		for (const [name, given] of Object.entries(entry)) {
			const field = names.get(name) ?? (names.has(name) ? undefined : KNOWN.get(fieldNameOf(name)));
			if (field || names.size < MAX_NAMES) names.set(name, field);
			const known = field && (ranks[field.meaning] ?? Infinity);
			if (!field || field.rank >= known!) continue;
			const value = valueOf(given, field);
			const rank = field.rank + (value === '' ? 100 : 0);
			if (value === null || rank >= known!) continue;
			ranks[field.meaning] = rank;
			best[field.meaning] = field;
		}
	});
	return { names, best };
}

/** A text on one line, a speaker, or seconds; null for what cannot be read as this. */
function valueOf(value: unknown, { meaning, perSecond = 1 }: Field): string | number | null {
	if (meaning === 'speaker') return lineOf(typeof value === 'number' ? String(value) : value) || null;
	if (meaning === 'text') {
		const [first] = Array.isArray(value) ? (value as unknown[]) : [];
		return lineOf(isObject(first) ? first.content : value);
	}
	if (typeof value === 'number') return value >= 0 ? value / perSecond : null;
	const isTime = typeof value === 'string' && /^\d{1,15}(\.\d{1,15})?s?$/.test(value);
	return isTime ? parseFloat(value) / (value.endsWith('s') ? 1 : perSecond) : null;
}

/** A text on one line; null for anything else. A word without spaces, as usual, is only tested for them. */
const lineOf = (value: unknown) => {
	if (typeof value !== 'string') return null;
	return /\s/.test(value) ? value.trim().replace(/\s+/g, ' ') : value;
};

/** Whether words have times, and these can be seconds. */
async function timesAreClear(words: Speech[], hasUnit: boolean): Promise<boolean> {
	let [letters, first, last] = [0, Infinity, 0];
	await forEachYielding(words, ({ text, start, end }) => {
		letters += text.length;
		if (start !== null) first = Math.min(first, start);
		last = Math.max(last, start ?? 0, end ?? 0);
	});
	const isSpeech = hasUnit || last - first <= MAX_SECONDS_PER_LETTER * letters;
	return words.length === 0 || (first < Infinity && last <= MAX_SECONDS && isSpeech);
}
