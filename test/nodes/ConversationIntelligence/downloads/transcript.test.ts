import type { IDataObject } from 'n8n-workflow';
import {
	addTranscript,
	readTranscript,
	transcriptText,
} from '../../../../nodes/ConversationIntelligence/downloads/transcript';
import { ID, mediaItem, URL } from './mediaItem';

const ADVICE = 'Use Download Transcript with the output Items or File.';
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
	[{ word: 'Hi' }, 'Speaker: Hi'],
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

test('names the fields of an entry without a recognized word', () => {
	expect(() => transcriptText([{ speaker: 'Ana', said: 'Hi' }])).toThrow(
		expect.objectContaining({
			message: 'The words of the transcript were not found: its entries have the fields speaker, said',
			description: ADVICE,
		}),
	);
});

test('reads a transcript with its title', async () => {
	const { item } = mediaItem(sends('\ufeff[{"word":"Gr\u00fc\u00dfe"}]'));
	await expect(readTranscript(item, ID)).resolves.toEqual({
		entries: [{ word: 'Gr\u00fc\u00dfe' }],
		title: 'Roof',
	});
});

test.each(['{"word":"Hi"}', '["Hi"]', '[{"word":"Hi"},null]', 'null', '[{"word":'])(
	'refuses the transcript %s',
	async (body) => {
		const { item } = mediaItem(sends(body));
		await expect(readTranscript(item, ID)).rejects.toMatchObject({
			message: 'The transcript is not a JSON list of words, as the API documentation describes it',
			description: 'Use Download Transcript with the output File to look at it.',
		});
	},
);

test('refuses a transcript above 20 MB after that much, and never asks for it again', async () => {
	const { item, asked, bodies } = mediaItem(sends(`["${'x'.repeat(21_000_000)}"]`));

	await expect(readTranscript(item, ID)).rejects.toMatchObject({
		message: 'The transcript is larger than 20 MB',
		description: 'Use Download Transcript with the output File.',
	});
	expect(asked).toHaveLength(1);
	expect(bodies[0].destroyed).toBe(true);
});

test('reads a transcript just below 20 MB', async () => {
	const { item } = mediaItem(sends(`[{"word":"${'x'.repeat(19_000_000)}"}]`));
	await expect(readTranscript(item, ID)).resolves.toMatchObject({ entries: [{ word: expect.any(String) }] });
});

test('adds the text of a transcript to a row', async () => {
	const json = {};
	const { item, lookUps } = mediaItem(sends('[{"word":"Hi"}]'));

	await expect(addTranscript(item, ROW, json, Infinity)).resolves.toBe(true);
	expect(json).toEqual({ transcript: 'Speaker: Hi', transcriptError: null });
	expect(lookUps).toEqual([]);
});

test('says in the row why a transcript cannot be read, without the number of the item', async () => {
	const json = {};
	const { item } = mediaItem({ ...sends('[{"said [Item 1] twice":"Hi"}]'), index: 10 });

	await expect(addTranscript(item, ROW, json, Infinity)).resolves.toBe(false);
	expect(json).toEqual({
		transcript: null,
		transcriptError: `The words of the transcript were not found: its entries have the fields said [Item 1] twice. ${ADVICE}`,
	});
});

test('says it in one text to an agent, who has no number for the item', async () => {
	const json = {};
	const { item } = mediaItem({ ...sends('[{"said":"Hi"}]'), type: 'conversationIntelligenceTool' });

	await addTranscript(item, ROW, json, Infinity);
	expect(json).toEqual({
		transcript: null,
		transcriptError: `The words of the transcript were not found: its entries have the fields said. ${ADVICE}`,
	});
});

test('fails when the execution is stopped, and adds no text to the row', async () => {
	const json = {};
	const { item } = mediaItem({ ...sends('[]'), signal: AbortSignal.abort(new Error('stopped')) });

	await expect(addTranscript(item, ROW, json, Infinity)).rejects.toThrow('stopped');
	expect(json).toEqual({ transcript: null, transcriptError: null });
});
