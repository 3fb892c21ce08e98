import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';
import { readSpeech } from '../../../../nodes/shared/media/words';

/** Words of a transcript as services write them, and how they are read: `speaker start end text`, then what is not clear. */
const EXAMPLES: Array<[shape: string, entries: string, said: string, unclear?: string]> = [
	[
		'the local service',
		'{"speaker":"Ana","word":"Hi","start":0.5,"end":1},{"speaker":"Ben","word":"Yes","start":1,"end":2}',
		'Ana 0.5 1 Hi; Ben 1 2 Yes',
	],
	[
		'Deepgram',
		'{"word":"hi","start":0.5,"end":1,"confidence":0.9,"speaker":0,"punctuated_word":"Hi."}',
		'0 0.5 1 Hi.',
	],
	[
		'AWS items',
		'{"start_time":"0.1","end_time":"0.5","alternatives":[{"confidence":"1","content":"Hi"},{"content":"High"}],"type":"pronunciation","speaker_label":"spk_0"},{"alternatives":[{"content":"."}],"type":"punctuation","speaker_label":"spk_0"}',
		'spk_0 0.1 0.5 Hi; spk_0 - - .',
	],
	['Google v1', '{"startTime":"1.400s","endTime":"2s","word":"Hi","speakerTag":2}', '2 1.4 2 Hi'],
	['Google v2', '{"startOffset":"1.4s","endOffset":"2s","word":"Hi","speakerLabel":"1"}', '1 1.4 2 Hi'],
	['WhisperX', '{"word":"Hi","start":0.5,"end":1,"score":0.8,"speaker":"SPEAKER_00"}', 'SPEAKER_00 0.5 1 Hi'],
	[
		'ElevenLabs',
		'{"text":"Hi","start":0.5,"end":1,"type":"word","speaker_id":"s0"},{"text":" ","start":1,"end":1,"type":"spacing","speaker_id":"s0"}',
		's0 0.5 1 Hi; s0 1 1 ',
	],
	[
		'milliseconds that say so',
		'{"speaker":"A","text":" Hi\\n all","startMs":500,"end_ms":"1000"}',
		'A 0.5 1 Hi all',
	],
	['a unit before none', '{"speaker":"A","text":"Hi","start":85,"start_milliseconds":85250}', 'A 85.25 - Hi'],
	[
		'AssemblyAI, whose times are milliseconds',
		'{"text":"Hi","start":250,"end":650,"speaker":"A"}',
		'A - - Hi',
		'when',
	],
	[
		'milliseconds without an end',
		'{"text":"Hi","start":0,"speaker":"A"},{"text":"Yes","start":900,"speaker":"B"}',
		'A - - Hi; B - - Yes',
		'when',
	],
	['a talk that starts late', '{"speaker":"A","text":"Hi","start":7300,"end":7301}', 'A 7300 7301 Hi'],
	['dates', '{"speaker":"A","text":"Hi","start":1767225600,"end":1767225601}', 'A - - Hi', 'when'],
	['clocks', '{"speaker":"A","text":"Hi","start":"1:05","end":"00:01:06,500"}', 'A - - Hi', 'when'],
	[
		'times as objects',
		'{"speaker":"A","text":"Hi","startTime":{"seconds":"3","nanos":5}}',
		'A - - Hi',
		'when',
	],
	['an end alone', '{"speaker":"A","text":"Hi","end":2}', 'A - - Hi', 'when'],
	[
		'times below zero',
		'{"speaker":"A","text":"Hi","start":-1},{"speaker":"A","text":"all","start":2}',
		'A - - Hi; A 2 - all',
	],
	['a number of each speaker before a name', '{"speaker":0,"name":"Ana","text":"Hi","start":1}', '0 1 - Hi'],
	[
		'a name of one speaker alone',
		'{"speakerName":"Ana","speaker":0,"text":"Hi","start":1},{"speaker":1,"text":"Yes","start":2}',
		'Ana 1 - Hi; - 2 - Yes',
		'who speaks',
	],
	[
		'speakers without a value',
		'{"speakerName":null,"speaker":" ","speakerId":true,"text":"Hi","start":1}',
		'- 1 - Hi',
		'who speaks',
	],
	['speakers as objects', '{"speaker":{"name":"Ana"},"text":"Hi","start":1}', '- 1 - Hi', 'who speaks'],
	['neither', '{"text":"Hi"}', '- - - Hi', 'who speaks and when'],
	['texts in the second field', '{"speaker":"A","word":"","text":"Hi","start":1}', 'A 1 - Hi'],
	['nothing said', '{"speaker":"A","text":"","start":1}', 'A 1 - '],
];

