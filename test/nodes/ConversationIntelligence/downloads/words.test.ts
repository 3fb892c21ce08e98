import fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';
import { readSpeech } from '../../../../nodes/ConversationIntelligence/downloads/words';

const words = async (entries: IDataObject[]) => (await readSpeech(entries)).words;

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
		order: fc.infiniteStream(fc.nat()),
		turns: fc.array(fc.nat(), { minLength: 10, maxLength: 40 }),
	});
	await fc.assert(
		fc.asyncProperty(input, async ({ people, nameKey, idKey, object, textKey, order, turns }) => {
			const all = [...people.keys(), ...turns.map((turn) => turn % people.length)];
			const entries = all.map((who, index) => {
				const speaker: IDataObject = object
					? { [object]: { id: who, name: people[who], confidence: 0.5 } }
					: { [nameKey]: people[who], ...(idKey ? { [idKey]: who } : {}) };
				const fields = Object.entries({ ...NOISE, ...speaker, [textKey]: `w${index}`, gender: 'm' });
				const keyed = fields.map((field) => [order.next().value, field] as const);
				return Object.fromEntries(keyed.sort(([a], [b]) => a - b).map(([, field]) => field)) as IDataObject;
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
	[
		'one name with two IDs, which are added',
		'speaker Ana, speakerId 1; speaker Ana, speakerId 2; speaker Ben, speakerId 3',
		'Ana (1); Ana (2); Ben',
	],
	['numbered channels of media', 'media_channel 1; media_channel 2', '1; 2'],
	[
		'names, but for a word without',
		'speaker Ana, channel 1; speaker Ben, channel 1; channel 1',
		'Ana; Ben; -',
	],
	['one key, not by two', 'speaker Ana; participant Ben', 'Ana; -'],
	[
		'none of names that contradict',
		'speaker Ana, participant Ben; speaker Ana, participant Cy; speaker Ed, participant Ben',
		'-; -; -',
	],
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

const pad = (count: number) => String(count).padStart(2, '0');
const clock = (time: number) =>
	`${pad(Math.floor(time / 3600))}:${pad(Math.floor(time / 60) % 60)}:${(time % 60).toFixed(3).padStart(6, '0')}`;
const s = (ms: number) => [ms / 1000, String(ms / 1000)];
/** By the unit at the end of a key, how services write a time in milliseconds. */
const WRITTEN: Record<string, (ms: number) => unknown[]> = {
	'': (ms) => [
		...s(ms),
		`${ms / 1000}s`,
		`PT${ms / 1000}S`,
		clock(ms / 1000),
		clock(ms / 1000).replace('.', ','),
	],
	...Object.fromEntries([' s', ' sec', ' seconds'].map((unit) => [unit, (ms) => s(ms)])),
	...Object.fromEntries(
		[' ms', ' millis', ' milliseconds', ' in ms'].map((unit) => [
			unit,
			(ms) => [ms, `${ms}`, clock(ms / 1000)],
		]),
	),
};

test('reads a time as it was written, in seconds', async () => {
	const START = ['start', 'start time', 'begin', 'from', 'offset', 'time'];
	const written = fc
		.tuple(fc.integer({ min: 0, max: 359_999_000 }), fc.constantFrom(...Object.keys(WRITTEN)))
		.chain(([ms, unit]) =>
			fc.tuple(
				fc.constant(ms / 1000),
				keyOf(...START.map((key) => key + unit)),
				fc.constantFrom(...WRITTEN[unit](ms)),
			),
		);
	await fc.assert(
		fc.asyncProperty(written, async ([time, key, value]) => {
			const [{ start, end }] = await words([
				{ gender: 5, word: 'Hi', duration: 2, [key]: value } as IDataObject,
			]);
			expect(start).toBeCloseTo(time, 3);
			expect(end).toBeCloseTo(time + 2, 3);
		}),
	);
});

test.each<[IDataObject, number | null, number | null]>([
	[{ gender: 4, endTime: 2 }, null, 2],
	[{ start: '1:05', stop: '1:06.5' }, 65, 66.5],
	[{ start: 1, end: 5, duration: 2 }, 1, 5],
	[{ start: 85, startMs: 85_250 }, 85.25, null],
	[{ offsets: { from: 1, to: 2 } }, 1, 2],
	[{ startTime: { seconds: '3', nanos: 5e8 } }, 3, null],
	[{ offsetInTicks: 5e7, durationInTicks: 1e7 }, 5, 6],
	[{ start: 'at once', end: true }, null, null],
	[{ start: -1, end: NaN }, null, null],
	[{ start: 1_767_225_600, end: '2026-03-01T09:00:00Z' }, null, null],
	[{ fromForms: 85, starts_with: 1, bend: 3 }, null, null],
	[{ start: '1:75:3' }, null, null],
	[{ start: '12 bananas' }, null, null],
])('reads the times of %j', async (times, start, end) => {
	expect(await words([{ word: 'Hi', ...times }])).toMatchObject([{ start, end }]);
});

test.each<[IDataObject, string]>([
	[{ wordId: 'w1', value: 'Hi' }, 'Hi'],
	[{ wordIndex: 4, word: ' Hi\n there', text: 'Bye' }, 'Hi there'],
	[{ word: '', text: 'Hi' }, 'Hi'],
	[{ word: 'hi', punctuated_word: 'Hi,' }, 'Hi,'],
	[{ word: { text: 'Hi', id: 1 } }, 'Hi'],
	[{ word: '' }, ''],
])('finds the text of %j', async (entry, text) => {
	expect(await words([entry])).toMatchObject([{ text }]);
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

test.each([
	[
		'sentences of a speaker',
		'{"speakerId":"7","topic":null,"sentences":[{"start":460230,"end":462343,"text":"No wait"}]}',
		'7 460.23 462.343 No wait',
	],
	[
		'elements, whose marks are words',
		'{"speaker":0,"elements":[{"value":"Hi","ts":0.5,"end_ts":0.9},{"type":"punct","value":"."}]}',
		'0 0.5 0.9 Hi; 0 - - .',
	],
	[
		'words with times in objects',
		'{"participant":{"id":1,"name":"Ana"},"words":[{"text":"Hi","start_timestamp":{"relative":5}}]}',
		'Ana 5 - Hi',
	],
	[
		'alternatives, the best one first',
		'{"start_time":"0.1","speaker_label":"A","alternatives":[{"content":"Hi"},{"content":"High"}]}',
		'A 0.1 - Hi',
	],
	[
		'texts for display',
		'{"speaker":1,"offset":"PT2S","nBest":[{"lexical":"hi","display":"Hi."}]}',
		'1 2 - Hi.',
	],
	[
		'milliseconds without a unit, for more than a quarter of an hour',
		'{"text":"Hello","start":250,"end":650},{"text":"Hi","start":7300000,"end":7300200}',
		'- 0.25 0.65 Hello; - 7300 7300.2 Hi',
	],
	['no samples without a unit', '{"text":"Hi","start":16000,"end":32000}', '- - - Hi'],
	[
		'whole seconds',
		'{"text":"Hi","start":60,"end":70},{"text":"a","start":70,"end":120}',
		'- 60 70 Hi; - 70 120 a',
	],
])('reads %s', async (_what, entries, expected) => {
	const read = await words(JSON.parse(`[${entries}]`) as IDataObject[]);
	const said = read.map(({ speaker, start, end, text }) => [speaker ?? '-', start ?? '-', end ?? '-', text]);
	expect(said.map((word) => word.join(' ')).join('; ')).toBe(expected);
});
