import fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';
import {
	addTranscript,
	readTranscript,
	transcriptText,
	transcriptTurns,
} from '../../../../nodes/ConversationIntelligence/downloads/transcript';
import { ID, mediaItem, URL } from './mediaItem';

const ROW = { conversationId: ID, transcriptUrl: URL };
const sends = (body: string) => ({ sends: [{ statusCode: 200, body }] });

test('joins the words of a turn, and starts a line for each turn', () => {
	const words = [
		{ speaker: 'Ana', word: ' Good ', start: 0.9 },
		{ speaker: 'Ana', word: 'day', start: 2 },
		{ speaker: 'Ben', word: 'Hello', start: 61 },
		{ speaker: 'Ana', word: 'Bye', start: 62 },
	];
	expect(transcriptText(words)).toBe('[00:00] Ana: Good day\n[01:01] Ben: Hello\n[01:02] Ana: Bye');
	expect(transcriptText([])).toBe('');
});

test.each<[IDataObject, string]>([
	[{ speakerId: 1, text: 'Hi', startTime: '75.5' }, '[01:15] 1: Hi'],
	[{ content: 'Hi', beginAt: 3599.9 }, '[59:59] Speaker: Hi'],
	[{ Word: 'Hi', from: 3600 }, '[1:00:00] Speaker: Hi'],
	[{ word: 'Hi', start: 36_610 }, '[10:10:10] Speaker: Hi'],
	[{ word: 'Hi', start: 'at once', speaker: null }, 'Speaker: Hi'],
	[{ word: 'Hi', start: true, speaker: true }, 'Speaker: Hi'],
	[{ wordIndex: 4, word: 'Hi', text: 'Bye' }, 'Speaker: Hi'],
	[{ word: 'Hi', startMs: 85_000 }, '[01:25] Speaker: Hi'],
	[{ word: 'Hi', start_ms: '85000' }, '[01:25] Speaker: Hi'],
	[{ word: 'Hi', beginMillis: 85_000 }, '[01:25] Speaker: Hi'],
	[{ word: 'Hi', fromForms: 85 }, '[01:25] Speaker: Hi'],
	[{ wordId: 'w1', contextType: 'call', word: 'Hi' }, 'Speaker: Hi'],
	[{ speakerConfidence: 0.9, speaker: 'Ana', word: 'Hi' }, 'Ana: Hi'],
	[{ speakerName: 'Ana', word: 'Hi' }, 'Ana: Hi'],
])('recognizes the fields of %j', (entry, line) => {
	expect(transcriptText([entry])).toBe(line);
});

test.each(['{"word":"Hi"}', '["Hi"]', '[{"word":"Hi"},null]', 'null', '[{"word":'])(
	'refuses the transcript %s',
	async (body) => {
		const { item } = mediaItem(sends(body));
		const details = { code: 'transcript_unreadable' };
		await expect(readTranscript(item, ROW)).rejects.toMatchObject({ details });
	},
);

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
	expect(json).toEqual({ transcript: null, transcriptError: null });
});

test('turns have the times of their first and last word', () => {
	const words = [
		{ speaker: 'Ana', word: 'Good', startMs: 900, endMs: 1100 },
		{ speaker: 'Ana', word: 'day', startMs: 1200, endMs: 1500 },
		{ speaker: 'Ben', word: 'Hello' },
	];
	expect(transcriptTurns({}, words)).toEqual([
		{ speaker: 'Ana', isRep: null, start: 0.9, end: 1.5, text: 'Good day' },
		{ speaker: 'Ben', isRep: null, start: null, end: null, text: 'Hello' },
	]);
});

test.each([
	['Ana Diaz', [true, false, false]],
	['Ben', [null, null, null]],
	[null, [null, null, null]],
])(
	'of turns of Ana Diaz, a customer and somebody, it is not guessed whether the rep %p speaks',
	(name, isRep) => {
		const words = ['ana diaz ', 'Customer', ''].map((speaker) => ({ speaker, word: 'Hello' }));
		expect(transcriptTurns({ user: { name } }, words).map((turn) => turn.isRep)).toEqual(isRep);
	},
);

test('a text that is cut ends with a whole word and the time of the next one', () => {
	const words = ['Good', 'day', 'sir', 'x'.repeat(3000)].map((word, index) => ({
		...{ speaker: 'Ana', word, start: index / 2 },
	}));
	const cut = (maxLength: number, from = 0) => transcriptText(words, { from, maxLength });
	const shown = '[00:00] Ana: Good day';
	expect(cut(3100)).not.toContain('Cut');
	expect(cut(21)).toBe(`${shown}\n[Cut: 21 of 3,026 characters. Continue with From Time 1]`);
	expect(cut(24)).toBe(`${shown}\n[Cut: 21 of 3,026 characters. Continue with From Time 1]`);
	expect(cut(25, 1)).toBe('[00:01] Ana: sir\n[Cut: 16 of 3,017 characters. Continue with From Time 1.5]');
	expect(cut(3100, 2)).toBe('[No words from 2 on: the last one starts at 1.5]');
	// There is no time to continue from.
	const silent = ['Good', 'day', 'sir'].map((word) => ({ word }));
	// At least one word is returned.
	for (const maxLength of [1, 15, 16]) {
		const part = transcriptText(silent, { maxLength });
		expect(part).toBe('Speaker: Good\n[Cut: 13 of 21 characters]');
	}
	expect(transcriptText(silent, { maxLength: 20 })).toBe('Speaker: Good day\n[Cut: 17 of 21 characters]');
	expect(transcriptText(silent, { maxLength: 21 })).toBe('Speaker: Good day sir');
});

test('the parts of a text have every word once, in order, and are no longer than allowed', () => {
	// Some words start together, or before the one in front of them, or have no time.
	const step = fc.constantFrom(0.3, 0.3, 7.25, 0, -0.2, undefined);
	const word = fc.record({ step, speaker: fc.constantFrom('Ana', 'Ana', 'Ben') });
	fc.assert(
		fc.property(
			fc.array(word, { minLength: 1, maxLength: 200, size: 'max' }),
			fc.integer({ min: 150, max: 1000 }),
			(steps, maxLength) => {
				let now = 0;
				const entries = steps.map(({ step, speaker }, index) => {
					// Never more than a few words in a row, so that each part has a moment at which it can end.
					now += index % 4 === 0 ? 0.5 : Math.max(step ?? 0, 0);
					const start = index % 4 !== 0 && step === undefined ? {} : { start: now + Math.min(step ?? 0, 0) };
					return { speaker, word: `w${index}`, ...start };
				});
				const found: string[] = [];
				let from: number | undefined = 0;
				while (from !== undefined) {
					const [text, ending]: string[] = transcriptText(entries, { from, maxLength }).split('\n[Cut: ');
					expect(text.length).toBeLessThanOrEqual(maxLength);
					found.push(...(text.match(/w\d+/g) ?? []));
					const next: string | undefined = /From Time ([\d.]+)\]$/.exec(ending ?? '')?.[1];
					expect(ending === undefined || next !== undefined).toBe(true);
					from = next === undefined ? undefined : Number(next);
				}
				expect(found).toEqual(entries.map((entry) => entry.word));
			},
		),
	);
});
