import type { IDataObject } from 'n8n-workflow';
import {
	cutTranscript,
	readTranscriptLength,
} from '../../../../nodes/ConversationIntelligence/downloads/transcriptLength';
import { Item } from '../../../../nodes/shared/node/item';
import { NODE, scriptedService } from '../../shared/http/scriptedService';

const read = (type: string, parameters: IDataObject = {}) =>
	readTranscriptLength(
		new Item(scriptedService({ responses: [], node: { ...NODE, type }, parameters }).context, 0),
	);

test('a transcript is cut for agents only, after 20,000 characters by default', () => {
	expect(read(NODE.type, { maxTranscriptLength: 5 })).toBe(Infinity);
	expect(read(`${NODE.type}Tool`)).toBe(20_000);
	expect(read(`${NODE.type}Tool`, { maxTranscriptLength: 5 })).toBe(5);
	expect(() => read(`${NODE.type}Tool`, { maxTranscriptLength: 0 })).toThrow(/^Max Transcript Length/);
});

test('a transcript that fits stays as it is', () => {
	expect(cutTranscript('Ana: Good day', 13)).toBe('Ana: Good day');
});

test('a longer transcript ends with a whole word and says how much was cut', () => {
	const text = `Ana: Good day\nBen: ${'x'.repeat(3000)}`;
	expect(cutTranscript(text, 12)).toBe('Ana: Good\n[Cut: 9 of 3,019 characters]');
	expect(cutTranscript(text, 2000)).toBe('Ana: Good day\nBen:\n[Cut: 18 of 3,019 characters]');
});
