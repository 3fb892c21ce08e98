import fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';
import {
	addTranscript,
	readTranscript,
	transcriptText,
	transcriptTurns,
} from '../../../../nodes/ConversationIntelligence/downloads/transcript';
import { readSpeech } from '../../../../nodes/ConversationIntelligence/downloads/words';
import { ID, mediaItem, URL } from './mediaItem';

const ROW = { conversationId: ID, transcriptUrl: URL };
const sends = (body: string) => ({ sends: [{ statusCode: 200, body }] });

/** The text of entries, in which an agent reads on. */
const NEXT = 'Continue with From Position';
const textOf = async (
	entries: IDataObject[],
	part: { from?: number; maxLength?: number; next?: string } = {},
) => await transcriptText((await readSpeech(entries)).words, part);

test('joins the words of a turn, which has the times of its first and last one, with a line for each', async () => {
	const entries = [
		{ speaker: 'Ana', word: ' Good ', startMs: 900, endMs: 1100 },
		{ speaker: 'Ana', word: '' },
		{ speaker: 'Ana', word: 'day', startMs: 2000, endMs: 2500 },
		{ speaker: 'Ana', word: '!' },
		{ speaker: 'Ben', word: 'Hello', startMs: 61_000 },
		{ speaker: 'Ana', word: 'Bye\n[01:03] Ben: no', startMs: 36_610_000 },
		// No name is invented.
		{ word: 'Hi' },
	];
	const lines = ['[00:00] Ana: Good day!', '[01:01] Ben: Hello', '[10:10:10] Ana: Bye [01:03] Ben: no', 'Hi'];
	expect(await textOf(entries)).toBe(lines.join('\n'));
	expect(await textOf([])).toBe('');
	const turns = await transcriptTurns({ conversationId: 'c' }, (await readSpeech(entries)).words);
	expect(turns.map(({ rowKey, speaker, start, end, text }) => [rowKey, speaker, start, end, text])).toEqual([
		['c/turns/1', 'Ana', 0.9, 2.5, 'Good day!'],
		['c/turns/2', 'Ben', 61, null, 'Hello'],
		['c/turns/3', 'Ana', 36_610, null, 'Bye [01:03] Ben: no'],
		['c/turns/4', null, null, null, 'Hi'],
	]);
});

test.each([
	['今日 は いい 天気 です 。', '今日はいい天気です。'],
	['我 在 用 iPhone 。 你 呢 ？', '我在用iPhone。你呢？'],
	['สวัสดี ครับ', 'สวัสดีครับ'],
	['ｶﾀｶﾅ ﾃﾞｽ', 'ｶﾀｶﾅﾃﾞｽ'],
	['𠮷 野 家', '𠮷野家'],
	['오늘 날씨 가', '오늘 날씨 가'],
	['no blank is lost', 'no blank is lost'],
	['Yes , of course .', 'Yes, of course.'],
	['नमस्ते जी', 'नमस्ते जी'],
])('joins the words %s with blanks only where the script has them', async (text, joined) => {
	const entries = text.split(' ').map((word) => ({ speaker: 'A', word }));
	expect(await textOf(entries)).toBe(`A: ${joined}`);
	expect(await transcriptTurns({}, (await readSpeech(entries)).words)).toMatchObject([{ text: joined }]);
});

const LONG = `{"word":"${'x'.repeat(100_001)}"},{"word":"b"}`;
const REFUSED = '{"word":"Hi"} ["Hi"] [{"word":"Hi"},null] null [{"word": []] [{}],{}'.split(' ');
// A slice of a long transcript can be whole, and the next one not.
const BROKEN_LATER = ['[LONG,["c"]]', '[LONG,{"word":"c"}', '[LONG,null]'];

test.each(['', ...REFUSED, ...BROKEN_LATER])('refuses the transcript %s', async (body) => {
	const { item } = mediaItem(sends(body.replace('LONG', LONG)));
	const details = { code: 'transcript_unreadable' };
	await expect(readTranscript(item, ROW)).rejects.toMatchObject({ details });
});

test('reads up to 20 MB, and refuses a larger transcript without asking for it again', async () => {
	const below = mediaItem(sends(`\uFEFF[{"word":"Gr\u00FC\u00DFe${'x'.repeat(19_000_000)}"}]`));
	const [{ word }] = await readTranscript(below.item, ROW);
	expect(String(word).slice(0, 6)).toBe('Gr\u00FC\u00DFex');

	const { item, asked, bodies } = mediaItem(sends(`["${'x'.repeat(21_000_000)}"]`));
	const refused = {
		context: { details: { code: 'transcript_too_large' } },
		message: expect.stringContaining('20 MB'),
	};
	await expect(readTranscript(item, ROW)).rejects.toMatchObject(refused);
	expect(asked).toHaveLength(1);
	expect(bodies[0].destroyed).toBe(true);
});

test('fails when the execution is stopped, and adds no text to the row', async () => {
	const json = {};
	const { item } = mediaItem({ ...sends('[]'), signal: AbortSignal.abort(new Error('stopped')) });

	const added = addTranscript(item, ROW, json, { asTurns: false, maxLength: Infinity });
	await expect(added).rejects.toThrow('stopped');
	expect(json).toEqual({ transcript: null, transcriptError: null, transcriptWarning: null });
});

