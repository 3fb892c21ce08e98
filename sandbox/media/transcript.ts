import { randomOf, type Row, talkOf } from '../data/rows';
import { speech } from '../data/words';
import { round } from '../statistics';

const maxWords = 600;

/**
 * The transcript of a conversation: words with speaker and timing (D1-DATA-04).
 * Sandbox's own choice: a flat array, the field names, and seconds from the start of the recording.
 */
export function transcriptOf(seed: number, row: Row) {
	const random = randomOf(seed, row, 5);
	const { duration } = talkOf(seed, row);
	const speakers = [row.user.name ?? 'Rep', 'Customer'];
	const words: Array<{ speaker: string; word: string; start: number; end: number }> = [];
	let [time, turn, left] = [random.next(), 0, random.whole(4, 24)];
	while (time < duration - 1 && words.length < maxWords) {
		const end = time + 0.15 + random.next() * 0.4;
		const word = random.pick(speech);
		words.push({ speaker: speakers[turn % 2], word, start: round(time, 2), end: round(end, 2) });
		time = end + 0.05;
		if (--left === 0) [turn, left] = [turn + 1, random.whole(4, 24)];
	}
	return words;
}
