import fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';
import {
	addTranscript,
	readTranscript,
	transcriptErrorOf,
	transcriptText,
	transcriptTurns,
	useTranscript,
} from '../../../../nodes/shared/media/transcript';
import { readSpeech } from '../../../../nodes/shared/media/words';
import { ID, mediaHost, URL } from './mediaHost';

const words = async (entries: IDataObject[]) => (await readSpeech(entries)).words;
const ROW = { conversationId: ID, transcriptUrl: URL };
const sends = (body: string) => ({ sends: [{ statusCode: 200, body }] });

/** The text of entries, in which an agent reads on. */
const NEXT = 'Continue with From Position';
const textOf = async (
	entries: IDataObject[],
	part: { from?: number; maxLength?: number; next?: string } = {},
) => await transcriptText(await words(entries), part);

test('joins the words of a turn, with the times of its first and last one, and whether the rep speaks', async () => {
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
	const turnsOf = async (name: string | null) =>
		(await transcriptTurns({ conversationId: 'c', user: { name } }, await words(entries))).map(Object.values);
	expect(await turnsOf('a\u200bNA\u00a0')).toEqual([
		['c/turns/1', 'Ana', true, 0.9, 2.5, 'Good day!'],
		['c/turns/2', 'Ben', false, 61, null, 'Hello'],
		['c/turns/3', 'Ana', true, 36_610, null, 'Bye [01:03] Ben: no'],
		['c/turns/4', null, null, null, null, 'Hi'],
	]);
	// Who the rep is is not guessed.
	for (const name of ['Bo', null])
		expect((await turnsOf(name)).map((turn) => turn[2])).toEqual([null, null, null, null]);
});

test.each([
	['今日 は いい 天気 です 。', '今日はいい天気です。'],
	['我 在 用 iPhone 。 你 呢 ？', '我在用iPhone。你呢？'],
	['สวัสดี ครับ', 'สวัสดีครับ'],
	['ｶﾀｶﾅ ﾃﾞｽ', 'ｶﾀｶﾅﾃﾞｽ'],
	['𠮷 野 家', '𠮷野家'],
	['오늘 날씨 가', '오늘 날씨 가'],
	['no space is lost', 'no space is lost'],
	['Yes , of course .', 'Yes, of course.'],
	['नमस्ते जी', 'नमस्ते जी'],
])('joins the words %s with spaces only where the script has them', async (text, joined) => {
	const entries = text.split(' ').map((word) => ({ speaker: 'A', word }));
	expect(await textOf(entries)).toBe(`A: ${joined}`);
	expect(await transcriptTurns({}, await words(entries))).toMatchObject([{ text: joined }]);
});

const LONG = `{"word":"${'x'.repeat(100_001)}"},{"word":"b"}`;
const REFUSED = '{"word":"Hi"} ["Hi"] [{"word":"Hi"},null] null [{"word": []] [{}],{}'.split(' ');
// What would hold n8n's event loop while it is parsed.
const KEYS = JSON.stringify(Object.fromEntries(Array.from({ length: 20_001 }, (_, n) => [`key${n}`, n])));
const DEEP = `[{"word":"Hi","more":${'['.repeat(70)}${']'.repeat(70)}}]`;
// A slice of a long transcript can be whole, and the next one not.
const BROKEN_LATER = ['[LONG,["c"]]', '[LONG,{"word":"c"}', '[LONG,null]'];

test.each(['', ...REFUSED, ...BROKEN_LATER, '[KEYS]', DEEP])('rejects the transcript %s', async (body) => {
	const { context } = mediaHost(sends(body.replace('LONG', LONG).replace('KEYS', KEYS)));
	const details = { code: 'transcript_unreadable' };
	await expect(readTranscript(context, ROW)).rejects.toMatchObject({ details });
});