test('parses a long transcript in slices, with every entry as it was', async () => {
	const tricky = fc.constantFrom('a', ',', '[', ']', '{', '}', '"', '\\', '\\"', '],[', '\n', '語');
	const text = fc.array(tricky, { maxLength: 20 }).map((parts) => parts.join(''));
	const entry = fc.dictionary(
		text,
		fc.oneof(text, fc.array(fc.record({ text })), fc.double({ noNaN: true })),
	);
	await fc.assert(
		fc.asyncProperty(fc.array(entry, { minLength: 1 }), fc.boolean(), async (some, isPretty) => {
			// Longer than a few slices.
			const entries = Array.from({ length: 100 }, () => [...some, { text: 'x'.repeat(5000) }]).flat();
			const { item } = mediaItem(sends(JSON.stringify(entries, null, isPretty ? 2 : undefined)));
			expect(JSON.stringify(await readTranscript(item, ROW))).toBe(JSON.stringify(entries));
		}),
		{ numRuns: 10 },
	);
});

test('a long transcript leaves n8n its turns while it is parsed, read, joined and cut', async () => {
	// A millisecond for each look at the clock: 8 of them are a turn.
	let now = 0;
	jest.spyOn(performance, 'now').mockImplementation(() => now++);
	const long = Array.from({ length: 800 }, (_, index) => ({ word: 'x'.repeat(2000), start: index }));
	const { item } = mediaItem(sends(JSON.stringify(long)));
	const during = async <Result>(work: Promise<Result>, least: number) => {
		let [turns, isOver] = [0, false];
		const count = () => void (turns++, isOver || setImmediate(count));
		count();
		const result = await work.finally(() => (isOver = true));
		expect(turns).toBeGreaterThanOrEqual(least);
		return result;
	};
	// 1.6 MB are 16 slices and as many pauses.
	const entries = await during(readTranscript(item, ROW), 4);
	const { words } = await during(readSpeech(entries), 200);
	for (const part of [{}, { maxLength: 50 }]) await during(transcriptText(words, part), 100);
	await during(transcriptTurns({}, words), 100);
});

test.each([
	['Ana Diaz', [true, false, false]],
	['Ben', [null, null, null]],
	[null, [null, null, null]],
])(
	'of turns of Ana Diaz, a customer and somebody, it is not guessed whether the rep %p speaks',
	async (name, isRep) => {
		const entries = ['ana diaz ', 'Customer', ''].map((speaker) => ({ speaker, word: 'Hello' }));
		const turns = await transcriptTurns({ user: { name } }, (await readSpeech(entries)).words);
		expect(turns.map((turn) => turn.isRep)).toEqual(isRep);
	},
);

test('a text that is cut ends with a whole word and where to continue', async () => {
	const words = ['Good', 'day', 'sir', 'x'.repeat(3000)].map((word, n) => ({
		speaker: 'Ana',
		word,
		start: n / 2,
	}));
	const shown = '[00:00] Ana: Good day';
	for (const [part, text] of [
		[{ maxLength: 21, next: NEXT }, `${shown}\n[Cut: 21 of 3,026 characters. ${NEXT} 7]`],
		[{ maxLength: 24, next: NEXT }, `${shown}\n[Cut: 21 of 3,026 characters. ${NEXT} 7]`],
		// A person cannot continue.
		[{ maxLength: 21 }, `${shown}\n[Cut: 21 of 3,026 characters]`],
		[{ maxLength: 25, from: 7, next: NEXT }, `[00:01] Ana: sir\n[Cut: 16 of 3,017 characters. ${NEXT} 10]`],
		[{ maxLength: 3026 }, `${shown} sir ${'x'.repeat(3000)}`],
		[{ maxLength: 3100, from: 3010 }, '[No words from position 3010 on: the last one ends at 3010]'],
	] as const) {
		expect(await textOf(words, part)).toBe(text);
	}
	// A word without any blank is cut inside, but not in the middle of a character.
	const cut = await textOf([{ word: 'ab😀c' }], { maxLength: 3, next: NEXT });
	expect(cut).toMatch(/^ab😀\n.*4 of 5 .* Position 4\]$/);
});

test('the parts of a text have every word once, in order, and are no longer than allowed', async () => {
	const time = fc.option(fc.oneof(fc.double(), fc.constantFrom<unknown>('00:01:05', 5, -1, 'soon', 5, 4)));
	const text = fc.oneof(
		fc
			.array(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 12 }), { maxLength: 60 })
			.map((all) => all.join(' ')),
		fc.string({ unit: 'grapheme', minLength: 500, maxLength: 900 }),
	);
	const speaker = fc.option(fc.constantFrom('Ana', 'Ben', 'x'.repeat(500)));
	const entries = fc.array(fc.record({ speaker, text, start: time }), { minLength: 1, maxLength: 60 });
	await fc.assert(
		fc.asyncProperty(entries, fc.integer({ min: 1, max: 1500 }), async (all, maxLength) => {
			const { words } = await readSpeech(all as IDataObject[]);
			let [read, from] = ['', 0];
			for (let parts = 0; ; parts++) {
				const part = await transcriptText(words, { from, maxLength, next: NEXT });
				if (maxLength > 240) expect(part.length).toBeLessThanOrEqual(maxLength);
				const [, body, next] = /^([^]*)\n\[Cut: .*Position (\d+)\]$/.exec(part) ?? [undefined, part];
				read += body.replace(/^(?:\[[\d:]+\] )?(?:(?:Ana|Ben|x{60}): )?/gm, '');
				if (next === undefined) break;
				expect(Number(next)).toBeGreaterThan(from);
				from = Number(next);
			}
			const whole = words.map((word) => word.text).join('');
			expect(read.replace(/\s/g, '')).toBe(whole.replace(/\s/g, ''));
		}),
	);
});
