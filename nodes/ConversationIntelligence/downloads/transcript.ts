import { UserError, type IDataObject } from 'n8n-workflow';

/** One word of a transcript, as far as it could be read. */
interface Word {
	speaker: string;
	text: string;
	/** Seconds from the start of the recording. */
	start: number | undefined;
}

/**
 * A transcript's entries. The document says only "array of speaker-tagged words with timings"; the names of their
 * fields are not shown, so entries pass through as they are.
 *
 * @param body the transcript file
 * @throws UserError when it is not a JSON array of objects
 */
export function parseTranscript(body: string): IDataObject[] {
	let entries: unknown;
	try {
		entries = JSON.parse(body);
	} catch {
		entries = undefined;
	}
	if (Array.isArray(entries) && entries.every((entry) => typeof entry === 'object' && entry !== null)) {
		return entries as IDataObject[];
	}
	throw new UserError(
		'The transcript is not a JSON list of words, as the document describes it. Choose File as the output to look at it.',
	);
}

/**
 * The transcript as text for people and language models: one line for each turn, `[mm:ss] Speaker: words`.
 *
 * @param entries as from {@link parseTranscript}
 * @throws UserError when the words cannot be told from the other fields
 */
export function transcriptText(entries: IDataObject[]): string {
	const turns: Array<{ speaker: string; start: number | undefined; words: string[] }> = [];
	for (const entry of entries) {
		const { speaker, text, start } = readWord(entry);
		const turn = turns.at(-1);
		if (turn?.speaker === speaker) turn.words.push(text);
		else turns.push({ speaker, start, words: [text] });
	}
	return turns.map(({ speaker, start, words }) => `${clock(start)}${speaker}: ${words.join(' ')}`).join('\n');
}

/** Told by name, because the document shows none: what matches first is taken. */
const NAMES = { speaker: /speaker/i, text: /word|text|content/i, start: /start|begin|from/i };

function readWord(entry: IDataObject): Word {
	const find = (name: RegExp, types: string[]) =>
		Object.entries(entry).find(([key, value]) => name.test(key) && types.includes(typeof value))?.[1];
	const text = find(NAMES.text, ['string']);
	if (typeof text !== 'string') {
		throw new UserError(
			`The words of the transcript were not found; its entries have the fields ${Object.keys(entry).join(', ')}. Choose Items or File as the output.`,
		);
	}
	const speaker = find(NAMES.speaker, ['string', 'number']);
	const start = Number(find(NAMES.start, ['number', 'string']));
	return {
		speaker: speaker === undefined ? 'Speaker' : String(speaker),
		text: text.trim(),
		start: Number.isFinite(start) ? start : undefined,
	};
}

/** `[mm:ss] `, with hours where there are any. */
function clock(seconds: number | undefined): string {
	if (seconds === undefined) return '';
	const whole = Math.floor(seconds);
	const parts = [Math.floor(whole / 60) % 60, whole % 60].map((part) => String(part).padStart(2, '0'));
	const hours = Math.floor(whole / 3600);
	return `[${hours > 0 ? `${hours}:` : ''}${parts.join(':')}] `;
}
