import fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';
import { readSpeech } from '../../../../nodes/ConversationIntelligence/downloads/words';

const words = async (entries: IDataObject[]) => (await readSpeech(entries)).words;
const NOBODY = expect.stringMatching(/^It is not clear who speaks: the words have the fields "/);

/** A key in the notations in which services write keys. */
const notations = (key: string) => {
	const parts = key.split(' ');
	const camel = parts.map((part, index) => (index > 0 ? part[0].toUpperCase() + part.slice(1) : part));
	return [parts.join('_'), parts.join('-'), camel.join(''), parts.join('').toUpperCase()];
};
const keyOf = (...keys: string[]) => fc.constantFrom(...keys.flatMap(notations));
const NAME_KEYS = ['speaker', 'speaker name', 'participant', 'participant name', 'name', 'spk', 'user name'];
const ID_KEYS = ['speaker id', 'participant id', 'spk id', 'user id', 'speaker tag', 'channel id'];

// D1-DATA-04
test('two people stay two, by their names before IDs, whatever the keys, their order and what else a word has', async () => {
	const noise = {
		speakerConfidence: 0.9,
		gender: 'f',
		wordId: 'w1',
		speaker_score: 1,
		type: 'word',
		index: 0,
	};
	const people = fc.uniqueArray(fc.constantFrom('Ana', 'Ben Diaz', '李雷', 'Customer 2', 'Rep'), {
		minLength: 2,
	});
	const input = fc.record({
		people,
		nameKey: keyOf(...NAME_KEYS),
		idKey: fc.option(keyOf(...ID_KEYS)),
		isNested: fc.boolean(),
		textKey: keyOf('word', 'text', 'content', 'value'),
		order: fc.infiniteStream(fc.nat()),
		turns: fc.array(fc.nat(), { minLength: 10, maxLength: 40 }),
	});
	await fc.assert(
		fc.asyncProperty(input, async ({ people, nameKey, idKey, isNested, textKey, order, turns }) => {
			const all = [...people.keys(), ...turns.map((turn) => turn % people.length)];
			const entries = all.map((who, index) => {
				const speaker: IDataObject = isNested
					? { participant: { id: who, name: people[who], confidence: 0.5 } }
					: { [nameKey]: people[who], ...(idKey ? { [idKey]: who } : {}) };
				const fields = Object.entries({ ...noise, ...speaker, [textKey]: `w${index}`, gender: 'm' });
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

const said = (...voices: IDataObject[]) => voices.map((voice) => ({ ...voice, word: 'Hi' }));

test.each<[string, IDataObject[], Array<string | null>, unknown]>([
	['numbers alone', [{ speaker: 0 }, { speaker: 1 }], ['0', '1'], null],
	[
		'a name for each number',
		[
			{ speaker: 0, name: 'Ana' },
			{ speaker: 1, name: 'Ben' },
		],
		['Ana', 'Ben'],
		null,
	],
	[
		'a name for one number',
		[{ spk: 'S1', name: 'Ana' }, { spk: 'S2' }, { spk: 'S3' }],
		['Ana', 'S2', 'S3'],
		null,
	],
	[
		'one title of all',
		[
			{ name: 'Roof', speaker: 'Ana' },
			{ name: 'Roof', speaker: 'Ben' },
		],
		['Ana', 'Ben'],
		null,
	],
	['roles', [{ role: 'rep' }, { role: 'customer' }], ['rep', 'customer'], null],
	[
		'a role of two people',
		[
			{ role: 'rep', speakerId: 7 },
			{ role: 'customer', speakerId: 8 },
			{ role: 'rep', speakerId: 9 },
		],
		['7', '8', '9'],
		null,
	],
	[
		'two channels of one name',
		[
			{ speaker: 'Ana', channel: 1 },
			{ speaker: 'Ana', channel: 2 },
		],
		['Ana', 'Ana'],
		null,
	],
	[
		'IDs of one name',
		[
			{ speaker: 'Ana', speakerId: 1 },
			{ speaker: 'Ana', speakerId: 2 },
			{ speaker: 'Ben', speakerId: 3 },
		],
		['Ana (1)', 'Ana (2)', 'Ben'],
		null,
	],
	[
		'who said it, as an object',
		[{ from: { id: 1, name: 'Ana' } }, { from: { id: 2, name: 'Ben' } }],
		['Ana', 'Ben'],
		null,
	],
	['numbered channels of media', [{ media_channel: 1 }, { media_channel: 2 }], ['1', '2'], null],
	[
		'words without',
		[{ speaker: 'Ana', channel: 1 }, { speaker: 'Ben', channel: 1 }, { channel: 1 }],
		['Ana', 'Ben', null],
		NOBODY,
	],
	['another key', [{ speaker: 'Ana' }, { participant: 'Ben' }], ['Ana', null], NOBODY],
	[
		'names that contradict',
		[
			{ speaker: 'Ana', participant: 'Ben' },
			{ speaker: 'Ana', participant: 'Cy' },
			{ speaker: 'Ed', participant: 'Ben' },
		],
		[null, null, null],
		NOBODY,
	],
	['one channel', [{ channel: 0 }, { channel: 0 }], [null, null], NOBODY],
	['no known key', [{ gist: 'Ana' }, { gist: 'Ben' }], [null, null], NOBODY],
	['nothing to read', [{ speaker: null }, { speaker: true }, { speaker: ' ' }], [null, null, null], NOBODY],
])('knows who speaks by %s', async (_what, voices, speakers, warning) => {
	const read = await readSpeech(said(...voices));
	expect(read.words.map(({ speaker }) => speaker)).toEqual(speakers);
	expect(read.warning).toEqual(warning);
});

test('what has hundreds of values is no speaker, and a warning names ten keys', async () => {
	const entries = Array.from({ length: 300 }, (_, index) => ({
		name: `n${index}`,
		[`k${index}`]: 1,
		word: 'Hi',
	}));
	const { words, warning } = await readSpeech(entries);
	expect(words.every(({ speaker }) => speaker === null)).toBe(true);
	expect(warning).toMatch(/"name", "k0", "word".* and 292 more\.$/);
});

test('reads a time as it was written, in seconds', async () => {
	const START = ['start', 'start time', 'begin', 'from', 'offset', 'time'];
	const seconds = fc.integer({ min: 0, max: 359_999_000 }).map((milliseconds) => milliseconds / 1000);
	const pad = (count: number) => String(count).padStart(2, '0');
	const clock = (time: number, mark: string) =>
		`${pad(Math.floor(time / 3600))}:${pad(Math.floor(time / 60) % 60)}:${(time % 60).toFixed(3).padStart(6, '0').replace('.', mark)}`;
	const written = seconds.chain((time) =>
		fc.tuple(
			fc.constant(time),
			fc.oneof(
				fc.tuple(
					keyOf(...START),
					fc.constantFrom<unknown>(
						time,
						String(time),
						`${time}s`,
						`PT${time}S`,
						clock(time, '.'),
						clock(time, ','),
					),
				),
				fc.tuple(
					keyOf(
						...START.flatMap((key) =>
							['ms', 'millis', 'milliseconds', 'in ms'].map((unit) => `${key} ${unit}`),
						),
					),
					fc.constantFrom<unknown>(
						Math.round(time * 1000),
						String(Math.round(time * 1000)),
						clock(time, '.'),
					),
				),
				fc.tuple(
					keyOf(...START.flatMap((key) => ['s', 'sec', 'seconds'].map((unit) => `${key} ${unit}`))),
					fc.constantFrom<unknown>(time, String(time)),
				),
			),
		),
	);
	await fc.assert(
		fc.asyncProperty(written, async ([time, [key, value]]) => {
			const [{ start, end }] = await words([
				{ gender: 5, word: 'Hi', [key]: value, duration: 2 } as IDataObject,
			]);
			expect(start).toBeCloseTo(time, 3);
			expect(end).toBeCloseTo(time + 2, 3);
		}),
	);
});

test.each<[IDataObject, number | null, number | null]>([
	[{ gender: 4, endTime: 2 }, null, 2],
	[{ start: '1:05', stop: '1:06.5' }, 65, 66.5],
	[{ start: 85, startMs: 85_250 }, 85.25, null],
	[{ offsets: { from: 1, to: 2 } }, 1, 2],
	[{ startTime: { seconds: '3', nanos: 5e8 } }, 3, null],
	[{ offsetInTicks: 5e7, durationInTicks: 1e7 }, 5, 6],
	[{ start: '1.200s' }, 1.2, null],
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
		const wide = {
			...entry,
			...Object.fromEntries(Array.from({ length: 5000 }, (_, index) => [`key${index}`, 1])),
		};
		const failed = await readSpeech([wide]).catch((error: Error) => error);
		expect(failed).toMatchObject({ details: { code: 'transcript_words_unknown' } });
		expect((failed as Error).message).toMatch(/"key\d" and \d{4} more$/);
	},
);

test.each<[string, IDataObject[], unknown[]]>([
	[
		'sentences of a speaker',
		[
			{
				speakerId: '7',
				topic: null,
				sentences: [{ start: 460_230, end: 462_343, text: 'No wait, so long' }],
			},
		],
		[['7', 460.23, 462.343, 'No wait, so long']],
	],
	[
		'elements, whose marks are words',
		[
			{
				speaker: 0,
				elements: [
					{ value: 'Hi', ts: 0.5, end_ts: 0.9 },
					{ type: 'punct', value: '.' },
				],
			},
		],
		[
			['0', 0.5, 0.9, 'Hi'],
			['0', null, null, '.'],
		],
	],
	[
		'words with times in objects',
		[{ participant: { id: 1, name: 'Ana' }, words: [{ text: 'Hi', start_timestamp: { relative: 5 } }] }],
		[['Ana', 5, null, 'Hi']],
	],
	[
		'alternatives, the best one first',
		[{ start_time: '0.1', speaker_label: 'spk_0', alternatives: [{ content: 'Hi' }, { content: 'High' }] }],
		[['spk_0', 0.1, null, 'Hi']],
	],
	[
		'texts for display',
		[{ speaker: 1, offset: 'PT2S', nBest: [{ lexical: 'hi', display: 'Hi.' }] }],
		[['1', 2, null, 'Hi.']],
	],
	[
		'milliseconds without a unit, for more than a quarter of an hour',
		[
			{ text: 'Hello', start: 250, end: 650, speaker: 'A' },
			{ text: 'Hi', start: 7_300_000, end: 7_300_200, speaker: 'B' },
		],
		[
			['A', 0.25, 0.65, 'Hello'],
			['B', 7300, 7300.2, 'Hi'],
		],
	],
	[
		'samples without a unit',
		[{ text: 'Hi', start: 16_000, end: 32_000, speaker: 'A' }],
		[['A', null, null, 'Hi']],
	],
	['whole seconds', [{ text: 'Hi', start: 60, end: 70, speaker: 'A' }], [['A', 60, 70, 'Hi']]],
])('reads %s', async (_what, entries, expected) => {
	const read = await words(entries);
	expect(read.map(({ speaker, start, end, text }) => [speaker, start, end, text])).toEqual(expected);
});