test('returns whole characters, also where the service sends half of one or an agent starts in the middle', async () => {
	const { context } = mediaHost(sends('[{"speaker":"\\ud83d","word":"\\ud83d\\ude00\\uD83D","\\udc00":[]}]'));
	const entries = await readTranscript(context, ROW);
	expect(entries).toEqual([{ speaker: '\ufffd', word: '😀\ufffd', '\ufffd': [] }]);
	expect(await transcriptText(await words([{ word: 'a😀b' }]), { from: 2 })).toBe('\ufffdb');
	const [line] = (await textOf([{ speaker: `${'x'.repeat(59)}😀`, word: 'Hi' }])).split(': ');
	expect(line).toBe('x'.repeat(59));
});

test('reads up to 10 MB, and rejects a larger transcript without asking for it again', async () => {
	const word = `Gr\u00FC\u00DFe${'x'.repeat(190_000)}`;
	const below = mediaHost(sends(`\uFEFF${JSON.stringify(Array(50).fill({ word }))}`));
	const entries = await readTranscript(below.context, ROW);
	expect(entries.filter((entry) => entry.word === word)).toHaveLength(50);

	const { context, asked, bodies } = mediaHost(sends(`["${'x'.repeat(11_000_000)}"]`));
	const error = await readTranscript(context, ROW).catch((thrown: unknown) => thrown);
	expect(error).toMatchObject({ details: { code: 'transcript_too_large' } });
	expect(transcriptErrorOf(context, error)).toContain('10 MB');
	expect(asked).toHaveLength(1);
	expect(bodies[0].destroyed).toBe(true);
});

test('large transcripts are downloaded and read one after another, and small ones do not wait for them', async () => {
	const body = JSON.stringify([{ word: 'x'.repeat(2_000_000) }]);
	const [large, small] = [mediaHost(sends(body)), mediaHost(sends('[]'))];
	const { httpRequest } = large.context.helpers;
	let release = () => {};
	const released = new Promise<void>((resolve) => (release = resolve));
	let asked = 0;
	const inMemory: number[] = [];
	large.context.helpers.httpRequest = async (options) => {
		// Each is found to be large first.
		if (++asked > 3) {
			inMemory.push((inMemory.at(-1) ?? 0) + 1);
			await released;
		}
		return (await httpRequest(options)) as unknown;
	};
	const read = jest.fn(async (json: Buffer) => {
		if (json.length === body.length) inMemory.push(inMemory.at(-1)! - 1);
	});
	const reading = [1, 2, 3].map(async () => await useTranscript(large.context, ROW, read));
	await useTranscript(small.context, ROW, read);
	expect(read.mock.calls.map(([json]) => json.length)).toEqual([2]);
	release();
	await Promise.all(reading);
	expect(inMemory).toEqual([1, 0, 1, 0, 1, 0]);
	expect(large.bodies.map(({ destroyed }) => destroyed)).toEqual(Array(6).fill(true));
});

test('transcripts that are downloaded side by side are read one after another', async () => {
	const { context } = mediaHost(sends('[]'));
	const events: string[] = [];
	const read = async () => {
		events.push('begins');
		await new Promise(setImmediate);
		events.push('ends');
	};
	await Promise.all([1, 2].map(async () => await useTranscript(context, ROW, read)));
	expect(events).toEqual(['begins', 'ends', 'begins', 'ends']);
});

test('fails when the execution is stopped, and adds no text to the row', async () => {
	const json = {};
	const { context } = mediaHost({ ...sends('[]'), signal: AbortSignal.abort(new Error('stopped')) });

	const added = addTranscript(context, ROW, json, { asTurns: false, maxLength: Infinity });
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
			const { context } = mediaHost(sends(JSON.stringify(entries, null, isPretty ? 2 : undefined)));
			expect(JSON.stringify(await readTranscript(context, ROW))).toBe(JSON.stringify(entries));
		}),
		{ numRuns: 10 },
	);
});

