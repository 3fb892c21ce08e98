import { Duration } from 'luxon';
import type { IDataObject } from 'n8n-workflow';
import { inTurns } from '../../shared/base/concurrency';
import { codedError } from '../../shared/base/codedErrors';
import { firstFew, isObject, quoted } from '../../shared/base/text';
import { EXPORT_ERRORS } from '../exportErrors';

/** A word, or whatever else one speaker says. Times are in seconds. */
export interface Speech {
	/** Null where it is not clear. */
	speaker: string | null;
	/** Null where the entry has no time. */
	start: number | null;
	end: number | null;
	text: string;
}

/** Keys of a word by meaning, the first that it has counts: letters and digits alone, behind the key of their object (`speakername`). */
const MEANINGS = {
	text: 'punctuatedword word text content value token transcript utterance sentence phrase displaytext display lexical wordtext line spokentext snippet message',
	start:
		'start starttime startat startoffset starttimestamp startts wordstart begin begintime beginat beginoffset from fromtime offset time timestamp ts timestart timestampstart timestampsstart starttimestamprelative timestampsfrom timingstart offsetsfrom',
	end: 'end endtime endat endoffset endtimestamp endts wordend until to totime stop stoptime stopat finish timeend timestampend timestampsend endtimestamprelative timestampsto timingend offsetsto',
	duration: 'duration dur',
	person:
		'speakername speakerdisplayname speakerfullname participantname participantdisplayname username personname displayname fullname speaker participant name spk spkname talker user person who speakerlabel participantlabel spklabel fromname attendeename author authorname sender sendername speakeremail participantemail useremail fromemail',
	group:
		'role speakerrole participantrole speakertype participanttype participantpurpose channel channelname channellabel mediachannel side party',
	id: 'speakerid participantid spkid personid userid speakertag speakernumber participantnumber speakeruuid participantuuid fromid attendeeid recordingattendeeid channelid channeltag channelnumber',
};

/** Units at the end of a key or a value, by how many are a second; without one, it is seconds (D1 § Conventions). */
const UNITS = {
	1: 's sec secs second seconds',
	1e3: 'ms msec msecs milli millis millisecond milliseconds',
	1e6: 'us micros microsecond microseconds',
	1e7: 'ticks',
	1e9: 'ns nanos nanosecond nanoseconds',
};

type Meaning = keyof typeof MEANINGS;

interface Key {
	meaning: Meaning;
	name: string;
	/** Of several keys with one meaning, the lowest counts. */
	rank: number;
	perSecond: number;
}

const TIMES: Meaning[] = ['start', 'end', 'duration'];

const PER_SECOND = new Map(
	Object.entries(UNITS).flatMap(([count, units]) => units.split(' ').map((unit) => [unit, Number(count)])),
);
const WORD_FIELDS = new Map<string, Key>();
for (const meaning of Object.keys(MEANINGS) as Meaning[]) {
	for (const [rank, name] of MEANINGS[meaning].split(' ').entries()) {
		WORD_FIELDS.set(name, { meaning, name, rank, perSecond: 1 });
		// What says its unit is clearer than what does not.
		const key = { meaning, name, rank: rank - 100 };
		for (const [unit, perSecond] of TIMES.includes(meaning) ? PER_SECOND : []) {
			WORD_FIELDS.set(name + unit, { ...key, perSecond }).set(`${name}in${unit}`, { ...key, perSecond });
		}
	}
}
const PEOPLE = MEANINGS.person.split(' ');
const GROUPS = MEANINGS.group.split(' ');
const IDS = MEANINGS.id.split(' ');
const SPEAKERS = [...PEOPLE, ...GROUPS, ...IDS];
/** Values that number speakers instead of naming them. */
const NUMBER = /^(?:s|spk|speaker|participant|user)?[\s_-]*(?:\d+|[a-z])$/i;
/** A time that is larger is a date, and what has more values is no speaker. */
const MAX_SECONDS = 1e6;
const MAX_SPEAKERS = 200;

/** What entries say of their speaker, by name of key; all that say the same share it. */
interface Voice {
	says: Record<string, string>;
	speaker: string | null;
}

