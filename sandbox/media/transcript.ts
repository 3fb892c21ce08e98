import type { Organization } from '../data/organization';
import { randomOf, type Row, talkOf } from '../data/rows';
import { speech } from '../data/words';
import { round } from '../statistics';

/** One word of a transcript. Sandbox's own choice: the names; the document says "speaker-tagged words with timings". */
export interface TranscriptWord {
	speaker: string;
	word: string;
	/** Seconds from the start of the recording. */
	start: number;
	end: number;
}

const mostWords = 600;

/** The transcript of a conversation: a flat array of words (D1 § Events, `transcript_url`). */
export function transcriptOf(organization: Organization, row: Row): TranscriptWord[] {
	const random = randomOf(organization, row, 5);
	const { duration } = talkOf(organization, row);
	const speakers = [row.user.name ?? 'Rep', 'Customer'];
	const words: TranscriptWord[] = [];
	let time = random.next();
	let turn = 0;
	while (time < duration - 1 && words.length < mostWords) {
		const length = random.whole(4, 24);
		for (let index = 0; index < length && time < duration - 1; index++) {
			const end = time + 0.15 + random.next() * 0.4;
			words.push({
				speaker: speakers[turn % 2],
				word: random.pick(speech),
				start: round(time, 2),
				end: round(end, 2),
			});
			time = end + 0.05;
		}
		turn++;
	}
	return words;
}