test('n8n keeps responding while a long transcript is parsed, read, joined and cut', async () => {
	// A millisecond for each look at the clock: 8 of them are a turn.
	let now = 0;
	jest.spyOn(performance, 'now').mockImplementation(() => now++);
	const long = Array.from({ length: 800 }, (_, index) => ({ word: 'x'.repeat(2000), start: index }));
	const { context } = mediaHost(sends(JSON.stringify(long)));
	const during = async <Result>(work: Promise<Result>, least: number) => {
		let [turns, isOver] = [0, false];
		const count = () => void (turns++, isOver || setImmediate(count));
		count();
		const result = await work.finally(() => (isOver = true));
		expect(turns).toBeGreaterThanOrEqual(least);
		return result;
	};
	// 1.6 MB are 16 slices and as many pauses.
	const entries = await during(readTranscript(context, ROW), 4);
	const read = await during(words(entries), 200);
	for (const part of [{}, { maxLength: 50 }]) await during(transcriptText(read, part), 100);
	await during(transcriptTurns({}, read), 100);
});

const SAID = ['Good', 'day', 'sir', 'x'.repeat(3000)].map((word, n) => ({
	speaker: 'Ana',
	word,
	start: n / 2,
}));
const SHOWN = '[00:00] Ana: Good day';
test.each([
	[SAID, { maxLength: 21, next: NEXT }, `${SHOWN}\n[Cut: 21 of 3,026 characters. ${NEXT} 7]`],
	// A person cannot continue.
	[SAID, { maxLength: 24 }, `${SHOWN}\n[Cut: 21 of 3,026 characters]`],
	[SAID, { maxLength: 25, from: 7 }, '[00:01] Ana: sir\n[Cut: 16 of 3,017 characters]'],
	[SAID, { maxLength: 3026 }, `${SHOWN} sir ${'x'.repeat(3000)}`],
	[SAID, { maxLength: 3100, from: 3010 }, '[No words from position 3010 on: the last one ends at 3010]'],
	[[{ word: 'Hi you' }], { maxLength: 4, next: NEXT }, `Hi\n[Cut: 2 of 6 characters. ${NEXT} 3]`],
	// Without any space, it is cut inside of a word, but not in the middle of a character.
	[[{ word: 'ab😀c' }], { maxLength: 3, next: NEXT }, `ab😀\n[Cut: 4 of 5 characters. ${NEXT} 4]`],
])(
	'a text that is cut ends with a whole word and where to continue: of %p, %j',
	async (entries, part, text) => {
		expect(await textOf(entries, part)).toBe(text);
	},
);

test('the parts of a text have every word once, in order, and are no longer than allowed', async () => {
	const time = fc.option(fc.oneof(fc.double(), fc.constantFrom<unknown>('00:01:05', 5, -1, 'soon', 5, 4)));
	const signs = ['aé😀語', 'aé😀語 '].map((all) => fc.constantFrom(...all));
	const text = fc.oneof(...signs.map((unit) => fc.string({ unit, maxLength: 900 })));
	const speaker = fc.option(fc.constantFrom('Ana', 'Ben', 'x'.repeat(500)));
	const entries = fc.array(fc.record({ speaker, text, start: time }), { minLength: 1, maxLength: 60 });
	await fc.assert(
		fc.asyncProperty(entries, fc.integer({ min: 1, max: 1500 }), async (said, maxLength) => {
			const all = await words(said as IDataObject[]);
			let [read, from] = ['', 0];
			for (let parts = 0; ; parts++) {
				const part = await transcriptText(all, { from, maxLength, next: NEXT });
				if (maxLength > 240) expect(part.length).toBeLessThanOrEqual(maxLength);
				const [, body, next] = /^([^]*)\n\[Cut: .*Position (\d+)\]$/.exec(part) ?? [undefined, part];
				read += body.replace(/^(?:\[[\d:]+\] )?(?:(?:Ana|Ben|x{60}): )?/gm, '');
				if (next === undefined) break;
				expect(Number(next)).toBeGreaterThan(from);
				from = Number(next);
			}
			const whole = all.map((word) => word.text).join('');
			expect(read.replace(/\s/g, '')).toBe(whole.replace(/\s/g, ''));
		}),
	);
});
