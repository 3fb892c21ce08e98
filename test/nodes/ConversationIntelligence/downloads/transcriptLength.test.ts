import { cutTranscript } from '../../../../nodes/ConversationIntelligence/downloads/transcriptLength';

test('a transcript that fits stays as it is', () => {
	expect(cutTranscript('Ana: Good day', 13)).toBe('Ana: Good day');
});

test('a longer transcript ends with a whole word and says how much was cut', () => {
	const text = `Ana: Good day\nBen: ${'x'.repeat(3000)}`;
	expect(cutTranscript(text, 12)).toBe('Ana: Good\n[Cut: 9 of 3,019 characters]');
	expect(cutTranscript(text, 2000)).toBe('Ana: Good day\nBen:\n[Cut: 18 of 3,019 characters]');
});