test.each(EXAMPLES)('reads %s: %s as %s', async (_shape, entries, ...[said, unclear]) => {
	const { words, warning } = await readSpeech(JSON.parse(`[${entries}]`) as IDataObject[]);
	const read = words.map(({ speaker, start, end, text }) => [speaker ?? '-', start ?? '-', end ?? '-', text]);
	expect(read.map((word) => word.join(' ')).join('; ')).toBe(said);
	if (unclear === undefined) expect(warning).toBeNull();
	else expect(warning).toContain(`It is not clear ${unclear}: the words have the fields "`);
});

test('says nothing about a transcript without words', async () => {
	expect(await readSpeech([])).toEqual({ words: [], warning: null });
});

test('reads a known field after thousands of others, and names ten of these in a warning', async () => {
	const entries = Array.from({ length: 3000 }, (_, n) => ({
		[`k${n}`]: 1,
		...(n > 2000 ? { word: 'Hi' } : { WORD: 'a' }),
	}));
	const { words, warning } = await readSpeech(entries);
	expect(words.map(({ text }) => text).join('')).toBe(`${'a'.repeat(2001)}${'Hi'.repeat(999)}`);
	expect(warning).toMatch(/"k0", "WORD", "k1", .* more\.$/);
});

test.each([
	['Rev.ai', '{"speaker":0,"elements":[{"type":"text","value":"Hi","ts":0.5}]}', '"speaker", "elements"'],
	['Recall.ai', '{"participant":{"name":"A"},"words":[{"text":"Hi"}]}', '"participant", "words"'],
	[
		'Gong',
		'{"speakerId":"7","topic":null,"sentences":[{"start":460,"text":"No"}]}',
		'"speakerId", "topic", "sentences"',
	],
	['Google results', '{"alternatives":[{"transcript":"Hi"}]}', '"alternatives"'],
	['a text in an object', '{"word":{"text":"Hi"}}', '"word"'],
	['a number', '{"word":5}', '"word"'],
	['another field than the other words', '{"word":"Hi"},{"text":"all"}', '"text"'],
	['no field', '{}', ''],
])('fails for entries of %s, and names their fields: %s', async (_shape, entries, fields) => {
	await expect(readSpeech(JSON.parse(`[${entries}]`) as IDataObject[])).rejects.toMatchObject({
		details: { code: 'transcript_words_unknown' },
		message: expect.stringMatching(new RegExp(`: it has the fields ${fields}$`)),
	});
});

const notations = (name: string) => [
	name,
	name.toUpperCase(),
	name.replace(/[A-Z]/g, '_$&'),
	name.replace(/[A-Z]/g, '-$&'),
];
const NOISE = { speakerConfidence: 0.9, gender: 'f', word_id: 'w1', type: 'word', starts_with: 1, bend: 3 };

// D1-DATA-04
test('reads the first known name of each meaning that any entry has, in any notation, among other fields', async () => {
	const page = readFileSync('docs/reference/files.md', 'utf8');
	const [texts, speakers, starts, ends] = ['Text', 'Speaker', 'Start', 'End'].map((meaning) => {
		const [, listed] = new RegExp(`^\\| ${meaning} +\\|([^;(|]+)`, 'm').exec(page)!;
		// The content of this one is in a list.
		return [...listed.matchAll(/`(\w+)`/g)].map(([, name]) => name).filter((name) => name !== 'alternatives');
	});
	const some = (names: string[]) => fc.subarray(names, { minLength: 1 });
	const input = fc.record({
		names: fc.tuple(some(texts), some(speakers), some(starts), some(ends)),
		notation: fc.nat(3),
		isReversed: fc.boolean(),
		count: fc.integer({ min: 1, max: 20 }),
	});
	await fc.assert(
		fc.asyncProperty(input, async ({ names, notation, isReversed, count }) => {
			const entries = Array.from({ length: count }, (_, index) => {
				const fields = names.flatMap((all, meaning) =>
					all.map((name, rank): [string, unknown] => [
						notations(name)[notation],
						meaning < 2 ? `${name} ${index}` : index + rank,
					]),
				);
				const everything = [...Object.entries(NOISE), ...fields];
				return Object.fromEntries(isReversed ? everything.reverse() : everything) as IDataObject;
			});
			const { words, warning } = await readSpeech(entries);
			const [[text], [speaker]] = names;
			expect(words).toEqual(
				words.map((_, index) => ({
					text: `${text} ${index}`,
					speaker: `${speaker} ${index}`,
					start: index,
					end: index,
				})),
			);
			expect(warning).toBeNull();
		}),
	);
});