const plainKey = (key: string) => key.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');

/** The words of a transcript, and a sentence if it is not clear who speaks; throws CodedError for an entry without a text. */
export async function readSpeech(entries: IDataObject[]) {
	const keys = new Map<string, Key | undefined>();
	const keyNamed = (name: string) => {
		if (!keys.has(name)) keys.set(name, WORD_FIELDS.get(plainKey(name.slice(0, 100))));
		return keys.get(name);
	};
	const voices = new Map<string, Voice>();
	const read: Array<[voice: Voice, word: Omit<Speech, 'speaker'>]> = [];
	const take = (entry: IDataObject) => {
		const says: Voice['says'] = {};
		const found: Partial<Record<Meaning, { rank: number; value: string | number }>> = {};
		for (const [name, given] of partsWithKeys(entry)) {
			const key = keyNamed(name);
			const value = key ? valueOf(given, key) : null;
			if (value === null) continue;
			const { meaning, name: known } = key!;
			const rank = value === '' ? Infinity : key!.rank;
			if (meaning !== 'text' && !TIMES.includes(meaning)) says[known] ??= String(value);
			else if (!found[meaning] || rank < found[meaning].rank) found[meaning] = { rank, value };
		}
		if (!found.text) {
			const fields = firstFew(Object.keys(entry), quoted);
			throw codedError(EXPORT_ERRORS, 'transcript_words_unknown', { fields });
		}
		const id = JSON.stringify(says);
		const voice = voices.get(id) ?? { says, speaker: null };
		if (voices.size <= MAX_SPEAKERS) voices.set(id, voice);
		const [start, end, duration] = TIMES.map((meaning) => (found[meaning]?.value ?? null) as number | null);
		const ended = start !== null && duration !== null ? Math.round((start + duration) * 1e6) / 1e6 : null;
		read.push([voice, { text: String(found.text.value), start, end: end ?? ended }]);
	};
	await inTurns(entries, (entry) => partsOf(entry, keyNamed).forEach(take));
	const perSecond = countPerSecond(read.map(([, word]) => word));
	const inSeconds = (time: number | null) =>
		time !== null && time / perSecond <= MAX_SECONDS ? time / perSecond : null;
	const isClear = voices.size <= MAX_SPEAKERS && nameSpeakers([...voices.values()]);
	const words: Speech[] = [];
	await inTurns(read, ([{ speaker }, { text, start, end }]) =>
		words.push({ speaker, text, start: inSeconds(start), end: inSeconds(end) }),
	);
	const warning = `It is not clear who speaks: the words have the fields ${firstFew(keys.keys(), quoted)}.`;
	return { words, warning: isClear || words.length === 0 ? null : warning };
}

/** An entry, or those in its only list if it has no text itself: sentences of a speaker. Of alternatives, the best is first. */
function partsOf(entry: IDataObject, keyNamed: (name: string) => Key | undefined): IDataObject[] {
	const fields = Object.entries(entry);
	const isText = ([name, value]: [string, unknown]) =>
		keyNamed(name)?.meaning === 'text' && typeof value === 'string';
	const lists = fields.filter(([, value]) => Array.isArray(value) && value.some(isObject));
	if (fields.some(isText) || lists.length !== 1) return [entry];
	const [[name, list]] = lists as Array<[string, unknown[]]>;
	const parts = list.filter(isObject).map((part) => ({ ...entry, [name]: null, ...part }));
	return /^(?:alternatives|n_?best)$/i.test(name) ? parts.slice(0, 1) : parts;
}

/** 1 unless a letter takes more than 30 seconds, 1000 if it takes as many milliseconds, NaN if it is neither. */
function countPerSecond(words: Array<Omit<Speech, 'speaker'>>): number {
	let [letters, time] = [0, 0];
	for (const { text, start, end } of words) {
		if (!Number.isInteger(start ?? 0) || !Number.isInteger(end ?? 0)) return 1;
		if (start === null || end === null) continue;
		letters += text.length;
		time += end - start;
	}
	if (time <= 30 * letters) return 1;
	return time <= 1000 * letters ? 1000 : NaN;
}

