import type { IDataObject } from 'n8n-workflow';
import { codedError } from '../base/codedErrors';
import { forEachYielding } from '../base/concurrency';
import { cut } from '../base/text';
import type { ServiceContext } from '../http/request';
import type { ConversationFilter } from '../selection/filterRules';
import { foldedWords, mayBeSaid, placeIn, termsOf } from '../selection/saidWords';
import { MEDIA_ERRORS } from './mediaErrors';
import { joined, transcriptEntries, transcriptErrorOf, transcriptTurns, useTranscript } from './transcript';
import { readSpeech, type Speech } from './words';

/** Maximum bytes of a text that is searched in one step, because n8n can do nothing else during the step. */
const MAX_QUICK_BYTES = 2 ** 18;
/** How many entries are read to check a transcript that cannot have the search words. */
const SAMPLE = 20;
/** Characters of a passage, and of what was said before and after it. */
const MAX_TEXT = 3000;
const MAX_NEIGHBOUR = 300;

/** What a search in the transcript of a conversation found. */
export interface Search {
	passages: Passage[];
	/** The words that were read. If the text cannot have the search words, only the first ones; undefined if unread. */
	speech?: Awaited<ReturnType<typeof readSpeech>>;
	/** Why the transcript could not be searched. */
	error: string | null;
}

export type Passage = Awaited<ReturnType<typeof passagesIn>>[number];

/** The filters of what was said. */
export type Said = Pick<ConversationFilter, 'said' | 'saidBy'>;

/** Downloads a transcript and searches it; one that cannot be searched says why, unless the execution was stopped. */
export async function searchTranscript(
	context: ServiceContext,
	row: IDataObject,
	wanted: Said,
): Promise<Search> {
	if (!row.transcriptUrl) return { passages: [], error: null };
	try {
		return await useTranscript(context, row, async (json) => {
			const isPossible = json.length > MAX_QUICK_BYTES || mayBeSaid(json.toString(), wanted.said ?? '');
			const speech = await readSpeech(await transcriptEntries(json, isPossible ? Infinity : SAMPLE));
			return { passages: isPossible ? await passagesIn(row, speech.words, wanted) : [], speech, error: null };
		});
	} catch (error) {
		return { passages: [], error: transcriptErrorOf(context, error) };
	}
}

/**
 * The turns of a conversation in which words were said, with what was said before and after.
 * @throws CodedError if it is not clear whether the rep said them, but Said By is set
 */
async function passagesIn(row: IDataObject, words: Speech[], { said = '', saidBy }: Said) {
	const terms = termsOf(said);
	const turns = await transcriptTurns(row, words);
	const { folded, firsts, offsets } = await foldedTurns(words);
	const passages: Array<(typeof turns)[number] & { before: string | null; after: string | null }> = [];
	await forEachYielding(turns.entries(), ([index, turn]) => {
		const place = placeIn(folded[index], terms);
		if (place === undefined) return;
		if (saidBy && turn.isRep === null) throw codedError(MEDIA_ERRORS, 'speaker_unclear', {});
		if (saidBy && turn.isRep !== (saidBy === 'rep')) return;
		const [before, after] = [turns[index - 1]?.text ?? null, turns[index + 1]?.text ?? null];
		const [from, to] = [firsts[index], firsts[index + 1]];
		const isLong = turn.text.length > MAX_TEXT;
		const part = isLong ? partAround(place, words.slice(from, to), offsets.slice(from, to)) : {};
		passages.push({ ...turn, ...part, before: before && lastOf(before), after: after && firstOf(after) });
	});
	return passages;
}

/** Each turn's folded words and the index of its first word, and where each word begins in the folded words. */
async function foldedTurns(words: Speech[]) {
	const [folded, firsts, offsets]: [string[], number[], number[]] = [[], [], []];
	const known = new Map<string, string>();
	await forEachYielding(words.entries(), ([index, { speaker, text }]) => {
		if (index === 0 || words[index - 1].speaker !== speaker) {
			folded.push(' ');
			firsts.push(index);
		}
		const own = known.get(text) ?? foldedWords(text);
		if (known.size < 10_000) known.set(text, own);
		offsets.push(folded.at(-1)!.length - 1);
		if (own !== '') folded[folded.length - 1] += `${own} `;
	});
	return { folded, firsts, offsets };
}

/** The words of a long turn around a place in what is folded. */
function partAround(place: number, words: Speech[], offsets: number[]) {
	let from = offsets.findLastIndex((offset) => offset <= place);
	let [to, room] = [from + 1, MAX_TEXT];
	while (from > 0 && room > MAX_TEXT / 2) room -= words[--from].text.length + 1;
	while (to < words.length && room > 0) room -= words[to++].text.length + 1;
	const part = words.slice(from, to);
	return { start: part[0].start, end: part.at(-1)!.end, text: firstOf(joined(part), MAX_TEXT) };
}

const firstOf = (text: string, max = MAX_NEIGHBOUR) => (text.length > max ? `${cut(text, max)}…` : text);
const lastOf = (text: string) =>
	text.length > MAX_NEIGHBOUR ? `…${text.slice(-MAX_NEIGHBOUR).replace(/^[\udc00-\udfff]/, '')}` : text;
