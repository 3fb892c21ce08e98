import type { IDataObject } from 'n8n-workflow';
import {
	addTranscript,
	readTranscript,
	transcriptText,
} from '../../../../nodes/ConversationIntelligence/downloads/transcript';
import { ID, mediaItem, URL } from './mediaItem';

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
		await expect(readTranscript(item, ID)).rejects.toMatchObject({ details });
	},
);

test('reads up to 20 MB, and refuses a larger transcript without asking for it again', async () => {
	const below = mediaItem(sends(`\uFEFF[{"word":"Gr\u00FC\u00DFe${'x'.repeat(19_000_000)}"}]`));
	const { entries, title } = await readTranscript(below.item, ID);
	expect([title, String(entries[0].word).slice(0, 6)]).toEqual(['Roof', 'Gr\u00FC\u00DFex']);

	const { item, asked, bodies } = mediaItem(sends(`["${'x'.repeat(21_000_000)}"]`));
	const context = { details: { code: 'transcript_too_large' } };
	await expect(readTranscript(item, ID)).rejects.toMatchObject({ context });
	expect(asked).toHaveLength(1);
	expect(bodies[0].destroyed).toBe(true);
});

test('fails when the execution is stopped, and adds no text to the row', async () => {
	const json = {};
	const { item } = mediaItem({ ...sends('[]'), signal: AbortSignal.abort(new Error('stopped')) });

	const added = addTranscript(item, { conversationId: ID, transcriptUrl: URL }, json, Infinity);
	await expect(added).rejects.toThrow('stopped');
	expect(json).toEqual({ transcript: null, transcriptError: null });
});