function* partsWithKeys(entry: IDataObject): Generator<[key: string, value: unknown]> {
	for (const [key, value] of Object.entries(entry)) {
		if (isObject(value)) for (const [part, inner] of Object.entries(value)) yield [`${key}.${part}`, inner];
		else yield [key, value];
	}
}

/** A text on one line, a name, or seconds; null for what cannot be read as this. */
function valueOf(value: unknown, { meaning, perSecond }: Key): string | number | null {
	const text = typeof value === 'string' ? value.trim().replace(/\s+/g, ' ') : '';
	if (meaning === 'text') return typeof value === 'string' ? text : null;
	if (!TIMES.includes(meaning)) return typeof value === 'number' ? String(value) : text || null;
	const seconds = typeof value === 'number' ? value / perSecond : secondsOf(text.slice(0, 50), perSecond);
	return seconds >= 0 && seconds <= MAX_SECONDS * 1000 ? seconds : null;
}

/** Reads `65`, `65.5 s`, `1:05`, `00:01:05,000` or `PT65S`; NaN for anything else. */
function secondsOf(text: string, perSecond: number): number {
	const [, hours = 0, minutes, rest] =
		/^(?:(\d+):(?=[0-5]?\d:))?(\d+):([0-5]?\d(?:[.,]\d+)?)$/.exec(text) ?? [];
	if (rest !== undefined) return Number(hours) * 3600 + Number(minutes) * 60 + Number(rest.replace(',', '.'));
	const [, amount, unit] = /^(\d+(?:[.,]\d+)?)\s*([a-z]*)$/i.exec(text) ?? [];
	if (amount === undefined) return Duration.fromISO(text).as('seconds');
	const count = unit === '' ? perSecond : PER_SECOND.get(unit.toLowerCase());
	return Number(amount.replace(',', '.')) / (count ?? NaN);
}

/** Names each speaker by the key that tells them apart, or by the name that comes with it; returns whether each has a name. */
function nameSpeakers(all: Voice[]): boolean {
	const voices = all.filter(({ says }) => Object.keys(says).length > 0);
	const present = SPEAKERS.filter((key) => {
		const values = new Set(voices.flatMap(({ says }) => says[key] ?? []));
		// One channel or role of all words is the recording's, not a speaker's.
		return values.size > (GROUPS.includes(key) ? 1 : 0);
	});
	const names = present.filter(
		(key) => PEOPLE.includes(key) && voices.some(({ says }) => !NUMBER.test(says[key] ?? '1')),
	);
	const whole = present.filter((key) => voices.every(({ says }) => says[key] !== undefined));
	const rivals = names.length > 0 ? names : present;
	const candidates = [...whole.filter((key) => names.includes(key)), ...whole, ...rivals];
	const key = candidates.find((one) => rivals.every((other) => meaningOf(voices, one, other)));
	if (key === undefined) return false;
	const titles = (names.includes(key) ? [key] : names).map((name) => meaningOf(voices, key, name)!);
	for (const voice of voices) {
		const own = voice.says[key] as string | undefined;
		voice.speaker = own === undefined ? null : (titles.map((title) => title.get(own)).find(Boolean) ?? own);
	}
	// Two people can have one name.
	const id = whole.find((one) => one !== key && IDS.includes(one) && !one.startsWith('channel')) ?? key;
	const named = [...(meaningOf(voices, id, key)?.values() ?? [])];
	for (const voice of voices) {
		const isShared = named.filter((name) => name === voice.says[key]).length > 1;
		if (isShared) voice.speaker = `${voice.speaker} (${voice.says[id]})`;
	}
	return voices.every(({ speaker }) => speaker !== null);
}

/** What each value of a key means by another key; undefined if one means two. */
function meaningOf(voices: Voice[], key: string, other: string): Map<string, string> | undefined {
	const meanings = new Map<string, string>();
	for (const { says } of voices) {
		const [own, meaning] = [says[key], says[other]] as Array<string | undefined>;
		if (own === undefined || meaning === undefined) continue;
		if ((meanings.get(own) ?? meaning) !== meaning) return undefined;
		meanings.set(own, meaning);
	}
	return meanings;
}
