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

const words = async (entries: IDataObject[]) => (await readSpeech(entries)).words;
const ROW = { conversationId: ID, transcriptUrl: URL };
const sends = (body: string) => ({ sends: [{ statusCode: 200, body }] });

/** The text of entries, in which an agent reads on. */
const NEXT = 'Continue with From Position';
const textOf = async (
	entries: IDataObject[],
	part: { from?: number; maxLength?: number; next?: string } = {},
) => await transcriptText(await words(entries), part);

test('joins the words of a turn, which has the times of its first and last one, and says whether the rep speaks', async () => {
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
	expect(await turnsOf('ana ')).toEqual([
		['c/turns/1', 'Ana', true, 0.9, 2.5, 'Good day!'],
		['c/turns/2', 'Ben', false, 61, null, 'Hello'],
		['c/turns/3', 'Ana', true, 36_610, null, 'Bye [01:03] Ben: no'],
		['c/turns/4', null, false, null, null, 'Hi'],
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
	['no blank is lost', 'no blank is lost'],
	['Yes , of course .', 'Yes, of course.'],
	['नमस्ते जी', 'नमस्ते जी'],
])('joins the words %s with blanks only where the script has them', async (text, joined) => {
	const entries = text.split(' ').map((word) => ({ speaker: 'A', word }));
	expect(await textOf(entries)).toBe(`A: ${joined}`);
	expect(await transcriptTurns({}, await words(entries))).toMatchObject([{ text: joined }]);
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
	const read = await during(words(entries), 200);
	for (const part of [{}, { maxLength: 50 }]) await during(transcriptText(read, part), 100);
	await during(transcriptTurns({}, read), 100);
});

const SAID = ['Good', 'day', 'sir', 'x'.repeat(3000)].map((word, n) => ({ who: 'Ana', word, start: n / 2 }));
const SHOWN = '[00:00] Ana: Good day';
test.each([
	[SAID, { maxLength: 21, next: NEXT }, `${SHOWN}\n[Cut: 21 of 3,026 characters. ${NEXT} 7]`],
	// A person cannot continue.
	[SAID, { maxLength: 24 }, `${SHOWN}\n[Cut: 21 of 3,026 characters]`],
	[SAID, { maxLength: 25, from: 7 }, '[00:01] Ana: sir\n[Cut: 16 of 3,017 characters]'],
	[SAID, { maxLength: 3026 }, `${SHOWN} sir ${'x'.repeat(3000)}`],
	[SAID, { maxLength: 3100, from: 3010 }, '[No words from position 3010 on: the last one ends at 3010]'],
	[[{ word: 'Hi you' }], { maxLength: 4, next: NEXT }, `Hi\n[Cut: 2 of 6 characters. ${NEXT} 3]`],
	// Without any blank, it is cut inside of a word, but not in the middle of a character.
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

/** A key in the notations in which services write keys. */
const notations = (key: string) => {
	const parts = key.split(' ');
	const camel = parts.map((part, index) => (index > 0 ? part[0].toUpperCase() + part.slice(1) : part));
	return [parts.join('_'), parts.join('-'), camel.join(''), parts.join('').toUpperCase()];
};
const keyOf = (...keys: string[]) => fc.constantFrom(...keys.flatMap(notations));
const NAME_KEYS = ['speaker', 'speaker name', 'participant', 'participant name', 'name', 'spk', 'user name'];
const ID_KEYS = ['speaker id', 'participant id', 'spk id', 'user id', 'speaker tag', 'channel id'];
const NOISE = { speakerConfidence: 0.9, gender: 'f', wordId: 'w1', speaker_score: 1, type: 'word', index: 0 };

// D1-DATA-04
test('two people stay two, by their names before IDs, whatever the keys, their order and what else a word has', async () => {
	const NAMES = fc.constantFrom('Ana', 'Ben Diaz', '李雷', 'Customer 2', 'Rep');
	const input = fc.record({
		people: fc.uniqueArray(NAMES, { minLength: 2 }),
		nameKey: keyOf(...NAME_KEYS),
		idKey: fc.option(keyOf(...ID_KEYS)),
		object: fc.option(fc.constantFrom('participant', 'from')),
		textKey: keyOf('word', 'text', 'content', 'value'),
		isReversed: fc.boolean(),
		turns: fc.array(fc.nat(), { minLength: 10, maxLength: 40 }),
	});
	await fc.assert(
		fc.asyncProperty(input, async ({ people, nameKey, idKey, object, textKey, isReversed, turns }) => {
			const all = [...people.keys(), ...turns.map((turn) => turn % people.length)];
			const entries = all.map((who, index) => {
				const speaker: IDataObject = object
					? { [object]: { id: who, name: people[who], confidence: 0.5 } }
					: { [nameKey]: people[who], ...(idKey ? { [idKey]: who } : {}) };
				const fields = Object.entries({ ...NOISE, ...speaker, [textKey]: `w${index}`, gender: 'm' });
				return Object.fromEntries(isReversed ? fields.reverse() : fields) as IDataObject;
			});
			const read = await readSpeech(entries);
			expect(read.words.map(({ speaker }) => speaker)).toEqual(all.map((who) => people[who]));
			expect(read.words.map(({ text }) => text)).toEqual(all.map((_, index) => `w${index}`));
			expect(read.warning).toBeNull();
		}),
	);
});

test.each([
	['numbers alone', 'speaker 0; speaker 1', '0; 1'],
	['a name for each number', 'speaker 0, name Ana; speaker 1, name Ben', 'Ana; Ben'],
	['a name for one number', 'spk S1, name Ana; spk S2; spk S3', 'Ana; S2; S3'],
	['what differs, not by one title of all', 'name Roof, speaker Ana; name Roof, speaker Ben', 'Ana; Ben'],
	['roles', 'role rep; role customer', 'rep; customer'],
	['the IDs of two people of a role', 'role rep, speakerId 7; role rep, speakerId 9', '7; 9'],
	['one name in two channels', 'speaker Ana, channel 1; speaker Ana, channel 2', 'Ana; Ana'],
	['one name with two IDs, added to it', 'speaker Ana, userId 1; speaker Ana, userId 2', 'Ana (1); Ana (2)'],
	['numbered channels of media', 'media_channel 1; media_channel 2', '1; 2'],
	['names, but for a word without', 'speaker Ana, channel 1; speaker Ben, channel 1; side 1', 'Ana; Ben; -'],
	['one key, not by two', 'speaker Ana; participant Ben', 'Ana; -'],
	['none of names that contradict', 'speaker A, name B; speaker A, name C; speaker E, name B', '-; -; -'],
	['nothing in one channel', 'channel 0; channel 0', '-; -'],
	['nothing without a known key', 'gist Ana; gist Ben', '-; -'],
	['nothing without a value', 'speaker null; speaker true; speaker " "', '-; -; -'],
])('knows who speaks by %s', async (_what, voices, speakers) => {
	const valueOf = (text: string): unknown => (/^(\d|null|true|")/.test(text) ? JSON.parse(text) : text);
	const entries = voices.split('; ').map((voice) => {
		const fields = voice.split(', ').map((field) => /^(\S+) (.*)$/.exec(field)!);
		return { ...Object.fromEntries(fields.map(([, key, text]) => [key, valueOf(text)])), word: 'Hi' };
	});
	const read = await readSpeech(entries);
	expect(read.words.map(({ speaker }) => speaker ?? '-').join('; ')).toBe(speakers);
	const unclear = /^It is not clear who speaks: the words have the fields "/;
	expect(read.warning ?? '').toMatch(speakers.includes('-') ? unclear : /^$/);
});

test('what has hundreds of values is no speaker, and a warning names ten keys', async () => {
	const entries = Array.from({ length: 300 }, (_, n) => ({ name: `n${n}`, [`k${n}`]: 1, word: 'Hi' }));
	const read = await readSpeech(entries);
	expect(read.words.every(({ speaker }) => speaker === null)).toBe(true);
	expect(read.warning).toMatch(/"name", "k0", "word".* and 292 more\.$/);
});

/** How services write milliseconds, by the unit at the end of a key. */
function written(ms: number): Array<[unit: string, value: string | number]> {
	const clock = new Date(ms).toISOString().slice(11, 23);
	const all = (units: string[], values: Array<string | number>) =>
		units.flatMap((unit) => values.map((value): [string, string | number] => [unit, value]));
	return [
		...all([''], [`${ms / 1000}s`, `PT${ms / 1000}S`, clock, clock.replace('.', ',')]),
		...all(['', ' s', ' sec', ' seconds'], [ms / 1000, `${ms / 1000}`]),
		...all([' us', ' microseconds'], [ms * 1e3]),
		...all([' ns', ' nanos'], [ms * 1e6]),
		...all([' ms', ' millis', ' milliseconds', ' in ms'], [ms, `${ms}`, clock]),
	];
}

test('reads a time as it was written, in seconds', async () => {
	const starts = fc.constantFrom('start', 'start time', 'begin', 'from', 'offset', 'time');
	const property = fc.asyncProperty(starts, fc.nat(3), fc.nat(86_399_999), async (name, notation, ms) => {
		for (const [unit, value] of written(ms)) {
			const key = notations(name + unit)[notation];
			const [{ start, end }] = await words([{ gender: 5, word: 'Hi', duration: 2, [key]: value }]);
			expect(start).toBeCloseTo(ms / 1000, 3);
			expect(end).toBeCloseTo(ms / 1000 + 2, 3);
		}
	});
	await fc.assert(property);
});

test.each([
	// Times.
	['{"word":"Hi","gender":4,"endTime":2}', '- - 2 Hi'],
	['{"word":"Hi","start":"1:05","stop":"1:06.5"}', '- 65 66.5 Hi'],
	['{"word":"Hi","start":1,"end":5,"duration":2}', '- 1 5 Hi'],
	['{"word":"Hi","start":85,"startMs":85250}', '- 85.25 - Hi'],
	['{"word":"Hi","offsets":{"from":1,"to":2}}', '- 1 2 Hi'],
	['{"word":"Hi","startTime":{"seconds":"3","nanos":5e8}}', '- 3 - Hi'],
	['{"word":"Hi","offsetInTicks":5e7,"durationInTicks":1e7}', '- 5 6 Hi'],
	['{"word":"Hi","start":"at once","end":true}', '- - - Hi'],
	['{"word":"Hi","start":-1,"end":"1:75:3"}', '- - - Hi'],
	['{"word":"Hi","start":1767225600,"end":"2026-03-01T09:00:00Z"}', '- - - Hi'],
	['{"word":"Hi","fromForms":85,"starts_with":1,"bend":3,"start":"12 bananas"}', '- - - Hi'],
	// Of more than a quarter of an hour, milliseconds need no unit; samples do.
	['{"text":"a","start":250},{"text":"Hi","start":7300000,"end":7300200}', '- 0.25 - a; - 7300 7300.2 Hi'],
	['{"text":"Hi","start":16000,"end":32000}', '- - - Hi'],
	['{"text":"Hi","start":60,"end":70},{"text":"a","start":70,"end":120}', '- 60 70 Hi; - 70 120 a'],
	// Texts.
	['{"wordId":"w1","value":"Hi"}', '- - - Hi'],
	['{"wordIndex":4,"word":" Hi\\n there","text":"Bye"}', '- - - Hi there'],
	['{"word":"","text":"Hi"}', '- - - Hi'],
	['{"word":"hi","punctuated_word":"Hi,"}', '- - - Hi,'],
	['{"word":{"text":"Hi","id":1}}', '- - - Hi'],
	['{"word":""}', '- - - '],
	// Lists: sentences of a speaker, elements with their marks, words, and alternatives, the best one first.
	['{"speakerId":"7","sentences":[{"start":460230,"end":461343,"text":"No"}]}', '7 460.23 461.343 No'],
	['{"speaker":0,"elements":[{"value":"Hi","ts":0.5,"end_ts":1},{"value":"."}]}', '0 0.5 1 Hi; 0 - - .'],
	['{"participant":{"name":"A"},"words":[{"text":"Hi","start_timestamp":{"relative":5}}]}', 'A 5 - Hi'],
	['{"speaker_label":"A","alternatives":[{"content":"Hi"},{"content":"High"}],"time":"0.1"}', 'A 0.1 - Hi'],
	['{"speaker":1,"offset":9,"nBest":[{"offset":"PT2S","lexical":"hi","display":"Hi."}]}', '1 2 - Hi.'],
])('reads %s as speaker, start, end and text: %s', async (entries, expected) => {
	const read = await words(JSON.parse(`[${entries}]`) as IDataObject[]);
	const said = read.map(({ speaker, start, end, text }) => [speaker ?? '-', start ?? '-', end ?? '-', text]);
	expect(said.map((word) => word.join(' ')).join('; ')).toBe(expected);
});

test.each<IDataObject>([{ wordId: 'w1' }, { word: 5 }, { context: 'call' }, {}])(
	'fails for the words %j without a known text, and names their keys',
	async (entry) => {
		const others = Object.fromEntries(Array.from({ length: 5000 }, (_, index) => [`key${index}`, 1]));
		await expect(readSpeech([{ ...entry, ...others }])).rejects.toMatchObject({
			details: { code: 'transcript_words_unknown' },
			message: expect.stringMatching(/"key\d" and \d{4} more$/),
		});
	},
);
